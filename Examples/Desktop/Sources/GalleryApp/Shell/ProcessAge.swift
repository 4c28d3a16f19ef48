/// How long this process has been there: what the time to the first frame is counted from.
import Foundation

enum ProcessAge {
  static func milliseconds() -> Int {
    guard let text = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8),
      let fields = text.split(separator: ")").last?.split(separator: " "), fields.count > 19,
      let ticks = Int(fields[19])
    else { return -1 }
    var now = timespec()
    clock_gettime(CLOCK_BOOTTIME, &now)
    return now.tv_sec * 1000 + now.tv_nsec / 1_000_000 - ticks * 1000 / sysconf(Int32(_SC_CLK_TCK))
  }
}
