import ColourExtraction
import Dispatch
import Foundation
import Observation
import Pictures
import Synchronization
import Testing

@testable import Palette

/// Hands out pictures that were never files.
private struct FakeCodec: PictureCodec {
  func picture(from bytes: Data, name: String) throws(PictureError) -> Picture {
    guard bytes.count == 1, let seed = bytes.first else { throw .notAPicture(name: name) }
    return .drawn(seed: UInt32(seed), width: 24, height: 16)
  }
  func scaled(_ picture: Picture, within side: Int) -> Picture { picture }
  func scaled(_ picture: Picture, width: Int, height: Int) -> Picture {
    Picture(width: width, height: height, pixels: .init(repeating: picture.pixels[0], count: 3 * width * height))
  }
}

/// Where a scheme was computed, and how often.
private final class Witness: Sendable {
  let calls = Mutex<[Bool]>([])

  func extract(_ picture: Picture, _ count: Int) -> ColourScheme {
    let isOnMain = DispatchQueue.getSpecific(key: Self.key) != nil
    calls.withLock { $0.append(isOnMain) }
    return SchemeExtractor.schemeComputedHere(of: picture, count: count)
  }

  static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()
}

@MainActor
@Suite("The palette model", .timeLimit(.minutes(30)))
struct PaletteModelTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "palette-\(UUID().uuidString)")
  private let witness = Witness()

  private func picture(_ seed: UInt8) throws -> PictureFile {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let url = folder.appending(path: "\(seed).png")
    try Data([seed]).write(to: url)
    return PictureFile(path: url.path)
  }

  private func model() -> PaletteModel {
    PaletteModel(codec: FakeCodec(), extract: { [witness] in witness.extract($0, $1) })
  }

  @Test("is busy and pulses when extractColours returns, and neither when the colours are there")
  func busy() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let model = model()
    model.open(try picture(1))
    #expect(model.isOpening)
    await model.settle()
    #expect(!model.isExtracting && !model.pulse && model.scheme == nil)

    // One transaction: whoever observes the three sees them change together.
    let observed = Observations { [model.isExtracting, model.pulse, model.scheme != nil] }
    let changes = Task { @MainActor in
      var seen: [[Bool]] = []
      for await state in observed {
        seen.append(state)
        if state[2] { break }
      }
      return seen
    }
    await Task.yield()
    model.extractColours()
    #expect(model.isExtracting && model.pulse)
    await model.settle()
    #expect(!model.isExtracting && !model.pulse && model.scheme != nil)
    let seen = await changes.value
    #expect(seen.last == [false, false, true])
    #expect(!seen.contains([true, false, false]) && !seen.contains([false, true, false]))
  }

  @Test("makes a preview for the room that there is, and another when there is another room or picture")
  func previews() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let model = model()
    model.room = PictureRoom(width: 60, height: 60)
    await model.settle()
    #expect(model.preview == nil)
    model.open(try picture(1))
    await model.settle()
    let first = try #require(model.preview)
    #expect(first.width == 60 && first.height == 40)

    // What is left of a window that is being resized is the size that it has in the end.
    for width in 1...48 { model.room = PictureRoom(width: width, height: 20) }
    #expect(model.preview == first, "the one before stays until then")
    await model.settle()
    #expect(model.preview?.width == 30 && model.preview?.height == 20)

    model.open(try picture(2))
    await model.settle()
    #expect(model.preview?.width == 30 && model.preview?.pixels[0] != first.pixels[0])
  }

  @Test("computes off the main actor, or on it when told so", arguments: [false, true])
  func places(onMain: Bool) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = Witness.key
    let model = model()
    model.place = onMain ? .onMainActor : .concurrent
    model.open(try picture(1))
    await model.settle()
    model.extractColours()
    await model.settle()
    #expect(witness.calls.withLock { $0 } == [onMain])
  }

  @Test("ignores a second tap and the slider while it computes")
  func guarded() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let model = model()
    model.extractColours()
    #expect(!model.isExtracting, "there is no picture yet")
    model.open(try picture(1))
    await model.settle()
    #expect(model.canChangeCount)
    model.extractColours()
    model.extractColours()
    #expect(!model.canChangeCount)
    model.chooseCount(9)
    #expect(model.colourCount == 5)
    await model.settle()
    #expect(witness.calls.withLock { $0.count } == 1)
    #expect(model.canChangeCount)
    model.chooseCount(99)
    #expect(model.colourCount == 10)
    model.chooseCount(-1)
    #expect(model.colourCount == 3)
  }

  @Test("does not compute again what it has computed, until another picture is opened")
  func cached() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let model = model()
    model.open(try picture(1))
    await model.settle()
    for _ in 0..<3 {
      model.extractColours()
      await model.settle()
    }
    #expect(witness.calls.withLock { $0.count } == 1)
    model.chooseCount(4)
    model.extractColours()
    await model.settle()
    model.open(try picture(1))
    await model.settle()
    #expect(model.scheme == nil)
    model.extractColours()
    await model.settle()
    #expect(witness.calls.withLock { $0.count } == 3)
  }

  @Test("keeps the picture that is open when another cannot be opened, and says why")
  func problem() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let model = model()
    model.open(try picture(1))
    await model.settle()
    let text = folder.appending(path: "notes.txt")
    try Data("some notes".utf8).write(to: text)
    model.open(PictureFile(path: text.path))
    await model.settle()
    #expect(model.opened?.name == "1.png")
    #expect(model.problem == "notes.txt is no picture that is known here. Choose a PNG or JPEG picture.")
    model.open(try picture(2))
    #expect(model.problem == nil)
    await model.settle()
    #expect(model.opened?.name == "2.png")
  }

  @Test("shows the picture opened last, whichever is decoded first")
  func newest() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let model = model()
    for seed: UInt8 in 1...5 { model.open(try picture(seed)) }
    await model.settle()
    #expect(model.opened?.name == "5.png")
  }

  @Test("colours of a picture that was replaced meanwhile do not show on the new one")
  func replaced() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let model = model()
    model.open(try picture(1))
    await model.settle()
    let first = try #require(model.opened)
    model.open(try picture(2))
    await model.settle()
    model.show(SchemeExtractor.schemeComputedHere(of: first.picture, count: 3), of: first)
    #expect(model.opened?.name == "2.png" && model.scheme == nil && !model.isExtracting)
  }
}
