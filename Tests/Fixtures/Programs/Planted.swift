import Foundation

/// Jobs of the main actor of known lengths, each measured from inside with CLOCK_MONOTONIC. The truth goes to stderr, in
/// nanoseconds, and with it how long everything else took: no job was longer than what it measured and that.
@MainActor
final class Field {
  private(set) var planted = 0

  func plant(milliseconds: Int) {
    let start = nanoseconds()
    let end = start + milliseconds * 1_000_000
    while nanoseconds() < end {}
    let length = nanoseconds() - start
    planted += length
    FileHandle.standardError.write(Data("planted \(length)\n".utf8))
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
    let start = nanoseconds()
    let field = await Field()
    await Task.detached {  // the task
      for milliseconds in [20, 55, 80, 210] { await field.plant(milliseconds: milliseconds) }
    }.value
    let rest = nanoseconds() - start - (await field.planted)
    FileHandle.standardError.write(Data("rest \(rest)\n".utf8))
    print("planted")
  }
}
