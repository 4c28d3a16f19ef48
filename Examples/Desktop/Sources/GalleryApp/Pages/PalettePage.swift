/// Finds the colours of a picture.
import CAdwaita
import ColourExtraction
import Foundation
import GTKFiles
import Palette
import Pictures
import PixbufPictures
import Stage

final class PalettePage: Page {
  static let name = "palette"
  static let title = "Palette"
  static let icon = "applications-graphics-symbolic"
  static let options = [picture]
  private static let picture = PageOption("--picture", "FILE", "the picture that the palette begins with")
  let explanation = "On: the colours are computed by one main-actor job. Off: by a @concurrent function."
  let widget: Widget
  var worksOnMain = false {
    didSet { model.place = worksOnMain ? .onMainActor : .concurrent }
  }

  let model = PaletteModel(codec: PixbufCodec())
  private let scene: PaletteScene
  private let stage: Stage<PaletteGeometry>
  private let geometry = Geometry()
  private let choose = gallery_button("Open a Picture…")
  private let extract = gallery_button("Extract Colours")
  private let slider = gallery_scale(
    Double(SchemeExtractor.counts.lowerBound), Double(SchemeExtractor.counts.upperBound), 1)
  private let status = StatusLine(called: "palette status")
  private let stack = gallery_stack()
  private let empty = gallery_status(
    "image-x-generic-symbolic", "No picture yet", "Open a PNG or JPEG picture, or drop one here.")
  private let view = gallery_picture_view()
  private var swatches: Widget
  private let began = ContinuousClock.now
  /// Frames since something last changed: a still scene is not computed again and again.
  private var settledFrames = 0
  private var drawn: ColourScheme?
  private var count = 0

  /// What the stage last told of, for the drawing.
  private final class Geometry {
    var value: PaletteGeometry?
  }

  /// What the page begins with, and what ``act()`` opens anew when every number of colours is known; nil for nothing.
  private let path: String?

  init(_ surroundings: PageSurroundings) {
    let picture = surroundings.options[Self.picture]
    path = picture.isEmpty ? nil : picture
    scene = PaletteScene(of: model)
    stage = Stage { [geometry] in
      geometry.value = $0
      Trace.note("geometry", ["swatch": "\(Int($0.swatchWidth))", "names": "\($0.hasRoomForNames)"])
    }
    swatches = drawing { [model, stage, geometry] canvas in
      Self.draw(stage.current, of: model, geometry.value, on: canvas)
    }
    gallery_size(swatches, 200, 120)
    gallery_expand(view, 1, 1)
    gallery_expand(slider, 1, 0)
    gallery_scale_shows_value(slider)
    let counting = Box.row().holding(gallery_label("Colours", 0).styled("dim-label"), slider)
    gallery_margins(counting, 0, 0, 12)
    gallery_size(counting, 220, -1)
    gallery_stack_add(stack, "empty", "", empty)
    gallery_stack_add(stack, "picture", "", view)
    gallery_expand(stack, 1, 1)
    widget = Box.column(spacing: 12, margin: 12).holding(
      Box.lines().holding(choose, extract.styled("suggested-action"), counting), status.widget, stack,
      swatches)
    let files = FileTaker { [weak self] in self?.open($0) }
    choose.called("open a picture")
    extract.called("extract colours")
    slider.called("number of colours")
    swatches.called("colours; click to extract")
    view.called("picture")
    stack.called("picture or none")
    gallery_scale_move(slider, Double(model.colourCount))
    choose.on("clicked") { [weak self] in
      if self != nil, let window = surroundings.window { choosePicture(in: window, for: files) }
    }
    extract.on("clicked") { [weak self] in self?.model.extractColours() }
    swatches.onClick { [weak self] in self?.model.extractColours() }
    slider.on("value-changed") { [weak self] in self?.moved() }
    acceptFiles(widget, by: files)
    follow { [weak self] in self?.show() }
    follow { [weak self] in self?.showPreview() }
  }

  var frameListener: (any FrameListener)? { self }

  func open() {
    if let path { open(path) }
  }

  func open(_ path: String) { model.open(PictureFile(path: path)) }

  private func moved() { model.chooseCount(Int(gallery_scale_value(slider).rounded())) }

  private func show() {
    gallery_sensitive(slider, model.canChangeCount ? 1 : 0)
    gallery_sensitive(extract, model.opened != nil && !model.isExtracting ? 1 : 0)
    if let problem = model.problem { status.say(problem: problem) } else { status.say(words) }
    Trace.note(
      "palette",
      [
        "picture": model.opened?.name ?? "", "extracting": "\(model.isExtracting)", "pulse": "\(model.pulse)",
        "colours": model.scheme?.swatches.map(\.colour.description).joined(separator: " ") ?? "",
        "count": "\(model.colourCount)", "problem": model.problem ?? "",
      ])
  }

  private func showPreview() {
    guard let preview = model.preview else { return }
    preview.pixels.withUnsafeBytes {
      gallery_picture_show(view, $0.baseAddress, Int32(preview.width), Int32(preview.height))
    }
    gallery_stack_show(stack, "picture")
  }

  private var words: String {
    if model.isOpening { return "Opening …" }
    if model.isExtracting { return "Please wait: finding \(model.colourCount) colours …" }
    guard let opened = model.opened else { return "Colours are found in a picture." }
    return "\(opened.name): \(opened.picture.width) × \(opened.picture.height) pixels"
  }

  /// What the closures of an earlier frame answered, drawn.
  private static func draw(
    _ result: SceneResult<PaletteGeometry>?, of model: PaletteModel, _ geometry: PaletteGeometry?, on canvas: Canvas
  ) {
    guard let result else { return }
    let swatches = model.scheme?.swatches ?? []
    let grey = gallery_is_dark() != 0 ? 0.35 : 0.80
    for (index, (frame, outline)) in zip(result.frames, result.outlines).enumerated() {
      let swatch = index < swatches.count ? swatches[index] : nil
      let middle = (x: frame.origin.x + frame.size.width / 2, y: frame.origin.y + frame.size.height / 2)
      let points = outline.map { point in
        (
          x: middle.x + (frame.origin.x + point.x - middle.x) * result.effect.scale,
          y: middle.y + (frame.origin.y + point.y - middle.y) * result.effect.scale
        )
      }
      let colour = swatch?.colour
      canvas.colour(
        colour.map { Double($0.red) / 255 } ?? grey, colour.map { Double($0.green) / 255 } ?? grey,
        colour.map { Double($0.blue) / 255 } ?? grey, result.effect.opacity)
      // A soft edge stands for the blur: the outline once more, half as strong.
      canvas.polygon(points)
      canvas.fill()
      if result.effect.blur > 0 {
        canvas.polygon(points)
        canvas.stroke(width: 2 * result.effect.blur)
      }
      guard let swatch, geometry?.hasRoomForNames == true, swatches.count == result.frames.count else { continue }
      let shade = swatch.colour.luminance > 0.46 ? 0.0 : 1.0
      canvas.colour(shade, shade, shade)
      let share = String(format: "%.0f %%", swatch.share * 100)
      for (line, text) in [swatch.colour.description, share].enumerated() {
        let width = canvas.textWidth(text, size: 12)
        canvas.text(text, x: middle.x - width / 2, y: middle.y + Double(line) * 16, size: 12)
      }
    }
  }

  /// Extracts with another number of colours, so that nothing is known already.
  func act() async {
    guard model.opened != nil else { return }
    model.chooseCount(model.colourCount == 10 ? 3 : model.colourCount + 1)
    if acts >= 8, let opened = path { open(opened) }
    acts += 1
    await model.settle()
    model.extractColours()
    await model.settle()
  }
  private var acts = 0
}

extension PalettePage: @MainActor FrameListener {
  /// Hands the closures over, and draws what those of an earlier frame answered.
  func frameBegan(at time: Int64, interval: Int64) {
    guard gtk_widget_get_mapped(swatches) != 0 else { return }
    let density = Int(gallery_density(stack))
    model.room = PictureRoom(width: Int(gallery_width(stack)) * density, height: Int(gallery_height(stack)) * density)
    let size = Size(width: Double(gallery_width(swatches)), height: Double(gallery_height(swatches)))
    let hasChanged = model.pulse || stage.current?.size != size || model.scheme != drawn || model.colourCount != count
    settledFrames = hasChanged ? 0 : settledFrames + 1
    (drawn, count) = (model.scheme, model.colourCount)
    // Some frames more: what is handed over now is applied at a later one.
    guard settledFrames < 6 else { return }
    let time = began.duration(to: .now) / .seconds(1)
    if stage.frame(scene.closures(), size: size, time: time) { gallery_redraw(swatches) }
  }
}
