/// Bounded reads from an executable image, in memory or in a file that may change underneath us.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where the bytes of an image are. A file is read with `pread` and never mapped: a mapped file that someone
/// truncates (a rebuild while a report is made) ends the process with SIGBUS, a short read is an error.
enum ByteSource: Sendable {
  case memory([UInt8])
  case file(OpenFile)

  var count: UInt64 {
    switch self {
    case .memory(let bytes): UInt64(bytes.count)
    case .file(let file): file.size
    }
  }

  /// The bytes `offset ..< offset + count`, or nil when any of them is not there.
  func read(at offset: UInt64, count: UInt64) -> [UInt8]? {
    let (end, overflow) = offset.addingReportingOverflow(count)
    guard !overflow, end <= self.count else { return nil }
    switch self {
    case .memory(let bytes): return Array(bytes[Int(offset)..<Int(end)])
    case .file(let file): return file.read(at: Int64(offset), count: Int(count))
    }
  }
}

/// An open regular file, closed when the last owner lets go.
final class OpenFile: Sendable {
  let size: UInt64
  private let descriptor: Int32

  /// - Returns: nil when `path` cannot be opened or is not a regular file (a FIFO would block for ever).
  init?(path: String) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size >= 0 else {
      close(descriptor)
      return nil
    }
    size = UInt64(status.st_size)
  }

  deinit { close(descriptor) }

  func read(at offset: Int64, count: Int) -> [UInt8]? {
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      guard let base = buffer.baseAddress else { return }
      while initialized < count {
        let got = pread(descriptor, base + initialized, count - initialized, off_t(offset) + off_t(initialized))
        if got < 0 && errno == EINTR { continue }
        if got <= 0 { break }
        initialized += got
      }
    }
    return bytes.count == count ? bytes : nil
  }
}

extension [UInt8] {
  /// A little-endian integer at `offset`; the caller has checked that it lies inside.
  func littleEndian<Value: FixedWidthInteger>(_ type: Value.Type, at offset: Int) -> Value {
    withUnsafeBytes { Value(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Value.self)) }
  }

  /// The NUL-terminated text at `offset`, or nil when it runs past the end.
  func text(at offset: Int) -> String? {
    guard offset >= 0, offset < count, let end = self[offset...].firstIndex(of: 0) else { return nil }
    return String(decoding: self[offset..<end], as: UTF8.self)
  }
}
