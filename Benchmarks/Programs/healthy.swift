// A program that is well: sixty times a second two milliseconds of work on the main actor, and hops to an actor in
// between, for ten seconds. It blocks SIGPROF everywhere, so that one that was sent to any thread would still be pending
// at the end. Prints the nanoseconds it took, those that the recorder's watcher used of a processor, and how many threads
// have a signal pending.
import Dispatch
import Glibc

func now() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

actor Model {
  private var values = 0
  @inline(never) func update() { values += 1 }
}

func contents(_ path: String) -> String {
  guard let file = fopen(path, "r") else { return "" }
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 8192)
  let count = fread(&bytes, 1, bytes.count, file)
  return String(decoding: bytes.prefix(count), as: UTF8.self)
}

func threads() -> [String] {
  guard let folder = opendir("/proc/self/task") else { return [] }
  defer { closedir(folder) }
  var found: [String] = []
  while let entry = readdir(folder) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if name.first != "." { found.append("/proc/self/task/\(name)") }
  }
  return found
}

func watcherNanoseconds() -> Int {
  for thread in threads() where contents("\(thread)/comm") == "mainstay-watch\n" {
    return Int(contents("\(thread)/schedstat").prefix { $0 != " " }) ?? 0
  }
  return 0
}

func isSignalPending(_ thread: String) -> Bool {
  let sigprof: UInt64 = 1 << UInt64(SIGPROF - 1)
  let masks = contents("\(thread)/status").split(separator: "\n")
    .filter { $0.hasPrefix("SigPnd:") || $0.hasPrefix("ShdPnd:") }
    .compactMap { UInt64($0.split(separator: "\t")[1], radix: 16) }
  return masks.isEmpty || masks.contains { $0 & sigprof != 0 }
}

@main
struct Healthy {
  static func main() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPROF)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    Task { @MainActor in
      let model = Model()
      let (start, used) = (now(), watcherNanoseconds())
      while now() - start < 10_000_000_000 {
        let end = now() + 2_000_000
        while now() < end {}
        for _ in 0..<10 { await model.update() }
        try? await Task.sleep(for: .milliseconds(14))
      }
      let pending = threads().filter(isSignalPending).count
      print(now() - start, watcherNanoseconds() - used, pending)
      exit(0)
    }
    dispatchMain()
  }
}
