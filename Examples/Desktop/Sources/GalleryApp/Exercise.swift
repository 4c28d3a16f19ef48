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

  /// What one action did, or the same time without one.
  private struct Measured {
    var missed: Int
    var job: Duration
    var foreseen: Int
    var length: Duration
  }

  /// Acts so many times, and then lets as many stretches of the same lengths pass in which nothing is done: the control.
  ///
  /// - Returns: a line of JSON.
  func run(_ count: Int) async -> String {
    meter.keepTurns()
    var acted: [Measured] = []
    for _ in 0..<count { acted.append(await measured { await page.act() }) }
    let turns = meter.takeTurns().sorted()
    var idle: [Int] = []
    for action in acted { idle.append(await measured { await pause(action.length) }.missed) }
    let scrolled = page.scrollOn() ? await scroll() : nil
    let rank = min(turns.count - 1, Int((Double(turns.count) * 0.999).rounded(.up)) - 1)
    func list(_ numbers: [Int]) -> String { numbers.map(String.init).joined(separator: ", ") }
    let enough = acted.allSatisfy { $0.missed >= $0.foreseen }
    return """
      {"page": "\(page.name)", "onMain": \(page.worksOnMain), "actions": \(count),
       "idleMissed": [\(list(idle))], "missed": [\(list(acted.map(\.missed)))],
       "foreseen": [\(list(acted.map(\.foreseen)))], "missedAtLeastForeseen": \(enough),
       "longestJobMilliseconds": [\(acted.map { String(format: "%.1f", $0.job / .milliseconds(1)) }.joined(separator: ", "))],
       "turns": \(turns.count), "turnP999Milliseconds": \(milliseconds(turns.isEmpty ? .zero : turns[rank])),
       "turnWorstMilliseconds": \(milliseconds(turns.last ?? .zero)),
       "missedWhileScrolling": \(scrolled.map(String.init) ?? "null"),
       "meter": "\(MeterView.words(for: meter.lastJob, budget: meter.budget))"}
      """
  }

  /// One action and the time around it, the same for every action and for none.
  private func measured(_ action: () async -> Void) async -> Measured {
    let before = meter.missed
    _ = meter.takeLongestJob()
    let start = ContinuousClock.now
    await action()
    let length = start.duration(to: .now)
    await pause(.milliseconds(250))
    let job = meter.takeLongestJob()
    return Measured(
      missed: meter.missed - before, job: job, foreseen: meter.budget.droppedFrames(for: job), length: length)
  }

  /// Three seconds of a long list.
  private func scroll() async -> Int {
    let before = meter.missed
    for _ in 0..<180 {
      _ = page.scrollOn()
      await pause(.milliseconds(16))
    }
    return meter.missed - before
  }

  private func pause(_ length: Duration) async { try? await Task.sleep(for: length) }

  private func milliseconds(_ length: Duration) -> String { String(format: "%.2f", length / .milliseconds(1)) }
}
