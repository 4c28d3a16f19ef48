/// `gallery make-catalogue`: the data of the search, made and not shipped.
import CatalogueMaker
import Foundation
import Terminal

struct MakeCatalogue: Equatable, Sendable {
  static let help = """
    OVERVIEW: Makes a catalogue of articles, the same from the same seed.

    USAGE: gallery make-catalogue [OPTIONS]

    OPTIONS:
      --output FILE  where to write it (default: \(SearchOptions.defaultCatalogue))
      --articles N   how many articles, 1 to 1000000 (default: \(CatalogueMaker.defaultCount), about 11 MB)
      --seed N       another seed makes other articles (default: 1)
      --help         print this
    """

  var output = SearchOptions.defaultCatalogue
  var articles = CatalogueMaker.defaultCount
  var seed = 1

  /// - Returns: `nil` when help was asked for.
  init?(_ arguments: inout Arguments) throws(UsageError) {
    while let option = try arguments.option() {
      switch option {
      case "--output": output = try arguments.value(of: option)
      case "--articles": articles = try arguments.number(of: option, in: 1...1_000_000)
      case "--seed": seed = try arguments.number(of: option, in: 0...Int.max)
      case "--help", "-h": return nil
      default: throw arguments.unknown(option)
      }
    }
  }

  func run(on console: Console) async throws(CatalogueMakerError) -> ExitCode {
    let size = try await CatalogueMaker(count: articles, seed: UInt64(seed)).write(to: output)
    console.note("wrote \(output): \(articles) articles, \((size + 500) / 1000) kB")
    return .success
  }
}
