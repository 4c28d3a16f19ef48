/// One stall as a person reads it: how long, where, what it did meanwhile, and where its task came from.
import Mainstay

struct StallText {
  private let stall: RunSummary.Stall
  private let count: Int
  private let width: Int
  /// Where everything but lengths begins. On a narrow terminal the name has a line to itself.
  private var indent: Int { isNarrow ? 10 : 21 }
  private var isNarrow: Bool { width < 70 }

  /// - Parameter count: how many stalls of the same place there were; this is the longest.
  init(_ stall: RunSummary.Stall, count: Int, width: Int) {
    self.stall = stall
    self.count = count
    self.width = width
  }

  var lines: [String] {
    let length = DurationText.milliseconds(stall.lengthMilliseconds).paddedLeft(to: 8)
    let frames = stall.droppedFrames == 1 ? "1 frame" : "\(stall.droppedFrames) frames"
    var tail = stall.position.isEmpty ? "" : " \(stall.position)"
    if stall.kind == .block { tail += " (main queue)" }
    if count > 1 { tail += ", \(DurationText.count(count)) times" }
    let name = shortened(stall.function, to: width - indent - tail.count) + tail
    let named = row(name, place(stall.file, stall.line))
    let head = "\(length)  \(frames)"
    // So long a head that nothing fits beside it has a line to itself too.
    var lines =
      isNarrow || head.count >= indent
      ? [head] + named : [head.padded(to: indent) + named[0].dropFirst(indent)] + named.dropFirst()
    for folded in FoldedStack.heaviest(of: stall) { lines += stack(folded) }
    if stall.open { lines += text("still running when the program ended") }
    lines += callers
    if let origin = stall.createdAt, origin.function != stall.function || origin.line != stall.line {
      let inherits = stall.inheritedFrom.map { ", which inherits \($0)" } ?? ""
      lines += row("task made in \(origin.function)\(inherits)", place(origin.file, origin.line))
    } else if let inherited = stall.inheritedFrom {
      lines += text("its task inherits \(inherited) from where it was made")
    }
    if stall.priority == "background" || stall.priority == "utility" {
      lines += text("at \(stall.priority) priority: on the main actor it holds up everything")
    }
    return lines
  }

  /// The async functions that wait for this job, the nearest first: three say whose work it is.
  private var callers: [String] {
    guard let nearest = stall.asyncCallers.first else { return [] }
    let names = stall.asyncCallers.prefix(3).map(\.function) + (stall.asyncCallers.count > 3 ? ["…"] : [])
    return row("awaited by " + names.joined(separator: " ← "), place(nearest.file, nearest.line))
  }

  /// The program's function and the call that it is in; on two lines where one is too short.
  private func stack(_ folded: FoldedStack) -> [String] {
    let label = folded.state.rawValue.padded(to: 9)
    let where_ = place(folded.function.file, folded.function.line)
    let one = label + (folded.called.map { "\($0) ← " } ?? "") + folded.function.function
    if indent + one.count <= width { return row(one, where_, hanging: 9) }
    let room = width - indent - label.count
    guard let called = folded.called else {
      return row(label + shortened(folded.function.function, to: room), where_, hanging: 9)
    }
    let second = row(
      label.map { _ in " " }.joined() + "← " + shortened(folded.function.function, to: room - 2), where_, hanging: 9)
    return [blank(indent) + label + shortened(called, to: room)] + second
  }

  private func text(_ text: String) -> [String] { text.lines(width: width - indent).map { blank(indent) + $0 } }

  /// Text at the left, a place at the right; on lines of their own where one is too short.
  private func row(_ left: String, _ right: String, hanging: Int = 0) -> [String] {
    let room = width - indent - left.count - right.count
    if right.isEmpty || room >= 2 {
      return room >= 0 || right.isEmpty && left.count <= width - indent
        ? [blank(indent) + left + (right.isEmpty ? "" : blank(room) + right)]
        : left.lines(width: width - indent).map { blank(indent) + $0 }
    }
    let first = left.count <= width - indent ? [left] : left.lines(width: width - indent)
    return first.map { blank(indent) + $0 } + [blank(indent + hanging) + right]
  }

  private func blank(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

  /// A name that does not fit loses its labels, from the end, and then its own end.
  private func shortened(_ name: String, to room: Int) -> String {
    guard name.count > room else { return name }
    var short = name
    if let open = name.lastIndex(of: "("), name.hasSuffix(")") {
      var labels = name[name.index(after: open)...].dropLast().split(separator: ":")
      while labels.count > 1, name[...open].count + labels.joined(separator: ":").count + 3 > room {
        labels.removeLast()
      }
      if !labels.isEmpty { short = name[...open] + labels.joined(separator: ":") + ":…)" }
    }
    return short.count <= room || room < 8 ? short : short.prefix(room - 1) + "…"
  }

  private func place(_ file: String, _ line: Int) -> String {
    file.isEmpty ? "" : line > 0 ? "\(file):\(line)" : file
  }
}
