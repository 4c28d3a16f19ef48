/// The Java virtual machine of this process: found, checked, and started once.
#if GALLERY_KOTLIN
  import CKotlinFeed
  import ForeignFeed
  import Foundation

  enum KotlinMachine {
    /// The outcome of the one try that a process has.
    static let started: Result<Void, FeedError> = Result { () throws(FeedError) in
      let environment = ProcessInfo.processInfo.environment
      guard let folder = environment["GALLERY_KOTLIN"], !folder.isEmpty else {
        throw FeedError.foreign("GALLERY_KOTLIN does not name the folder that 'make kotlin' made; it says which")
      }
      try start(try Place(folder), checksCalls: environment["GALLERY_JNI_CHECK"] == "1")
    }

    /// What `make kotlin` leaves in its folder.
    struct Place {
      static let jars = ["feed.jar", "coroutines.jar", "kotlin-stdlib.jar"]

      let library: String
      let classPath: String

      /// - Throws: ``FeedError/foreign(_:)`` when something is not there, or is not what its name says.
      init(_ folder: String) throws(FeedError) {
        library = folder + "/java-home/lib/server/libjvm.so"
        guard FileManager.default.isReadableFile(atPath: library) else {
          throw .foreign("there is no Java virtual machine at \(library): run 'make kotlin'")
        }
        for jar in Self.jars {
          let path = "\(folder)/\(jar)"
          guard let file = FileHandle(forReadingAtPath: path) else {
            throw .foreign("\(path) is missing: run 'make kotlin'")
          }
          defer { try? file.close() }
          // What every zip file begins with.
          guard (try? file.read(upToCount: 4)) == Data([0x50, 0x4b, 3, 4]) else {
            throw .foreign("\(path) is damaged: remove \(folder) and run 'make kotlin'")
          }
        }
        classPath = Self.jars.map { "\(folder)/\($0)" }.joined(separator: ":")
      }
    }

    private static func start(_ place: Place, checksCalls: Bool) throws(FeedError) {
      let isStarted = place.library.withCString { library in
        place.classPath.withCString { classPath in
          kfeed_start(
            kfeed_machine(library: library, class_path: classPath, check_jni: checksCalls), MainQueuePort.queue)
        }
      }
      if !isStarted { throw .foreign("\(problem). 'make kotlin' makes what is needed anew") }
    }

    /// The versions of what runs in it.
    static var runtime: String { String(cString: kfeed_runtime()) }

    /// What went wrong in this thread's last call.
    static var problem: String { String(cString: kfeed_problem()) }
  }
#endif
