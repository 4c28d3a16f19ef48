import Mainstay
import Testing

@Suite("A frame slicer")
@MainActor
struct FrameSlicerTests {
  /// A slice that is over after every element.
  private let finest = FrameSlicer(budget: FrameBudget(interval: .nanoseconds(4)))
  /// A slice that nothing here outlasts.
  private let coarsest = FrameSlicer(budget: FrameBudget(interval: .seconds(3_600)), share: 1)

  @Test("walks every element once, in order", arguments: [0, 1, 2, 1_000])
  func everyElement(count: Int) async throws {
    for slicer in [finest, coarsest] {
      var walked: [Int] = []
      try await slicer.forEach(0..<count) { walked.append($0) }
      #expect(walked == Array(0..<count))
    }
  }

  @Test("gives the main actor to others between slices")
  func slices() async throws {
    let isWalking = Locked(true)
    let other = Task { @MainActor in
      var turns = 0
      while isWalking.value {
        turns += 1
        await mainQueueTurn()
      }
      return turns
    }
    try await finest.forEach(0..<500) { _ in }
    isWalking.change { $0 = false }
    #expect(await other.value > 100)
  }

  @Test("does not suspend while the slice lasts")
  func oneSlice() async throws {
    var otherRan = false
    let other = Task { @MainActor in otherRan = true }
    var ranDuring = false
    try await coarsest.forEach(0..<500) { _ in ranDuring = ranDuring || otherRan }
    #expect(!ranDuring)
    await other.value
  }

  @Test("tells the progress after every slice and at the end")
  func progress() async throws {
    var told: [Int] = []
    try await finest.forEach(0..<5, progress: { told.append($0) }) { _ in }
    #expect(told == [1, 2, 3, 4, 5])
    told = []
    try await coarsest.forEach(0..<5, progress: { told.append($0) }) { _ in }
    #expect(told == [5])
    told = []
    try await finest.forEach([Int](), progress: { told.append($0) }) { _ in }
    #expect(told == [0])
  }

  @Test("stops before the next element once it is cancelled, in a slice and between slices")
  func cancellation() async {
    for slicer in [finest, coarsest] {
      var walked = 0
      let task = Task { @MainActor in
        try await slicer.forEach(0..<1_000) { element in
          walked += 1
          if element == 2 { withUnsafeCurrentTask { $0?.cancel() } }
        }
      }
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(walked == 3)
    }
  }

  @Test("a task that is cancelled already walks nothing")
  func cancelledBefore() async {
    var walked = 0
    let task = Task { @MainActor in
      withUnsafeCurrentTask { $0?.cancel() }
      try await coarsest.forEach(0..<10) { _ in walked += 1 }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(walked == 0)
  }

  @Test("passes on what the body throws, and leaves the rest undone")
  func bodyThrows() async {
    struct Full: Error {}
    var walked = 0
    await #expect(throws: Full.self) {
      try await finest.forEach(0..<10) { element in
        walked += 1
        if element == 4 { throw Full() }
      }
    }
    #expect(walked == 5)
  }

  @Test("takes elements that are not Sendable")
  func notSendable() async throws {
    final class Row { var isDrawn = false }
    let rows = (0..<10).map { _ in Row() }
    try await finest.forEach(rows) { $0.isDrawn = true }
    #expect(rows.allSatisfy { $0.isDrawn })
  }

  @Test(
    "a share that is no part of a frame stops the program and says so", arguments: ["0", "-1", "1.5", "nan", "inf"])
  func absurdShare(share: String) async {
    let exit = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [share] in
      _ = await FrameSlicer(share: Double(share) ?? 0.5)
    }
    expectMessage(exit, "use one above 0 and at most 1")
  }
}
