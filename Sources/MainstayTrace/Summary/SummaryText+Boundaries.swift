/// What a summary says of boundaries: broken promises with where they came from, and promises that nothing has tested.
import Mainstay

extension SummaryText {
  var boundaries: [String] {
    let broken = summary.boundaries.filter(\.isBroken)
    let unclear = summary.boundaries.filter { $0.cannotTell > 0 }
    let disordered = summary.boundaries.filter { $0.inversions > 0 }
    let unexercised = summary.boundaries.filter { !$0.exercised }
    var lines: [String] = []
    for boundary in broken.prefix(4) {
      lines += labelled(
        "Boundary",
        "'\(boundary.name)' (\(boundary.file):\(boundary.line)) was entered off the main actor "
          + "\(DurationText.count(boundary.offMain)) of \(DurationText.count(boundary.callbacks)) times, "
          + "from \(Self.list(boundary.queues)). Its contract: \"\(boundary.contract)\". "
          + "Correct the caller, or make it a HoppingBoundary")
    }
    if broken.count > 4 {
      lines += labelled("", "and \(broken.count - 4) more boundaries like that (--json FILE has all)")
    }
    for boundary in unclear.prefix(2) {
      lines += labelled(
        "Cannot tell",
        "'\(boundary.name)' was entered \(DurationText.count(boundary.cannotTell)) times in jobs of a custom executor that "
          + "cannot say whether it is the main actor's: from \(Self.list(boundary.queues)). Use a HoppingBoundary there"
      )
    }
    for boundary in disordered.prefix(2) {
      lines += labelled(
        "Order",
        "\(boundary.inversions == 1 ? "1 value" : "\(DurationText.count(boundary.inversions)) values") of "
          + "'\(boundary.name)' applied after later ones. "
          + "Deliver all of them from one place, or use a HoppingBoundary")
    }
    if !unexercised.isEmpty {
      let names = unexercised.prefix(3).map { "'\($0.name)'" }
      let more = unexercised.count > 3 ? " and \(unexercised.count - 3) more" : ""
      lines += labelled(
        "Not exercised",
        "\(names.joined(separator: ", "))\(more): no callback came, so \(unexercised.count == 1 ? "its contract is" : "their contracts are") untested. "
          + "Run what calls them"
      )
    }
    return lines
  }

  private static func list(_ queues: [String]) -> String {
    switch queues.count {
    case 0: "an unknown queue"
    case 1...3: queues.joined(separator: ", ")
    default: queues.prefix(3).joined(separator: ", ") + " and \(queues.count - 3) more"
    }
  }
}
