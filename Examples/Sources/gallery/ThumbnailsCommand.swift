/// `gallery thumbnails`: the exercise, three ways of decoding beside the formula.
import Catalogue
import Foundation
import PixbufPictures
import Terminal
import Thumbnails

struct ThumbnailsCommand: Equatable, Sendable {
  static let help = """
    OVERVIEW: Decodes the pictures of twenty articles in three ways, and says what each did to the main actor.

    USAGE: gallery thumbnails [OPTIONS]

    OPTIONS:
      --catalogue FILE      the articles (default: \(SearchOptions.defaultCatalogue))
      --query TEXT          which of them (default: concurrency)
      --decoding DURATION   how long decoding one picture takes, 1ms to 100ms (default: 15ms)
      --help                print this
    DURATION is a number with us, ms or s.
    """

  var catalogue = SearchOptions.defaultCatalogue
  var query = "concurrency"
  var decoding: Duration = .milliseconds(15)

  /// - Returns: `nil` when help was asked for.
  init?(_ arguments: inout Arguments) throws(UsageError) {
    while let option = try arguments.option() {
      switch option {
      case "--catalogue": catalogue = try arguments.value(of: option)
      case "--query": query = try arguments.value(of: option)
      case "--decoding":
        decoding = try arguments.duration(of: option)
        guard decoding >= .milliseconds(1), decoding <= .milliseconds(100) else {
          throw arguments.misuse("--decoding is 1ms to 100ms")
        }
      case "--help", "-h": return nil
      default: throw arguments.unknown(option)
      }
    }
  }

  @MainActor
  func run(on console: Console) async throws -> ExitCode {
    let articles = try await found()
    guard !articles.isEmpty else {
      console.complain("no article is found by \"\(query)\". Ask for another with --query.")
      return .failure
    }
    let source = try await CalibratedThumbnails.prepared(for: articles.map(\.imageSeed), decoding: decoding)
    console.note("\(articles.count) pictures of \(source.width) × \(source.height) pixels, JPEG")
    let model = ThumbnailsModel(source: source)
    console.print("way                          decoding  job foreseen  frames  main actor late  frames  pool late")
    for way in ThumbnailWay.allCases {
      model.load(articles, way)
      await model.settle()
      if let problem = model.problem {
        console.complain("\(problem)")
        return .failure
      }
      if let measurement = model.measurements[way] { console.print(Self.line(measurement)) }
    }
    return .success
  }

  /// The articles, found off the main actor.
  @concurrent
  private func found() async throws(CatalogueError) -> [Article] {
    try await CatalogueFile(path: catalogue).catalogue().search(query, limit: ThumbnailsModel.count).articles
  }

  private static func line(_ measurement: ThumbnailMeasurement) -> String {
    func cell(_ text: String, _ width: Int) -> String {
      String(repeating: " ", count: max(0, width - text.count)) + text
    }
    return measurement.way.title.padding(toLength: 28, withPad: " ", startingAt: 0)
      + cell(Figure.milliseconds(measurement.decoding), 10) + cell(Figure.milliseconds(measurement.predictedJob), 14)
      + cell("\(measurement.predictedFrames)", 8) + cell(Figure.milliseconds(measurement.worstDelay), 17)
      + cell("\(measurement.delayFrames)", 8) + cell(Figure.milliseconds(measurement.poolDelay), 11)
  }
}
