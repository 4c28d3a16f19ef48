import Foundation

/// Jobs of the main actor of known lengths, each measured from inside with CLOCK_MONOTONIC. The truth goes to stderr, in
/// nanoseconds.
@MainActor
final class Field {
  func plant(milliseconds: Int) {
    let start = nanoseconds()
    let end = start + milliseconds * 1_000_000
    while nanoseconds() < end {}
    FileHandle.standardError.write(Data("planted \(nanoseconds() - start)\n".utf8))
  }
}

func nanoseconds() -> Int {
  var now = timespec()
  clock_gettime(CLOCK_MONOTONIC, &now)
  return now.tv_sec * 1_000_000_000 + now.tv_nsec
}

@main
struct Planted {
  static func main() async {
    let field = await Field()
    await Task.detached {  // the task
      for milliseconds in [20, 55, 80, 210] { await field.plant(milliseconds: milliseconds) }
    }.value
    print("planted")
  }
}
