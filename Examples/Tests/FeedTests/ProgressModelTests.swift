import Dispatch
import Feed
import FeedImplementations
import ForeignFeed
import Testing

/// The page's state, frame by frame, without a display: what a screen would show depends on no clock.
@MainActor
@Suite("A progress that moves once a frame", .timeLimit(.minutes(30)))
struct ProgressModelTests {
  private let interval: Duration = .milliseconds(1)

  /// Frames after each of which whatever is on its way has its turn.
  private func runInTime(_ model: ProgressModel) async {
    var made = model.update
    while model.isRunning {
      model.beginFrame(interval: interval)
      made = min(made + 1, ProgressModel.updates)
      model.drawFrame()
      while model.isRunning, model.update < made { await mainQueueTurn() }
    }
  }

  @Test("is shown in its frame directly and asserted", arguments: [DeliveryWay.direct, .asserted])
  func sameFrame(way: DeliveryWay) async {
    for implementation in FeedImplementation.available {
      let model = ProgressModel(implementation, way)
      model.start()
      #expect(model.isRunning && model.progress == 0)
      for update in 1...10 {
        model.beginFrame(interval: interval)
        #expect(model.update == update)
        model.drawFrame()
        #expect(model.history.last == FrameLedger.Frame(update: update, later: 0, skipped: 0))
      }
      #expect(model.outcome == ProgressModel.Outcome(shown: 10))
      await runInTime(model)
      #expect(model.isFinished && model.problem == nil && model.progress == 1)
      #expect(model.outcome == ProgressModel.Outcome(shown: 600))
      #expect(model.history.count == ProgressModel.framesKept)
    }
  }

  @Test(
    "is shown one frame later by a hop or a task, every value of it, when no frame is too long",
    arguments: [DeliveryWay.hoppingEveryValue, .hoppingLatest, .taskPerValue])
  func later(way: DeliveryWay) async {
    for implementation in FeedImplementation.available {
      let model = ProgressModel(implementation, way)
      model.start()
      await runInTime(model)
      #expect(model.isFinished)
      #expect(model.outcome.shown == 600 && model.outcome.skipped == 0 && model.outcome.inversions == 0)
      #expect(model.outcome.averageFramesLater == 1 && model.outcome.worstFramesLater == 1)
    }
  }

  @Test("is skipped where two updates arrive between two frames, and says so in that frame")
  func skipped() async throws {
    let model = ProgressModel(.c, .taskPerValue)
    model.start()
    // Two frames, one behind the other on the main queue, before what either causes.
    await withCheckedContinuation { done in
      DispatchQueue.main.async {
        for last in [false, true] {
          DispatchQueue.main.async {
            MainActor.assumeIsolated {
              model.beginFrame(interval: .zero)
              model.drawFrame()
            }
            if last { done.resume() }
          }
        }
      }
    }
    while model.update < 2 { await mainQueueTurn() }
    model.drawFrame()
    #expect(model.history.map(\.update) == [nil, nil, 2])
    #expect(model.history.last?.skipped == 1)
    #expect(model.outcome.shown == 1 && model.outcome.skipped == 1)
    model.stop()
  }

  @Test("changes nothing once it is stopped, whatever is on its way", arguments: DeliveryWay.allCases)
  func stopped(way: DeliveryWay) async {
    let model = ProgressModel(.c, way)
    model.start()
    for _ in 0..<20 {
      model.beginFrame(interval: .zero)
      model.drawFrame()
    }
    model.stop()
    let (update, outcome) = (model.update, model.outcome)
    for _ in 0..<20 {
      model.beginFrame(interval: .zero)
      model.drawFrame()
      await mainQueueTurn()
    }
    #expect(!model.isRunning && !model.isFinished && model.update == update && model.outcome == outcome)
    model.start()
    #expect(model.isRunning && model.update == 0 && model.history.isEmpty, "it can be started again")
    model.stop()
  }

  @Test(
    "says what is missing when its runtime is",
    .enabled(if: FeedImplementation.kotlin.absence != nil))
  func absent() {
    let model = ProgressModel(.kotlin, .asserted)
    model.start()
    #expect(!model.isRunning)
    #expect(model.problem?.contains("make kotlin") == true)
  }

  @Test("lets go of its feed and itself when nobody holds it, running or not")
  func letGo() {
    weak var model: ProgressModel?
    do {
      let running = ProgressModel(.c, .hoppingEveryValue)
      running.start()
      running.beginFrame(interval: .zero)
      model = running
    }
    #expect(model == nil)
  }
}
