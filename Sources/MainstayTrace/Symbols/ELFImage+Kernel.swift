/// The code that the kernel maps into every process (`vdso(7)`): reading the clock, mostly. It is in no file.

import Foundation

extension ELFImage {
  /// What stands for its path, in recordings and in `/proc/PID/maps`.
  static let kernelCode = "[vdso]"

  /// The one in this process; nil where there is none. A recording of another kernel has another build ID.
  static func kernelImage() -> ELFImage? {
    #if os(Linux)
      // The text of a file whose size is 0 would be its first page.
      // mainstay:disable:next async_blocking - the kernel writes this file as it is read: there is nobody to wait for
      guard let data = try? FileHandle(forReadingAtPath: "/proc/self/maps")?.readToEnd(),
        let maps = String(data: data, encoding: .utf8),
        let line = maps.split(separator: "\n").first(where: { $0.hasSuffix(kernelCode) }),
        let range = line.split(separator: " ").first?.split(separator: "-"), range.count == 2,
        let start = UInt(range[0], radix: 16), let end = UInt(range[1], radix: 16), start < end,
        let first = UnsafeRawPointer(bitPattern: start)
      else { return nil }
      let bytes = Array(UnsafeRawBufferPointer(start: first, count: Int(end - start)))
      return try? ELFImage(path: kernelCode, bytes: bytes)
    #else
      return nil
    #endif
  }
}
