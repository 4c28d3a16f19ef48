import Foundation

/// A program that makes other processes. Its first argument says how; what it prints does not depend on who watches.
actor Worker {
  private var done = 0
  func step() -> Int {
    done += 1
    return done
  }
}

@MainActor
func steps(_ count: Int) async -> Int {
  let worker = Worker()
  var done = 0
  for _ in 0..<count {
    done = await worker.step()
    note(done)
  }
  return done
}

/// Something that only the main actor may do: the compiler may not leave out the hop back to it.
@MainActor @inline(never)
func note(_ value: Int) { if value < 0 { print(value) } }

func arguments(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
  var pointers: [UnsafeMutablePointer<CChar>?] = []
  for text in texts { pointers.append(strdup(text)) }
  return pointers + [nil]
}

func spawn(_ path: String, _ rest: [String]) -> pid_t {
  var argv = arguments([path] + rest)
  var pid: pid_t = 0
  guard posix_spawn(&pid, path, nil, nil, &argv, environ) == 0 else { exit(70) }
  return pid
}

func wait(_ pid: pid_t) -> Int32 {
  var status: Int32 = 0
  while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
  return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
}

@main
struct Processes {
  @MainActor
  static func main() async {
    let own = CommandLine.arguments[0]
    switch CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : "" {
    case "work":
      print("worked \(await steps(Int(CommandLine.arguments[2]) ?? 0))")
    case "children":
      _ = await steps(10)
      for count in [20, 30] { print("child ended with \(wait(spawn(own, ["work", String(count)])))") }
    case "other":
      _ = await steps(10)
      print("child ended with \(wait(spawn("/bin/sh", ["-c", "exit 6"])))")
    case "fork":
      _ = await steps(10)
      fflush(nil)
      let child = fork()
      if child == 0 {
        // What a forked child may do between fork and exec: no more than this.
        _exit(7)
      }
      print("child ended with \(wait(child))")
      _ = await steps(10)
    case "exec":
      _ = await steps(10)
      fflush(nil)
      var argv = arguments([own, "work", "25"])
      execv(own, &argv)
      exit(70)
    default: exit(64)
    }
  }
}
