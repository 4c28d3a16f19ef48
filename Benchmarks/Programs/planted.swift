// Runs main-actor jobs of 20, 55, 80 and 210 ms, ten of each, and prints how long each really was, in nanoseconds.
import Glibc

func now() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

actor Elsewhere {
  private var visits = 0
  @inline(never) func visit() { visits += 1 }
}

@main
struct Planted {
  @MainActor
  static func main() async {
    let elsewhere = Elsewhere()
    for _ in 0..<10 {
      for milliseconds in [20, 55, 80, 210] {
        await elsewhere.visit()
        let start = now()
        while now() - start < milliseconds * 1_000_000 {}
        print(milliseconds, now() - start)
      }
    }
    await elsewhere.visit()
  }
}
