import Foundation
import Kitchen
import MainstayTesting
import Testing

/// Every job here is at least a fifth shorter or longer than the 16.7 ms that it may take.
@Suite(.frameBudget(.hz60))
struct StoveTests {
  @Test @MainActor func overSynchronously() { cook(milliseconds: 80) }
  @Test @MainActor func overBeforeTheFirstAwait() async {
    cook(milliseconds: 20)
    await Task.yield()
  }
  @Test @MainActor func overBetweenAwaits() async { await Stove().simmer(milliseconds: 21) }
  @Test func overInACallToTheModel() async { await Stove().fry(milliseconds: 22) }
  @Test func overInATask() async { Task { @MainActor in cook(milliseconds: 23) } }
  @Test func overInATaskOfATask() async { Task { Task { @MainActor in cook(milliseconds: 24) } } }
  @Test func overDetached() async { Task.detached { await Stove().fry(milliseconds: 25) } }
  @Test func overInAnAsyncLet() async {
    async let fried: Void = Stove().fry(milliseconds: 26)
    await fried
  }
  @Test func overInAGroup() async {
    await withTaskGroup { group in
      for _ in 0..<3 { group.addTask { await Stove().fry(milliseconds: 27) } }
    }
  }
  @Test func overInAnAsyncLetOfAGroup() async {
    await withTaskGroup { group in
      group.addTask {
        async let fried: Void = Stove().fry(milliseconds: 28)
        await fried
      }
    }
  }
  @Test @MainActor func overAtOnce() async { await Task.immediate { @MainActor in cook(milliseconds: 29) }.value }
  @Test func overInABlockOfTheMainQueue() async {
    await withCheckedContinuation { done in
      DispatchQueue.main.async {
        cook(milliseconds: 30)
        done.resume()
      }
    }
  }
  @Test func overBlocked() async { await MainActor.run { _ = usleep(31_000) } }
  @Test(.timeLimit(.minutes(1))) @MainActor func overWithATimeLimit() async { cook(milliseconds: 32) }
  @Test(arguments: [20.0, 25, 50, 80]) func over(milliseconds: Double) async {
    await Stove().fry(milliseconds: milliseconds)
  }
  @Test(.frameBudget(.hz60, allowing: 1)) @MainActor func overMoreThanAllowed() async {
    for _ in 0..<2 {
      cook(milliseconds: 20)
      await Task.yield()
    }
  }

  @Test @MainActor func withinInOneJob() { cook(milliseconds: 13) }
  @Test @MainActor func withinInManyJobs() async {
    for _ in 0..<8 { await Stove().simmer(milliseconds: 12) }
  }
  @Test func withinOffTheMainActor() async { cook(milliseconds: 80) }
  @Test func withinThroughEveryKindOfTask() async {
    let stove = await Stove()
    async let fried: Void = stove.fry(milliseconds: 10)
    await withTaskGroup { group in
      for _ in 0..<3 { group.addTask { await stove.fry(milliseconds: 11) } }
    }
    await fried
    await Task { await stove.fry(milliseconds: 12) }.value
    await Task.detached { await stove.fry(milliseconds: 13) }.value
  }
  @Test(arguments: [1.0, 5, 10, 13]) func within(milliseconds: Double) async {
    await Stove().fry(milliseconds: milliseconds)
  }
  @Test(.frameBudget(.hz60, allowing: 1)) @MainActor func withinWhatIsAllowed() async { cook(milliseconds: 40) }
  @Test(.frameBudget(FrameBudget(interval: .milliseconds(100)))) @MainActor func withinTheInnermostBudget() {
    cook(milliseconds: 60)
  }
  @Test(.frameBudget(.hz120)) @MainActor func overTheInnermostBudget() { cook(milliseconds: 12) }
  @Test @MainActor func withinWhileOthersBlock() async {
    for _ in 0..<60 { await Stove().simmer(milliseconds: 0.5) }
  }
}

/// These have no budget, and take the main actor away from those that have.
struct Blockers {
  @Test(arguments: 0..<10) @MainActor func withinNoBudget(_ number: Int) async {
    for _ in 0..<5 {
      cook(milliseconds: 40)
      await Task.yield()
    }
  }
}
