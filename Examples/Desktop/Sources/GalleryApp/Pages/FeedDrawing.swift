/// How the page of the feed shows a progress, and what each frame made of it.
import CAdwaita
import Feed

enum FeedDrawing {
  /// The progress, as a person sees it in this frame.
  static func bar(of model: ProgressModel, on canvas: Canvas) {
    let shade = gallery_is_dark() != 0 ? 1.0 : 0.0
    canvas.colour(shade, shade, shade, 0.08)
    canvas.bar(x: 0, y: 0, width: canvas.width, height: canvas.height)
    canvas.colour(0.21, 0.52, 0.89)
    canvas.bar(x: 0, y: 0, width: canvas.width * model.progress, height: canvas.height)
    let text = "\(model.update) of \(model.updates)"
    let width = canvas.textWidth(text, size: 20)
    let isCovered = canvas.width * model.progress > (canvas.width + width) / 2
    canvas.colour(isCovered ? 1 : shade, isCovered ? 1 : shade, isCovered ? 1 : shade, 0.9)
    canvas.text(text, x: (canvas.width - width) / 2, y: canvas.height / 2 + 7, size: 20)
  }

  /// A column for each of the newest frames.
  static func frames(of model: ProgressModel, on canvas: Canvas) {
    let shade = gallery_is_dark() != 0 ? 1.0 : 0.0
    canvas.colour(shade, shade, shade, 0.05)
    canvas.bar(x: 0, y: 0, width: canvas.width, height: canvas.height)
    let step = canvas.width / Double(ProgressModel.framesKept)
    let line = canvas.height * 0.66
    canvas.colour(shade, shade, shade, 0.3)
    canvas.bar(x: 0, y: line, width: canvas.width, height: 1)
    for (place, frame) in model.history.reversed().enumerated() {
      let x = canvas.width - Double(place + 1) * step
      if frame.update != nil {
        let height = min(line, line * (0.4 + 0.2 * Double(frame.later)))
        if frame.later == 0 { canvas.colour(0.21, 0.52, 0.89) } else { canvas.colour(0.90, 0.55, 0.15) }
        canvas.bar(x: x, y: line - height, width: max(1, step - 1), height: height)
      }
      if frame.skipped > 0 {
        canvas.colour(0.88, 0.11, 0.14)
        let height = min(canvas.height - line - 2, 8 + 6 * Double(frame.skipped))
        canvas.bar(x: x, y: line + 2, width: max(2, step), height: height)
      }
    }
  }
}
