/// What a run did: the document `mainstay.run/1`, field by field as Documentation/Output.md describes it.
///
/// Times are in the unit of the field's name. Fields that nothing fills are present and empty.
public struct RunSummary: Codable, Hashable, Sendable {
  public var schema = "mainstay.run/1"
  public var process: Process
  public var processes: [TreeProcess] = []
  public var selfCheck: SelfCheck
  public var refreshRateHz: Double
  public var budgetMilliseconds: Double
  public var mainActor: MainActorUse
  public var mainQueue: MainQueueUse
  public var pool: Pool
  public var executors: [Executor]
  public var functions: [Function]
  public var stalls: [Stall]
  public var trains: [Train] = []
  public var hops: [Hop] = []
  public var interleavings: [Interleaving] = []
  public var tasks: Tasks
  public var boundaries: [Boundary] = []
  public var lost: Lost
  public var notVisible: [String]

  public struct Process: Codable, Hashable, Sendable {
    public var pid = 0
    public var executable = ""
    public var arguments: [String] = []
    @Nullable public var exitStatus: Int?
    @Nullable public var signal: Int?
    public var durationSeconds = 0.0
    /// The question that the process did not survive; nil when it ended otherwise.
    @Nullable public var failedCheck: FailedCheck?

    public init() {}
  }

  /// Code that asked whether it ran on the executor that it is isolated to, and did not.
  public struct FailedCheck: Codable, Hashable, Sendable {
    public var executor: String
    public var function: String
    public var file: String
    public var line: Int
    public var path: String
  }

  public struct TreeProcess: Codable, Hashable, Sendable {
    public var pid: Int
    public var executable: String
    public var recorded: Bool
    @Nullable public var reason: String?

    public init(pid: Int, executable: String, recorded: Bool, reason: String?) {
      (self.pid, self.executable, self.recorded) = (pid, executable, recorded)
      self.reason = reason
    }
  }

  public struct SelfCheck: Codable, Hashable, Sendable {
    public var complete: Bool
    public var missing: [String]
  }

  public struct MainActorUse: Codable, Hashable, Sendable {
    /// Jobs only. Busy time, stalls and dropped frames count main-queue blocks too.
    public var jobs = 0
    public var busySeconds = 0.0
    public var p50Milliseconds = 0.0
    public var p90Milliseconds = 0.0
    public var p99Milliseconds = 0.0
    public var worstMilliseconds = 0.0
    public var overBudget = 0
    public var droppedFrames = 0
    public var waitP99Milliseconds = 0.0
  }

  public struct MainQueueUse: Codable, Hashable, Sendable {
    public var blocks = 0
    public var drained = true
    public var queuedJobs = 0
    public var oldestSeconds = 0.0
  }

  public struct Pool: Codable, Hashable, Sendable {
    public var threads = 0
    public var starved: [Starvation] = []

    public struct Starvation: Codable, Hashable, Sendable {
      public var startSeconds: Double
      public var lengthSeconds: Double
      public var queuedJobs: Int
      /// What each thread was blocked in.
      public var blockers: [Sample]
    }
  }

  public struct Executor: Codable, Hashable, Sendable {
    public enum Kind: String, Codable, Hashable, Sendable { case mainActor, actor, globalActor, customExecutor, pool }
    public var name: String
    public var kind: Kind
    public var instances: Int
    public var jobs: Int
    public var busySeconds: Double
    public var worstMilliseconds: Double
    public var waitP50Milliseconds: Double
    public var waitP99Milliseconds: Double
    public var queueMax: Int
  }

  /// What began or resumed in one function, on one kind of executor.
  public struct Function: Codable, Hashable, Sendable {
    public var function: String
    public var executor: String
    public var file: String
    public var line: Int
    /// The await after which it resumed, from 1, or without line information the compiler's own number; nil at its start.
    @Nullable public var resume: Int?
    public var jobs: Int
    public var totalMilliseconds: Double
    public var worstMilliseconds: Double
    /// The file as the compiler was given it, and what joins this with the source: see Documentation/Output.md.
    public var path: String
    public var key: String
    /// Where in the function it begins: "after await 2"; empty at its start.
    public var position: String
  }

  public struct Place: Codable, Hashable, Sendable {
    public var function: String
    public var file: String
    public var line: Int
    public var path: String
  }

  public struct Stall: Codable, Hashable, Sendable {
    public enum Kind: String, Codable, Hashable, Sendable { case job, block }
    public var kind: Kind
    public var startSeconds: Double
    public var lengthMilliseconds: Double
    public var droppedFrames: Int
    public var function: String
    public var file: String
    public var line: Int
    public var task: UInt64
    public var priority: String
    @Nullable public var createdAt: Place?
    /// The type of executor on which its task was made and which it inherited; nil when it did not.
    @Nullable public var inheritedFrom: String?
    public var asyncCallers: [Place]
    public var samples: [Sample] = []
    @Nullable public var resume: Int?
    /// Where in the function it began: "after await 2"; empty at its start.
    public var position: String
    public var path: String
    public var key: String
    /// Whether it was still running when the process ended.
    public var open: Bool
  }

  public struct Sample: Codable, Hashable, Sendable {
    public enum State: String, Codable, Hashable, Sendable { case running, blocked }
    public var state: State
    /// When it was taken, since the stall began.
    public var atMilliseconds: Double
    public var frames: [Place]
  }

  public struct Train: Codable, Hashable, Sendable {
    public var startSeconds: Double
    public var lengthMilliseconds: Double
    public var jobs: Int
    public var functions: [String]
  }

  public struct Hop: Codable, Hashable, Sendable {
    public var from: String
    public var to: String
    public var count: Int
    public var perSecondMax: Int
    public var sites: [Site]

    public struct Site: Codable, Hashable, Sendable {
      public var function: String
      public var file: String
      public var line: Int
      public var count: Int
    }
  }

  public struct Interleaving: Codable, Hashable, Sendable {
    public var executor: String
    public var suspended: String
    public var file: String
    public var line: Int
    @Nullable public var resume: Int?
    public var by: String
    public var count: Int
    /// The file as the compiler was given it, and the mangled name of `suspended`.
    public var path: String
    public var key: String
  }

  public struct Tasks: Codable, Hashable, Sendable {
    public var created = 0
    public var completed = 0
    public var cancelled = 0
    public var pendingContinuations: [PendingContinuation] = []
    public var sites: [Site] = []

    /// Where tasks were made.
    public struct Site: Codable, Hashable, Sendable {
      public var function: String
      public var file: String
      public var line: Int
      public var count: Int
      public var perSecondMax: Int
    }
  }

  public struct PendingContinuation: Codable, Hashable, Sendable {
    public var task: UInt64
    public var seconds: Double
    public var function: String
    public var file: String
    public var line: Int
    @Nullable public var createdAt: Place?
  }

  public struct Boundary: Codable, Hashable, Sendable {
    public var name: String
    public var contract: String
    public var callbacks: Int
    public var onMain: Int
    public var offMain: Int
    public var inversions: Int
    @Nullable public var p50Milliseconds: Double?
    @Nullable public var p99Milliseconds: Double?
    public var queues: [String]
    public var cannotTell: Int
    public var exercised: Bool
    public var kind: Kind
    public var file: String
    public var line: Int

    public enum Kind: String, Codable, Hashable, Sendable { case asserted, hopping }
  }

  public struct Lost: Codable, Hashable, Sendable {
    public var records = 0
    public var samples = 0
  }
}

/// A value that is written as `null` when it is absent, so that every field of a document is always there.
@propertyWrapper
public struct Nullable<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
  public var wrappedValue: Value?

  public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    wrappedValue = container.decodeNil() ? nil : try container.decode(Value.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
  }
}

extension KeyedDecodingContainer {
  /// A document may leave out what may be null.
  public func decode<Value>(_ type: Nullable<Value>.Type, forKey key: Key) throws -> Nullable<Value> {
    try decodeIfPresent(type, forKey: key) ?? Nullable(wrappedValue: nil)
  }
}
