/// How long this process had been there at some moment: what the time to the first frame is counted from.
import Foundation

nonisolated enum ProcessAge {
  /// A moment, in milliseconds since the machine was started.
  static var now: Int {
    var now = timespec()
    clock_gettime(CLOCK_BOOTTIME, &now)
    return now.tv_sec * 1000 + now.tv_nsec / 1_000_000
  }

  /// - Returns: -1 when the system does not say when the process began.
  @concurrent
  static func milliseconds(at moment: Int) async -> Int {
    guard let text = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8),
      let fields = text.split(separator: ")").last?.split(separator: " "), fields.count > 19,
      let ticks = Int(fields[19])
    else { return -1 }
    return moment - ticks * 1000 / sysconf(Int32(_SC_CLK_TCK))
  }
}
