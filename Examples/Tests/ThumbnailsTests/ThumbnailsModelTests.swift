import Catalogue
import Dispatch
import Foundation
import Mainstay
import Pictures
import Synchronization
import Testing

@testable import Thumbnails

/// Hands out small pictures, and notes where it was asked.
private final class NotedSource: ThumbnailSource {
  static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  struct State {
    var onMain: Set<Bool> = []
    var running = 0
    var mostAtOnce = 0
    var asked = 0
  }
  let state = Mutex(State())

  func thumbnail(seed: UInt32) throws(PictureError) -> Picture {
    let isOnMain = DispatchQueue.getSpecific(key: Self.key) != nil
    state.withLock { state in
      state.onMain.insert(isOnMain)
      state.asked += 1
      state.running += 1
      state.mostAtOnce = max(state.mostAtOnce, state.running)
    }
    defer { state.withLock { $0.running -= 1 } }
    guard seed != 13 else { throw .damaged(name: "picture 13", reason: "it is the thirteenth") }
    return .drawn(seed: seed, width: 16, height: 10)
  }
}

@MainActor
@Suite("The thumbnails model", .timeLimit(.minutes(30)))
struct ThumbnailsModelTests {
  private let source = NotedSource()

  private func articles(_ count: Int, from first: Int = 100) throws -> [Article] {
    let day = try #require(PublicationDay(year: 2020, month: 2, day: 29))
    return (first..<first + count).map { number in
      Article(
        id: number, title: "Article \(number)", author: "Zoë Ågren", summary: "", tags: [], published: day,
        imageSeed: UInt32(number))
    }
  }

  @Test("every way gives every article its picture", arguments: ThumbnailWay.allCases)
  func pictures(way: ThumbnailWay) async throws {
    _ = NotedSource.key
    let model = ThumbnailsModel(source: source, width: 1)
    let articles = try articles(25)
    model.load(articles, way)
    #expect(model.running == way && model.thumbnails.isEmpty)
    model.load(articles, .oneAtATime)
    #expect(model.running == way, "one way at a time")
    await model.settle()
    #expect(model.running == nil && model.problem == nil)
    #expect(Set(model.thumbnails.keys) == Set(100..<120), "the first twenty")
    #expect(model.thumbnails[107] == .drawn(seed: 107, width: 16, height: 10))
    #expect(source.state.withLock { $0.onMain } == [way == .insideTask])
    #expect(source.state.withLock { $0.mostAtOnce } == 1)
    let measurement = try #require(model.measurements[way])
    #expect(measurement.count == 20 && measurement.decoding > .zero)
  }

  @Test("the formula foresees one job of all decoding inside the task, and none of it elsewhere")
  func prediction() async throws {
    for way in ThumbnailWay.allCases {
      let model = ThumbnailsModel(source: source)
      model.load(try articles(20), way)
      await model.settle()
      let measurement = try #require(model.measurements[way])
      #expect(measurement.predictedJob == (way == .insideTask ? measurement.decoding : .zero))
      #expect(measurement.predictedFrames == FrameBudget.hz60.droppedFrames(for: measurement.predictedJob))
      #expect(measurement.delayFrames == FrameBudget.hz60.droppedFrames(for: measurement.worstDelay))
    }
  }

  @Test("a picture that cannot be decoded is said, and the others are shown", arguments: ThumbnailWay.allCases)
  func problem(way: ThumbnailWay) async throws {
    let model = ThumbnailsModel(source: source)
    model.load(try articles(5, from: 11), way)
    await model.settle()
    #expect(Set(model.thumbnails.keys) == [11, 12, 14, 15])
    #expect(model.problem == "picture 13 is damaged: it is the thirteenth. Choose another picture.")
  }

  @Test("no article is no work")
  func none() async {
    let model = ThumbnailsModel(source: source)
    model.load([], .taskGroup)
    await model.settle()
    #expect(model.thumbnails.isEmpty && source.state.withLock { $0.asked } == 0)
  }
}
