/// The figures of the `Mainstay` library, each a ratio against a named peer measured in the same run.
///
///     swift run --package-path Benchmarks -c release library-benchmarks [--check] [NAME…]
///
/// `--check` makes a figure beyond its limit a failure. Names: boundary, hop, heartbeat, journal, routes, loop.

import Dispatch

@main
struct LibraryBenchmarks {
  static func main() async {
    var arguments = Array(CommandLine.arguments.dropFirst())
    let mustHold = arguments.contains("--check")
    arguments.removeAll { $0 == "--check" }
    let all: [(name: String, run: @MainActor () async -> [Figure])] = [
      ("boundary", assertedBoundary), ("hop", hoppingBoundary), ("heartbeat", heartbeat), ("journal", journal),
      ("routes", routesOntoTheMainActor), ("loop", hopsInLoop),
    ]
    if let unknown = arguments.first(where: { name in !all.contains { $0.name == name } }) {
      print("no benchmark is called '\(unknown)'; there are \(all.map(\.name).joined(separator: ", "))")
      exitProcess(3)
    }
    var figures: [Figure] = []
    for benchmark in all where arguments.isEmpty || arguments.contains(benchmark.name) {
      figures += await benchmark.run()
    }
    print("\n## Figures\n\n| figure | value | limit | |\n|---|---|---|---|")
    for figure in figures {
      print("| \(figure.name) | \(figure.text) | \(figure.limit) | \(figure.holds ? "holds" : "MISSED") |")
    }
    if mustHold, figures.contains(where: { !$0.holds }) { exitProcess(2) }
  }
}

/// A number that must hold.
struct Figure {
  var name: String
  var text: String
  var limit: String
  var holds: Bool

  static func ratio(_ name: String, _ value: Double, atMost limit: Double) -> Figure {
    Figure(name: name, text: "\(two(value)) ×", limit: "≤ \(two(limit)) ×", holds: value <= limit)
  }

  static func count(_ name: String, _ value: Int, atMost limit: Int) -> Figure {
    Figure(name: name, text: "\(value)", limit: "≤ \(limit)", holds: value <= limit)
  }

  static func milliseconds(_ name: String, _ value: Double, below limit: Double) -> Figure {
    Figure(name: name, text: "\(two(value)) ms", limit: "< \(two(limit)) ms", holds: value < limit)
  }

  static func milliseconds(_ name: String, _ value: Double, above limit: Double) -> Figure {
    Figure(name: name, text: "\(two(value)) ms", limit: "> \(two(limit)) ms", holds: value > limit)
  }
}
