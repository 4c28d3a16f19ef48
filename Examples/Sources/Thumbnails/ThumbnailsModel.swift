/// The pictures of the articles that a search has found, decoded in one of three ways.
import Catalogue
import Foundation
import Mainstay
import Observation
import Pictures

@Observable
public final class ThumbnailsModel {
  /// A picture, and how long it took to decode.
  nonisolated private struct Decoded: Sendable {
    let article: Article.ID
    let picture: Result<Picture, PictureError>
    let length: Duration
  }

  /// How many articles get a picture.
  nonisolated public static let count = 20

  public private(set) var thumbnails: [Article.ID: Picture] = [:]
  /// The newest measurement of each way.
  public private(set) var measurements: [ThumbnailWay: ThumbnailMeasurement] = [:]
  /// The way in which pictures are decoded just now.
  public private(set) var running: ThumbnailWay?
  /// Why a picture is missing.
  public private(set) var problem: String?

  private let source: any ThumbnailSource
  private let budget: FrameBudget
  private let width: Int
  @ObservationIgnored private var work: Task<Void, Never>?

  /// - Parameters:
  ///   - source: what decodes.
  ///   - budget: what the frames are counted by.
  ///   - width: how many tasks of a group decode at once: a processor is left to the main actor.
  public init(
    source: any ThumbnailSource, budget: FrameBudget = .hz60,
    width: Int = max(1, ProcessInfo.processInfo.activeProcessorCount - 1)
  ) {
    self.source = source
    self.budget = budget
    self.width = width
  }

  deinit { work?.cancel() }

  /// Decodes the pictures of the first ``count`` articles, and measures it. Ignored while others are being decoded.
  ///
  /// The model is running, without pictures, when this returns.
  public func load(_ articles: [Article], _ way: ThumbnailWay) {
    guard running == nil else { return }
    running = way
    thumbnails = [:]
    problem = nil
    let articles = Array(articles.prefix(Self.count))
    work = Task { [weak self] in
      guard let self else { return }
      let heartbeat = Heartbeat(budget: budget)
      heartbeat.start()
      let start = ContinuousClock.now
      let lengths: [Duration]
      switch way {
      case .insideTask: lengths = insideTask(articles)
      case .oneAtATime: lengths = await oneAtATime(articles)
      case .taskGroup: lengths = await taskGroup(articles)
      }
      let total = start.duration(to: .now)
      let report = await heartbeat.stop()
      measurements[way] = ThumbnailMeasurement(way, lengths: lengths, total: total, report: report)
      running = nil
    }
  }

  /// Returns when no picture is being decoded.
  public func settle() async {
    while running != nil, let work { await work.value }
  }

  /// The mistake: all of it in one main-actor job.
  private func insideTask(_ articles: [Article]) -> [Duration] {
    articles.map { article in
      let decoded = Self.decodedHere(article, by: source)
      show(decoded)
      return decoded.length
    }
  }

  private func oneAtATime(_ articles: [Article]) async -> [Duration] {
    var lengths: [Duration] = []
    for article in articles where !Task.isCancelled {
      let decoded = await Self.decoded(article, by: source)
      show(decoded)
      lengths.append(decoded.length)
    }
    return lengths
  }

  private func taskGroup(_ articles: [Article]) async -> [Duration] {
    let all = await Self.decoded(articles, by: source, atOnce: width)
    var pictures: [Article.ID: Picture] = [:]
    for decoded in all {
      switch decoded.picture {
      case .success(let picture): pictures[decoded.article] = picture
      case .failure(let error): problem = "\(error)"
      }
    }
    thumbnails = pictures
    return all.map(\.length)
  }

  private func show(_ decoded: Decoded) {
    switch decoded.picture {
    case .success(let picture): thumbnails[decoded.article] = picture
    case .failure(let error): problem = "\(error)"
    }
  }

  nonisolated private static func decodedHere(_ article: Article, by source: any ThumbnailSource) -> Decoded {
    let start = ContinuousClock.now
    let picture = Result { () throws(PictureError) in try source.thumbnail(seed: article.imageSeed) }
    return Decoded(article: article.id, picture: picture, length: start.duration(to: .now))
  }

  @concurrent
  private static func decoded(_ article: Article, by source: any ThumbnailSource) async -> Decoded {
    decodedHere(article, by: source)
  }

  @concurrent
  private static func decoded(_ articles: [Article], by source: any ThumbnailSource, atOnce width: Int) async
    -> [Decoded]
  {
    await withTaskGroup(of: Decoded.self) { group in
      var rest = articles[...]
      var all: [Decoded] = []
      for article in rest.prefix(width) { group.addTask { decodedHere(article, by: source) } }
      rest = rest.dropFirst(width)
      for await decoded in group {
        all.append(decoded)
        if let article = rest.popFirst() { group.addTask { decodedHere(article, by: source) } }
      }
      return all
    }
  }
}
