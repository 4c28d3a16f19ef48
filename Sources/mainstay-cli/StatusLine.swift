import Foundation
import MainstayTrace

/// The one line that `mainstay run` shows while the program runs.
///
/// The program writes to the same terminal whenever it likes, and where its cursor then stands nobody can know without
/// taking the terminal from it: a pseudo-terminal in between would change the program, and asking the terminal would
/// put the answer into the program's input. So the line never stands where the program writes. The terminal's last row
/// is taken out of the part that scrolls, the line is drawn there, and the cursor goes back to where the program has it:
/// half a line, a prompt or a flood of the program's stays as it is. Each step is one write, which the terminal does not
/// mix with others'.
///
/// What this asks of a terminal is scrolling regions and a saved cursor, which all but `TERM=dumb` have. A program that
/// takes the terminal over (it leaves line mode, as editors and dashboards do) is left alone from then on, and nothing is
/// drawn while we are in the background. There is no colour in the line, so NO_COLOR changes nothing.
struct StatusLine {
  /// A program that is over by then needs no line.
  private static let delay = Duration.milliseconds(500)

  private let began = ContinuousClock.now
  private let processes: String
  private let pid: pid_t
  private let only: String?
  private var recording: LiveRecording?
  private var recordingPath: String?
  private var listed = 0
  /// The terminal as the line was set up for it; nil while nothing is drawn.
  private var shown: winsize?
  /// Nothing is drawn any more: the terminal has closed, or the program has taken it over.
  private var isOver = false
  private var isTakenOver = false

  /// Nil when stderr is no terminal that can show it.
  init?(_ options: RunOptions, processes: String, pid: pid_t) {
    guard !options.quiet, Console.erasesLines else { return nil }
    self.processes = processes
    self.pid = pid
    only = options.only
  }

  /// Draws the line as it is now. Called at most ten times a second.
  mutating func draw() {
    guard !isOver, ContinuousClock.now - began >= Self.delay, tcgetpgrp(STDERR_FILENO) == getpgrp() else { return }
    guard isInLineMode else {
      if shown != nil { (isOver, isTakenOver) = (true, true) }
      return
    }
    follow()
    var size = winsize()
    guard let status = recording?.status(), ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row >= 4 else {
      return
    }
    var text = ""
    if shown.map({ $0.ws_row != size.ws_row || $0.ws_col != size.ws_col }) ?? true {
      text += shown.map(Self.release) ?? ""
      // One row down and up again: had the cursor been in the last row, it is now above it.
      text += "\u{1b}D\u{1b}[A"
    }
    let line = status.line(width: size.ws_col == 0 ? 80 : Int(size.ws_col))
    text += "\u{1b}7\u{1b}[1;\(size.ws_row - 1)r\u{1b}[\(size.ws_row);1H\r\(line)\u{1b}[K\u{1b}8"
    shown = size
    isOver = !write(text)
  }

  /// Takes the line away and gives the row back. What the program has written stays as it is.
  mutating func erase() {
    guard let size = shown else { return }
    shown = nil
    guard isTakenOver || !isOver, isInLineMode || tcgetpgrp(STDERR_FILENO) == getpgrp() else { return }
    // Of a terminal that was taken over the last row is the program's; that all rows scroll again is our debt.
    isOver = !write(isTakenOver ? "\u{1b}7\u{1b}[r\u{1b}8" : Self.release(size))
  }

  private static func release(_ size: winsize) -> String {
    "\u{1b}7\u{1b}[r\u{1b}[\(size.ws_row);1H\r\u{1b}[K\u{1b}8"
  }

  /// Finds the recording to show, which appears some milliseconds after the start, and for `swift test` later.
  private mutating func follow() {
    var status = stat()
    guard stat(processes, &status) == 0, recording == nil || Int(status.st_size) != listed else { return }
    listed = Int(status.st_size)
    guard let path = ProcessTree(list: processes).subjects(pid: Int(pid), only: only).last?.recording,
      recording == nil || path != recordingPath, let found = LiveRecording(path: path)
    else { return }
    recording = found
    recordingPath = path
  }

  private var isInLineMode: Bool {
    var settings = termios()
    return tcgetattr(STDERR_FILENO, &settings) == 0 && settings.c_lflag & tcflag_t(ICANON) != 0
  }

  /// In one piece or not at all; false when the terminal is gone.
  private func write(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) } == text.utf8.count
  }
}
