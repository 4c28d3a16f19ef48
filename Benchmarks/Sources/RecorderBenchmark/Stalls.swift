import Foundation

/// Whether every planted stall is explained: `Programs/stalls.swift` says what it planted, the document what was seen.
extension RecorderBenchmark {
  static func stalls(_ bench: Workbench) throws -> [Figure] {
    try [["-Onone", "-g"], ["-O", "-g"]].flatMap { try stalls(bench, $0) }
  }

  private struct Planted {
    let function: String
    /// The call that it blocks in; nil when it runs.
    let call: String?
  }

  private static func stalls(_ bench: Workbench, _ options: [String]) throws -> [Figure] {
    let program = try bench.build("stalls", options)
    let planted = try bench.recorded([program], as: "stalls").text.split(separator: "\n").map { line in
      let words = line.split(separator: " ").map(String.init)
      return Planted(function: words[0], call: words[1] == "-" ? nil : words[1])
    }
    let found = (try bench.summary("stalls")["stalls"] as? [[String: Any]] ?? [])
      .sorted { ($0["startSeconds"] as? Double ?? 0) < ($1["startSeconds"] as? Double ?? 0) }
    let build = options.joined(separator: " ")
    guard planted.count == 100, found.count == planted.count else {
      return [
        Figure("stalls found, \(build)", Double(found.count), "of \(planted.count)", atLeast: 100, "none can be judged")
      ]
    }
    let lines = try functions(in: bench.source("stalls"))
    let samples = found.map { $0["samples"] as? [[String: Any]] ?? [] }
    let blocked = zip(planted, samples).filter { $0.0.call != nil }
    let method = "50 running and 50 blocked main-actor jobs of 31 to 60 ms, \(build)"
    return [
      Figure(
        "stalls that were sampled, \(build)", Double(samples.count { !$0.isEmpty }), "of 100", atLeast: 99, method),
      Figure(
        "stalls whose stack names the planted function, \(build)",
        Double(zip(planted, samples).count { names($0, $1, lines) }), "of 100", atLeast: 99,
        "a sample has a frame of it, in its file and at one of its lines"),
      Figure(
        "blocked stalls that show their call, \(build)", Double(blocked.count { shows($0, $1) }),
        "of \(blocked.count)", atLeast: 50, "usleep, read, poll, DispatchSemaphore.wait, DispatchQueue.sync"),
    ]
  }

  private static func frames(_ sample: [String: Any]) -> [[String: Any]] { sample["frames"] as? [[String: Any]] ?? [] }

  private static func isPlanted(_ frame: [String: Any], _ planted: Planted) -> Bool {
    (frame["function"] as? String ?? "").hasSuffix(planted.function + "(_:)")
  }

  private static func names(
    _ planted: Planted, _ samples: [[String: Any]], _ lines: [String: ClosedRange<Int>]
  ) -> Bool {
    samples.contains { sample in
      frames(sample).contains { frame in
        isPlanted(frame, planted) && frame["file"] as? String == "stalls.swift"
          && lines[planted.function]?.contains(frame["line"] as? Int ?? 0) == true
      }
    }
  }

  /// A blocked sample has the call further in than the planted function.
  private static func shows(_ planted: Planted, _ samples: [[String: Any]]) -> Bool {
    samples.contains { sample in
      guard sample["state"] as? String == "blocked",
        let end = frames(sample).firstIndex(where: { isPlanted($0, planted) })
      else { return false }
      return frames(sample)[..<end].contains { ($0["function"] as? String ?? "").contains(planted.call ?? "") }
    }
  }

  /// From which line to which each function of a source goes.
  private static func functions(in path: String) throws -> [String: ClosedRange<Int>] {
    let lines = try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\n")
    var found: [String: ClosedRange<Int>] = [:]
    for (index, line) in lines.enumerated() where line.hasPrefix("func ") {
      guard let end = lines[index...].firstIndex(of: "}") else { continue }
      found[String(line.dropFirst(5).prefix { $0 != "(" })] = index + 1...end + 1
    }
    return found
  }
}
