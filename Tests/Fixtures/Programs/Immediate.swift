import Foundation

/// A long job of the main actor in whose middle an immediate task runs, for 5 ms or as many as are asked for: the job goes
/// on after it, and is one stretch for whoever waits for the main actor. Its length goes to stderr, in milliseconds, and how
/// long everything else took, in nanoseconds.
@MainActor
func outer() {
  let own = CommandLine.arguments.count > 1 ? 2 : 30
  let inner = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 5
  let start = nanoseconds()
  work(milliseconds: own)
  Task.immediate {
    work(milliseconds: inner)
    await Task.yield()
  }
  work(milliseconds: own)
  length = nanoseconds() - start
  FileHandle.standardError.write(Data("outer \(Double(length) / 1e6)\n".utf8))
}

@MainActor var length = 0

@main
struct Immediate {
  @MainActor
  static func main() async {
    let start = nanoseconds()
    await Task.yield()
    outer()
    await Task.yield()
    FileHandle.standardError.write(Data("rest \(nanoseconds() - start - length)\n".utf8))
    print("done")
  }
}

func nanoseconds() -> Int {
  var now = timespec()
  clock_gettime(CLOCK_MONOTONIC, &now)
  return now.tv_sec * 1_000_000_000 + now.tv_nsec
}

@inline(never)
func work(milliseconds: Int) {
  let end = nanoseconds() + milliseconds * 1_000_000
  while nanoseconds() < end {}
}
