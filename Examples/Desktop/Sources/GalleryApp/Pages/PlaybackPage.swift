/// Plays on from where the last run ended, and saves every position.
import CAdwaita
import Foundation
import Observation
import Playback
import PlaybackStore

final class PlaybackPage: Page {
  static let name = "playback"
  static let title = "Playback"
  static let icon = "media-playback-start-symbolic"
  static let options = [settings]
  private static let settings = PageOption(
    "--settings", "FILE", "where the position of playback is kept", fallback: "Examples/Data/playback.json")
  let explanation = "On: each position waits for the disk on the main actor. Off: the disk waits elsewhere."
  let widget: Widget
  var worksOnMain = false {
    didSet { keeper?.place = worksOnMain ? .onMainActor : .concurrent }
  }

  private(set) var keeper: PlaybackKeeper?
  /// Of the settings file.
  private let path: String
  private let notice = gallery_label("", 1)
  private let time = gallery_label("0:00", 0)
  private let scale = gallery_scale(0, Double(PlaybackModel.end), 1)
  private let play = gallery_button("Play")
  private let log = gallery_label("", 0)
  private var isShowing = false

  init(_ surroundings: PageSurroundings) {
    path = surroundings.options[Self.settings]
    gallery_visible(notice, 0)
    gallery_expand(scale, 1, 0)
    widget = Box.column(spacing: 16, margin: 24).holding(
      notice.styled("warning"), time.styled("title-1"), Box.row().holding(play.styled("suggested-action"), scale),
      gallery_label("Saved positions, the newest first", 0).styled("heading"), log.styled("monospace"))
    time.called("position")
    scale.called("seek")
    play.called("play or pause")
    log.called("saved positions")
    notice.called("notice")
    gallery_sensitive(play, 0)
    gallery_sensitive(scale, 0)
    play.on("clicked") { [weak self] in self?.toggle() }
    scale.on("value-changed") { [weak self] in self?.sought() }
  }

  /// Reads the settings; the page can be used when it has.
  func open() {
    Task { [weak self, path] in
      let folder = URL(filePath: path).deletingLastPathComponent()
      try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let keeper = await PlaybackKeeper.opened(PlaybackFile(path: path))
      self?.begin(keeper)
    }
  }

  private func begin(_ keeper: PlaybackKeeper) {
    self.keeper = keeper
    keeper.place = worksOnMain ? .onMainActor : .concurrent
    if let text = keeper.notice {
      notice.say(text)
      gallery_visible(notice, 1)
    }
    gallery_sensitive(play, 1)
    gallery_sensitive(scale, 1)
    follow { [weak self] in self?.showPosition(of: keeper.model) }
    follow { [weak self] in self?.showLog(of: keeper) }
  }

  /// Saves the newest position; the application may end when it has.
  func close() async { await keeper?.stop() }

  private func toggle() {
    guard let model = keeper?.model else { return }
    if model.isPlaying { model.pause() } else { model.play() }
  }

  private func sought() {
    guard !isShowing else { return }
    keeper?.model.seek(to: Int(gallery_scale_value(scale).rounded()))
  }

  private func showPosition(of model: PlaybackModel) {
    let seconds = Double(model.position) * (PlaybackModel.step / .seconds(1))
    time.say(String(format: "%d:%04.1f", Int(seconds) / 60, seconds - Double(Int(seconds) / 60 * 60)))
    gallery_button_say(play, model.isPlaying ? "Pause" : "Play")
    // Moving the slider says that it was moved.
    isShowing = true
    gallery_scale_move(scale, Double(model.position))
    isShowing = false
    Trace.note("playback", ["position": "\(model.position)", "playing": "\(model.isPlaying)"])
  }

  private func showLog(of keeper: PlaybackKeeper) {
    let lines = keeper.log.suffix(12).reversed().map { entry in
      "\(entry.position)  \(entry.problem ?? "on the disk")"
    }
    log.say(lines.joined(separator: "\n"))
    Trace.note("saved", ["position": keeper.log.last.map { "\($0.position)" } ?? ""])
  }

  /// One step, and until the disk has it.
  func act() async {
    guard let keeper else { return }
    if keeper.model.position == PlaybackModel.end { keeper.model.seek(to: 0) }
    keeper.model.advance()
    let position = keeper.model.position
    for await entry in Observations({ keeper.log.last }) where entry?.position == position { return }
  }
}
