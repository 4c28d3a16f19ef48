import MainstayTrace
import Synchronization

#if os(Linux) && arch(x86_64)
  import CMainstayRecorder
  import Glibc
#endif

/// Records the jobs of this process from within: for a program that cannot be started with `mainstay run`.
///
/// ```swift
/// @main struct App {
///   static func main() async throws {
///     try Recording.start()
///     await run()  // at exit the summary goes to standard error
///   }
/// }
/// ```
///
/// Linking this module puts the recorder between the program and Swift's runtime, whether or not it is started: so it
/// is a product of its own, for the executables that want it. Recording is for Linux on x86-64 with Swift 6.3; elsewhere
/// everything compiles, and `start` throws and says why.
///
/// A process has one recorder that records. Under `mainstay run` that is the preloaded one: `start` then records nothing
/// of its own, returns ``Recorder/preloaded``, and the summary is the tool's.
///
/// Everything here may be called from any thread.
public enum Recording {
  /// Which recorder records this process.
  public enum Recorder: Sendable, Hashable {
    /// The one that is linked into it.
    case linked
    /// The one that `mainstay run` loaded, with the options that it was given. It goes on when this process calls `stop`.
    case preloaded
  }

  /// What was recorded: the document `mainstay.run/1`, with `text(width:)` for a person.
  public typealias Summary = RunSummary

  private enum State {
    case off
    case linked(Destination)
    case attached
    /// For scopes of jobs: nobody asked for a summary.
    case scoped(Destination)
  }

  private static let state = Mutex<State>(.off)

  /// Starts recording: what runs from now on is seen, and of the job that calls this the rest.
  ///
  /// - Returns: who records.
  /// - Throws: `Failure` when nothing is recorded: the program runs on as it is.
  @discardableResult
  public static func start(_ options: Options = .init()) throws(Failure) -> Recorder {
    try options.check()
    #if os(Linux) && arch(x86_64)
      let result = state.withLock { state -> Result<Recorder, Failure> in
        guard case .off = state else { return .failure(.alreadyStarted) }
        if isPreloaded {
          state = .attached
          return .success(.preloaded)
        }
        do throws(Failure) {
          state = .linked(try begin(options))
          return .success(.linked)
        } catch {
          return .failure(error)
        }
      }
      let recorder = try result.get()
      if recorder == .linked, options.summaryAtExit { SummaryAtExit.prepare() }
      return recorder
    #else
      throw .unsupportedPlatform
    #endif
  }

  /// Stops recording, and says what was recorded. No summary follows at exit.
  ///
  /// Reads the recording and names its functions, which takes a second or so for a large program: not on the main actor
  /// of one that goes on. When the preloaded recorder records, this says what it has seen until now, and it goes on.
  ///
  /// - Throws: `Failure.notStarted`, or `.unreadable` when the recording cannot be read; it is stopped all the same.
  public static func stop() throws(Failure) -> Summary {
    #if os(Linux) && arch(x86_64)
      let ended = state.withLock { state in
        let ended = state
        if case .linked = state { mainstay_recorder_stop() }
        if case .scoped = state { return State.off }
        state = .off
        return ended
      }
      return try summary(of: ended)
    #else
      throw .notStarted
    #endif
  }

  /// What was recorded until now. Recording goes on.
  ///
  /// Takes as long as `stop`.
  ///
  /// - Throws: `Failure.notStarted`, or `.unreadable` when the recording cannot be read.
  public static func summary() throws(Failure) -> Summary {
    #if os(Linux) && arch(x86_64)
      return try summary(of: state.withLock { $0 })
    #else
      throw .notStarted
    #endif
  }

  /// Whether ``start(_:)`` was called, without a `stop` since.
  public static var isStarted: Bool {
    state.withLock {
      switch $0 {
      case .off, .scoped: false
      case .linked, .attached: true
      }
    }
  }

  #if os(Linux) && arch(x86_64)
    /// Another recorder than the linked one records.
    private static var isPreloaded: Bool { mainstay_recorder_here() != nil && mainstay_recorder_path() == nil }

    /// The recorder that records this process, for scopes of jobs; started when none does.
    static func recorderForScopes() throws(Failure) -> UnsafePointer<mainstay_recorder_interface> {
      let failure = state.withLock { state -> Failure? in
        guard mainstay_recorder_here() == nil else { return nil }
        do throws(Failure) {
          state = .scoped(try begin(Options(memory: 16 << 20)))
          return nil
        } catch {
          return error
        }
      }
      if let failure { throw failure }
      guard let recorder = mainstay_recorder_here() else { throw .notStarted }
      guard recorder.pointee.version == MAINSTAY_RECORDER_INTERFACE else {
        throw .declined("is recorded by a mainstay of another version than the one it is linked with")
      }
      return recorder
    }

    private static func begin(_ options: Options) throws(Failure) -> Destination {
      let destination = try Destination(options.file)
      let (status, problem) = destination.path.withCString { path in
        var request = mainstay_options(
          path: path, memory_bytes: UInt64(options.memory), frame_nanoseconds: options.frameNanoseconds,
          budget_nanoseconds: options.budgetNanoseconds)
        return (mainstay_recorder_start(&request), errno)
      }
      guard status == MAINSTAY_OK else {
        destination.remove()
        throw Failure(status, path: destination.path, reason: String(cString: strerror(problem)))
      }
      destination.keepOpen()
      return destination
    }

    private static func summary(of state: State) throws(Failure) -> Summary {
      switch state {
      case .off, .scoped: throw .notStarted
      case .linked(let destination): RunSummary(ofThisProcess: try read(destination.readable))
      case .attached: RunSummary(ofThisProcess: try current(mainstay_recorder_here()))
      }
    }

    /// What a recorder has written until now.
    static func current(_ recorder: UnsafePointer<mainstay_recorder_interface>?) throws(Failure)
      -> MainstayTrace.Recording
    {
      guard let recorder, let written = recorder.pointee.path() else { throw .notStarted }
      let own = state.withLock { state in
        switch state {
        case .linked(let destination), .scoped(let destination): destination.readable
        case .off, .attached: String?.none
        }
      }
      return try read(own ?? String(cString: written))
    }

    private static func read(_ path: String) throws(Failure) -> MainstayTrace.Recording {
      do throws(RecordingError) { return try MainstayTrace.Recording(path: path) } catch { throw .unreadable(error) }
    }
  #endif
}
