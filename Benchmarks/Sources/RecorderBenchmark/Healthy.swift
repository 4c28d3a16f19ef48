import Foundation

/// What being watched costs a program that is well: `Programs/healthy.swift` measures the watcher from inside.
extension RecorderBenchmark {
  static func healthy(_ bench: Workbench) throws -> [Figure] {
    let output = try bench.recorded([try bench.build("healthy")], as: "healthy")
    let numbers = output.numbers
    guard numbers.count == 3, numbers[1] > 0 else {
      throw Workbench.Failure(description: "the watcher was not found: \(output.text)")
    }
    let summary = try bench.summary("healthy")
    let stalls = summary["stalls"] as? [[String: Any]] ?? []
    let lost = (summary["lost"] as? [String: Any])?["samples"] as? Int ?? -1
    let samples = stalls.map { ($0["samples"] as? [Any] ?? []).count }.reduce(0, +) + abs(lost)
    return [
      Figure(
        "watcher, of a processor", numbers[1] / numbers[0] * 100, "%", atMost: 0.3,
        "its thread's processor time over \(Int(numbers[0] / 1e9)) s, from /proc/self/task/*/schedstat"),
      Figure(
        "samples of a healthy program", Double(samples), "", atMost: 0,
        "a job of 2 ms sixty times a second; \(stalls.count) stalls by the machine's doing"),
      Figure(
        "threads of a healthy program that got a signal", numbers[2], "", atMost: 0,
        "SIGPROF is blocked in all of them: one that was sent would be pending"),
    ]
  }
}
