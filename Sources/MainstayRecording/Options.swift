extension Recording {
  /// What `mainstay run` has as options: see its help.
  public struct Options: Sendable, Hashable {
    /// The display's refresh rate, from 1 to 1000.
    public var hertz: Int
    /// The longest main-actor job allowed, from 1 µs to an hour; nil for one frame.
    public var budget: Duration?
    /// Bytes for single records, from 4 MiB to 64 GiB; totals stay exact beyond them.
    public var memory: Int
    /// The file to keep the recording in, for `mainstay report`. An earlier recording there makes way. Nil: it goes away
    /// with the process, also when that crashes.
    public var file: String?
    /// Whether the summary goes to standard error when the process exits and nobody has called `stop`.
    public var summaryAtExit: Bool

    public init(
      hertz: Int = 60, budget: Duration? = nil, memory: Int = 64 << 20, file: String? = nil, summaryAtExit: Bool = true
    ) {
      self.hertz = hertz
      self.budget = budget
      self.memory = memory
      self.file = file
      self.summaryAtExit = summaryAtExit
    }

    func check() throws(Failure) {
      guard (1...1000).contains(hertz) else {
        throw .option("hertz", "\(hertz) is no refresh rate: a whole number from 1 to 1000, such as 60 or 120")
      }
      guard (4 << 20...64 << 30).contains(memory) else {
        throw .option("memory", "\(memory) is no size from 4 MiB to 64 GiB, such as 64 << 20")
      }
      if let budget, budget < .microseconds(1) || budget > .seconds(3600) {
        throw .option("budget", "\(budget) is no length of a job from 1 µs to an hour, such as .milliseconds(16.7)")
      }
      if let file, file.isEmpty || file.utf8.contains(0) { throw .option("file", "it is no name of a file") }
    }

    var frameNanoseconds: UInt64 { Self.nanoseconds(.seconds(1) / hertz) }
    var budgetNanoseconds: UInt64 { Self.nanoseconds(budget ?? .seconds(1) / hertz) }

    private static func nanoseconds(_ duration: Duration) -> UInt64 {
      UInt64((duration / .nanoseconds(1)).rounded())
    }
  }
}
