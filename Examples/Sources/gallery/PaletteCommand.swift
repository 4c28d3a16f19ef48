/// `gallery palette`: the colours of a picture.
import ColourExtraction
import Foundation
import Mainstay
import Palette
import Pictures
import PixbufPictures
import Terminal

struct PaletteCommand: Equatable, Sendable {
  static let help = """
    OVERVIEW: Opens a picture and finds the colours that stand for it.

    Prints the colours, the largest share first. How late the main actor was meanwhile goes to standard error.

    USAGE: gallery palette --picture FILE [OPTIONS]

    OPTIONS:
      --picture FILE  a PNG or JPEG picture
      --colours N     how many colours, \(SchemeExtractor.counts.lowerBound) to \
    \(SchemeExtractor.counts.upperBound) (default: 5)
      --on-main       compute them on the main actor, which then draws no frame meanwhile
      --help          print this
    """

  var picture: String
  var colours = 5
  var place = PaletteModel.Place.concurrent

  /// - Returns: `nil` when help was asked for.
  init?(_ arguments: inout Arguments) throws(UsageError) {
    var picture: String?
    while let option = try arguments.option() {
      switch option {
      case "--picture": picture = try arguments.value(of: option)
      case "--colours": colours = try arguments.number(of: option, in: SchemeExtractor.counts)
      case "--on-main": place = .onMainActor
      case "--help", "-h": return nil
      default: throw arguments.unknown(option)
      }
    }
    guard let picture else { throw arguments.missing("--picture FILE") }
    self.picture = picture
  }

  @MainActor
  func run(on console: Console) async -> ExitCode {
    let model = PaletteModel(codec: PixbufCodec())
    model.place = place
    model.chooseCount(colours)
    model.open(PictureFile(path: picture))
    await model.settle()
    if let problem = model.problem {
      console.complain("\(problem)")
      return .failure
    }
    let heartbeat = Heartbeat()
    heartbeat.start()
    let start = ContinuousClock.now
    model.extractColours()
    await model.settle()
    let length = start.duration(to: .now)
    let report = await heartbeat.stop()
    guard let scheme = model.scheme, let opened = model.opened else { return .failure }
    for swatch in scheme.swatches {
      console.print("\(swatch.colour)  \(String(format: "%4.1f", swatch.share * 100)) %")
    }
    console.note(
      "\(opened.picture.width) × \(opened.picture.height) pixels: \(Figure.milliseconds(length))"
        + (place == .onMainActor ? " on" : " off") + " the main actor, which was late by"
        + " \(Figure.milliseconds(report.worst)) at worst (\(report.droppedFrames) frames)")
    return .success
  }
}
