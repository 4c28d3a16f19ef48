import Synchronization
import Testing

@testable import Search

@MainActor
@Suite("Work of which only the newest counts", .timeLimit(.minutes(1)))
struct LatestWorkTests {
  @Test("the outcome of the newest operation is applied once, on the main actor")
  func appliesNewest() async {
    let work = LatestWork()
    var applied: [Int] = []
    for number in 1...3 {
      work.start {
        number
      } apply: { outcome in
        MainActor.assertIsolated()
        applied.append(outcome.get())
      }
    }
    #expect(work.isRunning)
    await work.settle()
    #expect(applied == [3])
    #expect(!work.isRunning)
  }

  @Test("an operation that is superseded or cancelled is told so")
  func cancels() async {
    let work = LatestWork()
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let sawCancellation = Mutex(false)
    let operation: @Sendable () async throws -> Void = {
      start.yield()
      do { try await Task.sleep(for: .seconds(600)) } catch {
        sawCancellation.withLock { $0 = true }
        throw error
      }
    }
    work.start(operation) { _ in Issue.record("a cancelled operation was applied") }
    for await _ in started { break }
    work.cancel()
    #expect(!work.isRunning)
    await work.settle()
    #expect(sawCancellation.withLock { $0 })
  }

  @Test("an apply that starts the next operation is settled with it")
  func chains() async {
    let work = LatestWork()
    var applied: [String] = []
    work.start {
      "first"
    } apply: { outcome in
      applied.append(outcome.get())
      work.start {
        "second"
      } apply: {
        applied.append($0.get())
      }
    }
    await work.settle()
    #expect(applied == ["first", "second"])
  }

  @Test("a settle that waits for superseded work goes on to wait for its successor")
  func settlesSuccessor() async {
    let work = LatestWork()
    var applied: [String] = []
    work.start {
      "first"
    } apply: {
      applied.append($0.get())
    }
    // Runs up to its wait for the first at once; only then can the first end.
    let settled = Task.immediate { await work.settle() }
    work.start {
      "second"
    } apply: {
      applied.append($0.get())
    }
    await settled.value
    #expect(applied == ["second"])
  }

  @Test("an operation's error keeps its type")
  func typedError() async {
    let work = LatestWork()
    var failures: [Refusal] = []
    work.start { () async throws(Refusal) in
      throw Refusal(query: "a")
    } apply: { outcome in
      if case .failure(let refusal) = outcome { failures.append(refusal) }
    }
    await work.settle()
    #expect(failures.map(\.query) == ["a"])
  }

  @Test("work that nobody owns any more is cancelled and not applied")
  func releases() async {
    var work: LatestWork? = LatestWork()
    weak let witness = work
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let (ended, end) = AsyncStream.makeStream(of: Bool.self)
    work?.start {
      start.yield()
      try? await Task.sleep(for: .seconds(600))
      end.yield(Task.isCancelled)
    } apply: { _ in
      Issue.record("applied for nobody")
    }
    for await _ in started { break }
    work = nil
    #expect(witness == nil)
    for await wasCancelled in ended {
      #expect(wasCancelled)
      break
    }
  }
}
