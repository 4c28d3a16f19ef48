import Dispatch
import Foundation

/// Blocks of the main queue: work of the main actor that is no job.
final class Importer: Sendable {
  func start() {
    DispatchQueue.main.async { work(milliseconds: 40) }  // long block
    for _ in 0..<9 { DispatchQueue.main.async { print("short block") } }
  }

  func later() {
    DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(5)) {  // delayed block
      work(milliseconds: 25)
      print("delayed block")
      exit(0)
    }
  }
}

@inline(never)
func work(milliseconds: Int) {
  var now = timespec()
  clock_gettime(CLOCK_MONOTONIC, &now)
  let end = now.tv_sec * 1_000_000_000 + now.tv_nsec + milliseconds * 1_000_000
  repeat { clock_gettime(CLOCK_MONOTONIC, &now) } while now.tv_sec * 1_000_000_000 + now.tv_nsec < end
}

let importer = Importer()
importer.start()
importer.later()
dispatchMain()
