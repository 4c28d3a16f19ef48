import Foundation

/// A program that ends while a job of the main actor is open and long over any budget: how is its first argument.
@main
struct Endings {
  @MainActor
  static func main() async {
    let how = CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : "return"
    await Task.yield()
    endLate(how)
  }

  @MainActor @inline(never)
  static func endLate(_ how: String) {
    print("ending by \(how)")
    fflush(nil)
    work(milliseconds: 120)
    switch how {
    case "return": return
    case "exit": exit(3)
    case "_exit": _exit(5)
    case "abort": abort()
    case "trap": fatalError("as asked")
    default:
      kill(getpid(), Int32(how) ?? SIGKILL)
      while true { pause() }  // another thread may take the signal
    }
  }
}

/// Computes until this much time has passed.
@inline(never)
func work(milliseconds: Int) {
  var now = timespec()
  clock_gettime(CLOCK_MONOTONIC, &now)
  let end = now.tv_sec * 1_000_000_000 + now.tv_nsec + milliseconds * 1_000_000
  repeat { clock_gettime(CLOCK_MONOTONIC, &now) } while now.tv_sec * 1_000_000_000 + now.tv_nsec < end
}
