import Dispatch
import Foundation

/// Blocks of the main queue: work of the main actor that is no job. How long everything took but the planted work goes to
/// stderr, in nanoseconds.
final class Importer: Sendable {
  func start() {
    DispatchQueue.main.async { work(milliseconds: 40) }  // long block
    for _ in 0..<9 { DispatchQueue.main.async { print("short block") } }
  }

  func later() {
    DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(5)) {  // delayed block
      work(milliseconds: 25)
      print("delayed block")
      FileHandle.standardError.write(Data("rest \(nanoseconds() - began - worked)\n".utf8))
      exit(0)
    }
  }
}

let began = nanoseconds()
nonisolated(unsafe) var worked = 0

func nanoseconds() -> Int {
  var now = timespec()
  clock_gettime(CLOCK_MONOTONIC, &now)
  return now.tv_sec * 1_000_000_000 + now.tv_nsec
}

@inline(never)
func work(milliseconds: Int) {
  let start = nanoseconds()
  while nanoseconds() < start + milliseconds * 1_000_000 {}
  worked += nanoseconds() - start
}

let importer = Importer()
importer.start()
importer.later()
dispatchMain()
