import Dispatch
import Mainstay
import Synchronization
import Testing

@Suite("An asserted boundary")
struct AssertedBoundaryTests {
  /// A foreign object: mutable, not Sendable, known only to the thread that calls back.
  final class ForeignState {
    var value: Int
    init(_ value: Int) { self.value = value }
  }

  @MainActor final class Model {
    var shown: [Int] = []
  }

  @Test("applies a value that is not Sendable in the same call, on the main actor")
  @MainActor func sameCall() {
    let boundary = AssertedBoundary("same call", contract: "called on the main actor")
    let model = Model()
    boundary.deliver(ForeignState(7)) { model.shown.append($0.value) }
    #expect(model.shown == [7], "applied before deliver returned")
  }

  @Test("applies in a main-queue block, in a block of a queue that targets the main queue, and in a synchronous one")
  @MainActor func mainQueueBlocks() async {
    let boundary = AssertedBoundary("blocks", contract: "called on the main queue")
    let model = Model()
    let deliver = { @Sendable (value: Int) in boundary.deliver(value) { model.shown.append($0) } }
    await withCheckedContinuation { done in
      DispatchQueue.main.async {
        deliver(1)
        done.resume()
      }
    }
    await withCheckedContinuation { done in
      DispatchQueue(label: "targets main", target: .main).async {
        deliver(2)
        done.resume()
      }
    }
    await withCheckedContinuation { done in
      DispatchQueue(label: "elsewhere").async {
        DispatchQueue.main.sync { deliver(3) }
        done.resume()
      }
    }
    #expect(model.shown == [1, 2, 3])
  }

  @Test("applies where assumeIsolated passes although another queue hides the main queue")
  @MainActor func hiddenBySync() async {
    let boundary = AssertedBoundary("hidden", contract: "called while the main actor waits")
    let model = Model()
    let queue = DispatchQueue(label: "hides the mark")
    queue.sync { boundary.deliver(1) { model.shown.append($0) } }
    await Task.yield()
    queue.sync { boundary.deliver(2) { model.shown.append($0) } }
    await withCheckedContinuation { done in
      DispatchQueue.main.async {
        queue.sync { boundary.deliver(3) { model.shown.append($0) } }
        done.resume()
      }
    }
    #expect(model.shown == [1, 2, 3])
  }

  @Test("counts what it delivered under its name, contract, file and line")
  @MainActor func counts() throws {
    let line: UInt = #line + 1
    let boundary = AssertedBoundary("counted", contract: "a promise")
    for value in 0..<37 { boundary.deliver(value) { _ in } }
    let row = try #require(Boundaries.report().rows.first { $0.name == "counted" })
    #expect(row.callbacks == 37)
    #expect(row.onMain == 37)
    #expect(row.offMain == 0)
    #expect(row.contract == "a promise")
    #expect(row.file.hasSuffix("AssertedBoundaryTests.swift"))
    #expect(row.line == line)
    #expect(row.kind == .asserted)
    #expect(row.latency == nil)
    #expect(!row.isBroken)
  }

  @Test("off main it stops the program at once and names boundary, contract, file, line and queue")
  func trapsOnAQueue() async {
    let exit = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let boundary = AssertedBoundary(
        "feed states", contract: "observe calls back on main", file: "App/Feed.swift", line: 42)
      await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
        DispatchQueue(label: "org.example.radio").async {
          boundary.deliver(1) { _ in }
          done.resume()
        }
      }
    }
    expectMessage(
      exit, "App/Feed.swift:42", "'feed states'", "\"observe calls back on main\"", "queue 'org.example.radio'",
      "HoppingBoundary", "MAINSTAY_BOUNDARIES=survey")
  }

  @Test("off main it never applies the value")
  func trapsBeforeApplying() async {
    let exit = await #expect(processExitsWith: .failure, observing: [\.standardOutputContent]) {
      let boundary = AssertedBoundary("never", contract: "on main")
      await Task.detached { boundary.deliver(1) { _ in print("APPLIED") } }.value
    }
    let output = String(decoding: exit?.standardOutputContent ?? [], as: UTF8.self)
    #expect(!output.contains("APPLIED"))
  }

  @Test("off main it stops the program on a thread that no queue runs")
  func trapsOnAThread() async {
    let exit = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let boundary = AssertedBoundary("foreign", contract: "on main")
      onForeignThreads(1) { _ in boundary.deliver(1) { _ in } }
    }
    expectMessage(exit, "boundary 'foreign' was entered off the main actor", "thread")
  }

  @Test("a misspelt mode traps as usual and says that it means nothing")
  func misspeltMode() async {
    let exit = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      setEnvironment("MAINSTAY_BOUNDARIES", "servey")
      let boundary = AssertedBoundary("misspelt", contract: "on main")
      await Task.detached { boundary.deliver(1) { _ in } }.value
    }
    expectMessage(exit, "MAINSTAY_BOUNDARIES=servey means nothing")
  }
}
