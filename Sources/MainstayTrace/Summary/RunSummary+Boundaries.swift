import CMainstayTrace

extension RunSummary {
  /// What the library's boundaries told, in the order of their names and places.
  static func boundaries(_ recording: Recording) -> [Boundary] {
    recording.boundaries.map(Boundary.init).sorted {
      ($0.name, $0.file, $0.line, $0.contract, $0.kind.rawValue) < (
        $1.name, $1.file, $1.line, $1.contract, $1.kind.rawValue
      )
    }
  }
}

extension RunSummary.Boundary {
  init(_ recorded: mainstay_boundary) {
    let counts = withUnsafeBytes(of: recorded.counts) { Array($0.bindMemory(to: UInt64.self)) }
    func count(_ index: mainstay_boundary_count) -> Int { Int(counted: counts[Int(index.rawValue)]) }
    func milliseconds(_ index: mainstay_boundary_count) -> Double? {
      let nanoseconds = counts[Int(index.rawValue)]
      return nanoseconds == .max ? nil : Double(nanoseconds) / 1e6
    }
    self.init(
      name: string(recorded.name), contract: string(recorded.contract), callbacks: count(MAINSTAY_BOUNDARY_CALLBACKS),
      onMain: count(MAINSTAY_BOUNDARY_ON_MAIN), offMain: count(MAINSTAY_BOUNDARY_OFF_MAIN),
      inversions: count(MAINSTAY_BOUNDARY_INVERSIONS), p50Milliseconds: milliseconds(MAINSTAY_BOUNDARY_P50),
      p99Milliseconds: milliseconds(MAINSTAY_BOUNDARY_P99),
      queues: string(recorded.queues).split(separator: "\n").map(String.init),
      cannotTell: count(MAINSTAY_BOUNDARY_CANNOT_TELL), exercised: count(MAINSTAY_BOUNDARY_CALLBACKS) > 0,
      kind: recorded.kind == MAINSTAY_BOUNDARY_HOPPING.rawValue ? .hopping : .asserted, file: string(recorded.file),
      line: Int(recorded.line))
  }

  /// Whether a promise was seen to be broken.
  var isBroken: Bool { kind == .asserted && offMain > 0 }
}
