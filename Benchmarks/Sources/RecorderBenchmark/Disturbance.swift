import Foundation

/// Whether a blocking call that is looked at does what it does unseen, and whether one that the watcher's signal hits
/// does: `Programs/disturbed.swift`.
extension RecorderBenchmark {
  private static let calls = ["usleep", "nanosleep", "poll", "read", "accept"]

  static func disturbance(_ bench: Workbench) throws -> [Figure] {
    let program = try bench.build("disturbed")
    return try calls.flatMap { try looked(bench, program, $0) } + calls.map { try signalled(bench, program, $0) }
  }

  /// Sleeping programs need no processor: ten at a time.
  private static func looked(_ bench: Workbench, _ program: String, _ call: String) throws -> [Figure] {
    var (made, sampled, early, failed) = (0, 0, 0, 0)
    for _ in 0..<3 where sampled < 1000 {
      let names = (0..<10).map { "disturbed-\($0)" }
      let outputs = try bench.recordedTogether(
        names.map { ($0, [program, call, "110"]) }, options: ["--budget", "1ms"])
      for (name, output) in zip(names, outputs) {
        let numbers = output.numbers
        guard numbers.count == 4 else { throw Workbench.Failure(description: "\(call): \(output.text)") }
        made += Int(numbers[0])
        early += Int(numbers[1])
        failed += Int(numbers[2])
        sampled += (try bench.summary(name)["stalls"] as? [[String: Any]] ?? []).count { stall in
          (stall["samples"] as? [[String: Any]] ?? []).contains { $0["state"] as? String == "blocked" }
        }
      }
    }
    return [
      Figure(
        "\(call): calls that were sampled", Double(sampled), "of \(made)", atLeast: 1000,
        "calls of 30 ms on the main actor, each a job over a budget of 1 ms"),
      Figure(
        "\(call): calls that ended early or failed", Double(early + failed), "of \(made)", atMost: 0,
        "against CLOCK_MONOTONIC; EINTR is a failure"),
    ]
  }

  /// The race that is left: a call that began between the look and the signal. Here the signal comes at any moment of it.
  private static func signalled(_ bench: Workbench, _ program: String, _ call: String) throws -> Figure {
    let output = try bench.recorded([program, call, "1000", "signals"], as: "signalled", options: ["--budget", "1s"])
    let numbers = output.numbers
    guard numbers.count == 4 else { throw Workbench.Failure(description: "\(call): \(output.text)") }
    return Figure(
      "\(call): calls hit by a signal that ended early or failed", numbers[1] + numbers[2], "of \(Int(numbers[0]))",
      atMost: 0, "\(Int(numbers[3])) signals as the watcher sends them, sent into calls of 1 ms")
  }
}
