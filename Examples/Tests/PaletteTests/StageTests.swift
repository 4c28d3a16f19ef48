import ColourExtraction
import Dispatch
import Foundation
import Palette
import Pictures
import PixbufPictures
import Stage
import Synchronization
import Testing

@MainActor
@Suite("The stage", .timeLimit(.minutes(30)))
struct StageTests {
  /// Notes for each closure whether it ran on the main queue, which is the main actor's executor.
  private final class Executors: Sendable {
    let onMain = Mutex<[String: Set<Bool>]>([:])
    static let key: DispatchSpecificKey<Bool> = {
      let key = DispatchSpecificKey<Bool>()
      DispatchQueue.main.setSpecific(key: key, value: true)
      return key
    }()

    func note(_ closure: String) {
      let isOnMain = DispatchQueue.getSpecific(key: Self.key) != nil
      _ = onMain.withLock { $0[closure, default: []].insert(isOnMain) }
    }
  }

  private func noted(_ closures: PaletteScene.Closures, by executors: Executors) -> PaletteScene.Closures {
    PaletteScene.Closures(
      path: { size, time in
        executors.note("path")
        return closures.path(size, time)
      },
      visualEffect: { time in
        executors.note("visualEffect")
        return closures.visualEffect(time)
      },
      layout: { size in
        executors.note("layout")
        return closures.layout(size)
      },
      geometry: { size, frames in
        executors.note("geometry")
        return closures.geometry(size, frames)
      })
  }

  @Test("path, visual effect, layout and geometry run off the main actor")
  func executors() async {
    let executors = Executors()
    executors.note("the test itself")
    let scene = PaletteScene(of: PaletteModel(codec: PixbufCodec()))
    let stage = Stage<PaletteGeometry> { _ in executors.note("geometryChanged") }
    let size = Size(width: 400, height: 100)
    _ = stage.frame(noted(scene.closures(), by: executors), size: size, time: 0)
    await stage.settle()
    _ = stage.frame(noted(scene.closures(), by: executors), size: size, time: 0.1)
    await stage.settle()
    #expect(
      executors.onMain.withLock { $0 } == [
        "the test itself": [true], "path": [false], "visualEffect": [false], "layout": [false], "geometry": [false],
        "geometryChanged": [true],
      ])
  }

  @Test("what they answered is applied at the next frame, not in between")
  func nextFrame() async {
    let scene = PaletteScene(of: PaletteModel(codec: PixbufCodec()))
    let stage = Stage<PaletteGeometry> { _ in }
    let size = Size(width: 400, height: 100)
    #expect(!stage.frame(scene.closures(), size: size, time: 0))
    await stage.settle()
    #expect(stage.current == nil)
    #expect(stage.frame(scene.closures(), size: size, time: 0.1))
    #expect(stage.current?.frames.count == 5)
  }

  @Test("they use copies: a pulse that ends after they were handed over is still in them")
  func copies() async throws {
    let model = PaletteModel(codec: PixbufCodec())
    let scene = PaletteScene(of: model)
    let calm = scene.closures()
    #expect(calm.visualEffect(0.3) == VisualEffect())
    let url = FileManager.default.temporaryDirectory.appending(path: "stage-\(UUID().uuidString).png")
    defer { try? FileManager.default.removeItem(at: url) }
    try PixbufCodec().encoded(.drawn(seed: 1, width: 16, height: 16), as: .png).write(to: url)
    model.open(PictureFile(path: url.path))
    await model.settle()
    model.extractColours()
    let pulsing = scene.closures()
    await model.settle()
    #expect(!model.pulse)
    #expect(pulsing.visualEffect(0.3) != VisualEffect())
    #expect(pulsing.visualEffect(0.3).blur == 2)
    #expect(scene.closures().visualEffect(0.3) == VisualEffect())
  }

  @Test("a slow scene makes an animation coarser and never waits: the newest replaces those that waited")
  func newest() async {
    let times = Mutex<[Double]>([])
    let stage = Stage<Int> { _ in }
    let closures = SceneClosures<Int>(
      path: { _, _ in [] },
      visualEffect: { time in
        times.withLock { $0.append(time) }
        return VisualEffect()
      }, layout: { _ in [] }, geometry: { _, _ in 0 })
    // One main-actor job, so what the first computes cannot come back meanwhile, however quick it is.
    for time in 0..<10 { _ = stage.frame(closures, size: .zero, time: Double(time)) }
    await stage.settle()
    #expect(times.withLock { $0 } == [0, 9])
  }

  @Test("a change of geometry is told once, at the frame that applies it")
  func geometry() async {
    var told: [Double] = []
    let stage = Stage<Double> { told.append($0) }
    let closures = SceneClosures<Double>(
      path: { _, _ in [] }, visualEffect: { _ in VisualEffect() }, layout: { _ in [] },
      geometry: { size, _ in size.width })
    for width in [100.0, 100, 100, 250, 250] {
      _ = stage.frame(closures, size: Size(width: width, height: 10), time: 0)
      await stage.settle()
    }
    _ = stage.frame(closures, size: Size(width: 250, height: 10), time: 0)
    #expect(told == [100, 250])
  }

  @Test("places of equal width fill the room, however little there is")
  func layout() {
    let frames = EqualWidthLayout.frames(of: 4, spacing: 8, in: Size(width: 424, height: 50))
    #expect(frames.map(\.size.width) == [100, 100, 100, 100])
    #expect(frames.map(\.origin.x) == [0, 108, 216, 324])
    #expect(EqualWidthLayout.frames(of: 4, spacing: 8, in: .zero).allSatisfy { $0.size.width == 0 })
    #expect(EqualWidthLayout.frames(of: 0, spacing: 8, in: .zero).isEmpty)
  }
}
