// Code that is isolated to a global actor, called by a thread that knows nothing of it.
import Glibc

@globalActor actor ImportActor { static let shared = ImportActor() }

@ImportActor final class Importer {
  var count = 0

  func start() {
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { context in  // trapping closure
        guard let context else { return nil }
        Unmanaged<Importer>.fromOpaque(context).takeUnretainedValue().count += 1
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
  }
}

@main
struct Checked {
  static func main() async {
    switch CommandLine.arguments.last {
    case "assume": assume()
    case "well": await askAndAbort()
    default: await Importer().start()
    }
    pause()
  }

  /// Asks often, is always right, and ends by something else.
  @MainActor static func askAndAbort() {
    for _ in 0..<1000 { MainActor.assumeIsolated {} }
    abort()
  }

  static func assume() {
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { _ in
        ImportActor.shared.assumeIsolated { _ in }  // trapping assumption
        return nil
      }, nil)
  }
}
