/// Acts on a page as a person would, and measures what that did to the frames.
import Foundation
import Mainstay

final class Exercise {
  private let page: any Page
  private let meter: FrameMeter

  init(of page: any Page, _ meter: FrameMeter) {
    self.page = page
    self.meter = meter
  }

  /// Returns when the page can be acted on and its first drawing is over.
  func begin() async {
    await page.prepare()
    await page.act()
    await pause(.seconds(1))
  }

  /// What came of one action, or of as much time without one.
  private struct Outcome {
    var missed = 0
    var job = Duration.zero
    var length = Duration.zero
  }

  /// Acts so many times, each followed by a stretch of the same length in which nothing is done: the control.
  ///
  /// - Returns: a JSON object, and whether what must hold does.
  func run(_ count: Int) async -> (report: String, holds: Bool) {
    var acted: [Outcome] = []
    var idle: [Outcome] = []
    var turns: [Duration] = []
    for _ in 0..<count {
      meter.keepTurns()
      let outcome = await measured { [self] in
        await page.act()
        await pause(.milliseconds(250))
      }
      turns += meter.takeTurns()
      acted.append(outcome)
      idle.append(await measured { [self] in await pause(outcome.length) })
    }
    let scrolled = page.scrollOn() ? await scroll() : nil
    turns += scrolled?.turns ?? []
    turns.sort()
    return report(acted, idle, turns, scrolled)
  }

  private func report(
    _ acted: [Outcome], _ idle: [Outcome], _ turns: [Duration], _ scrolled: (missed: Int, turns: [Duration])?
  ) -> (String, Bool) {
    let foreseen = acted.map { meter.budget.droppedFrames(for: $0.job) }
    let idleMissed = idle.reduce(0) { $0 + $1.missed }
    let missed = acted.reduce(0) { $0 + $1.missed }
    let turn = turns.isEmpty ? .zero : turns[min(turns.count - 1, Int((Double(turns.count) * 0.999).rounded(.up)) - 1)]
    let shows = zip(acted, foreseen).allSatisfy { $0.missed >= $1 }
    let holds =
      page.worksOnMain
      ? shows : missed <= idleMissed && turn <= .milliseconds(8) && (scrolled?.missed ?? 0) <= idleMissed
    func list(_ numbers: [Int]) -> String { numbers.map(String.init).joined(separator: ", ") }
    let report = """
      {"page": "\(page.name)", "onMain": \(page.worksOnMain), "holds": \(holds),
       "missed": [\(list(acted.map(\.missed)))], "foreseen": [\(list(foreseen))], "idleMissed": [\(list(idle.map(\.missed)))],
       "longestJobMilliseconds": [\(acted.map { milliseconds($0.job) }.joined(separator: ", "))],
       "turns": \(turns.count), "turnP999Milliseconds": \(milliseconds(turn)),
       "turnWorstMilliseconds": \(milliseconds(turns.last ?? .zero)),
       "missedWhileScrolling": \(scrolled.map { "\($0.missed)" } ?? "null"),
       "meter": "\(MeterView.words(for: meter.lastJob, budget: meter.budget))"}
      """
    return (report, holds)
  }

  private func measured(_ action: () async -> Void) async -> Outcome {
    let before = meter.missed
    let start = ContinuousClock.now
    _ = meter.takeLongestJob()
    await action()
    return Outcome(
      missed: meter.missed - before, job: meter.takeLongestJob(), length: start.duration(to: .now))
  }

  /// Three seconds of a long list.
  private func scroll() async -> (missed: Int, turns: [Duration]) {
    let before = meter.missed
    meter.keepTurns()
    for _ in 0..<180 {
      _ = page.scrollOn()
      await pause(.milliseconds(16))
    }
    return (meter.missed - before, meter.takeTurns())
  }

  private func pause(_ length: Duration) async { try? await Task.sleep(for: length) }

  nonisolated private func milliseconds(_ length: Duration) -> String {
    String(format: "%.2f", length / .milliseconds(1))
  }
}
