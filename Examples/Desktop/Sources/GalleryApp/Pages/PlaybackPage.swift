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
  /// How many of the saved positions are listed.
  private static let listed = 6

  let explanation = "On: each position waits for the disk on the main actor. Off: the disk waits elsewhere."
  let widget: Widget
  var worksOnMain = false {
    didSet { keeper?.place = worksOnMain ? .onMainActor : .concurrent }
  }

  /// A saved position in the list.
  private struct Row {
    let widget: Widget
    let time: Widget
    let state: Widget
  }

  private(set) var keeper: PlaybackKeeper?
  /// Of the settings file.
  private let path: String
  private let notice = gallery_label("", 1)
  private let time = gallery_label("0:00.00", 0)
  private let scale = gallery_scale(0, Double(PlaybackModel.end), 1)
  private let play = gallery_icon_button("media-playback-start-symbolic", "Play")
  private let log = gallery_rows()
  private let nothing = gallery_label("Nothing has been saved since the window opened.", 1)
  private var rows: [Row] = []
  private var isShowing = false
  private var opening: Task<Void, Never>?

  init(_ surroundings: PageSurroundings) {
    path = surroundings.options[Self.settings]
    gallery_visible(notice, 0)
    gallery_expand(scale, 1, 0)
    gallery_middle(time)
    let player = Box.row(spacing: 12).holding(play.styled("circular").styled("suggested-action"), scale)
    let column = Box.column(spacing: 18, margin: 24).holding(
      notice.styled("warning"), time.styled("title-1").styled("numeric"), player,
      gallery_label("Saved positions, the newest first", 0).styled("heading"), nothing.styled("dim-label"), log)
    widget = gallery_scrolled(gallery_clamped(column, 640))
    time.called("position")
    scale.called("seek")
    play.called("play or pause")
    log.called("saved positions")
    notice.called("notice")
    makeRows()
    gallery_sensitive(play, 0)
    gallery_sensitive(scale, 0)
    play.on("clicked") { [weak self] in self?.toggle() }
    scale.on("value-changed") { [weak self] in self?.sought() }
  }

  private func makeRows() {
    gallery_visible(log, 0)
    for _ in 0..<Self.listed {
      let time = gallery_label("", 0)
      let state = gallery_label("", 0)
      gallery_expand(state, 1, 0)
      gallery_label_right(state)
      let line = Box.row(spacing: 12).holding(time.styled("numeric"), state.styled("dim-label"))
      gallery_margins(line, 10, 10, 12)
      let row = gallery_rows_add(log, line)
      gallery_visible(row, 0)
      rows.append(Row(widget: row, time: time, state: state))
    }
  }

  /// Reads the settings; the page can be used when it has.
  func open() {
    opening = Task { [weak self, path] in
      await Self.makeFolder(of: path)
      let keeper = await PlaybackKeeper.opened(PlaybackFile(path: path))
      guard !Task.isCancelled else { return }
      self?.begin(keeper)
    }
  }

  /// What cannot be made is said when the first position is saved.
  @concurrent
  private static func makeFolder(of path: String) async {
    let folder = URL(filePath: path).deletingLastPathComponent()
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func begin(_ keeper: PlaybackKeeper) {
    self.keeper = keeper
    keeper.place = worksOnMain ? .onMainActor : .concurrent
    if let text = keeper.notice {
      notice.say(text)
      gallery_visible(notice, 1)
      Trace.note("notice", ["text": text])
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

  /// `1:03.50`.
  private static func clock(_ position: Int) -> String {
    let seconds = Double(position) * (PlaybackModel.step / .seconds(1))
    return String(format: "%d:%05.2f", Int(seconds) / 60, seconds - Double(Int(seconds) / 60 * 60))
  }

  private func showPosition(of model: PlaybackModel) {
    time.say(Self.clock(model.position))
    if model.isPlaying {
      gallery_button_icon(play, "media-playback-pause-symbolic", "Pause")
    } else {
      gallery_button_icon(play, "media-playback-start-symbolic", "Play")
    }
    // Moving the slider says that it was moved.
    isShowing = true
    gallery_scale_move(scale, Double(model.position))
    isShowing = false
    Trace.note("playback", ["position": "\(model.position)", "playing": "\(model.isPlaying)"])
  }

  private func showLog(of keeper: PlaybackKeeper) {
    let newest = Array(keeper.log.suffix(rows.count).reversed())
    gallery_visible(log, newest.isEmpty ? 0 : 1)
    gallery_visible(nothing, newest.isEmpty ? 1 : 0)
    for (index, row) in rows.enumerated() {
      gallery_visible(row.widget, index < newest.count ? 1 : 0)
      guard index < newest.count else { continue }
      row.time.say(Self.clock(newest[index].position))
      row.state.say(newest[index].problem ?? "position \(newest[index].position), on the disk")
    }
    Trace.note(
      "saved",
      ["position": keeper.log.last.map { "\($0.position)" } ?? "", "problem": keeper.log.last?.problem ?? ""])
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
