/// Which finding explains which stall: first by where its stack stood, then by the job that it was.
import MainstayFindings
import MainstayTrace

struct StallExplanations {
  struct Explained {
    var stalls: [MeasuredStall] = []
    /// Whether the stack of one of them stood on the finding's path.
    var isSeen = false
  }

  private var byFinding: [Int: Explained] = [:]
  private(set) var unexplained: [MeasuredStall] = []

  init(_ findings: [AuditDocument.Finding], _ runs: MeasuredRuns) {
    let candidates = findings.indices.filter { Foresight.length.contains(findings[$0].rule) }
    for stall in runs.stalls {
      let explaining = Self.explaining(stall, findings, candidates)
      for index in explaining {
        byFinding[index, default: Explained()].stalls.append(stall)
        if stall.frames.contains(where: { $0.stands(on: findings[index].path) }) {
          byFinding[index, default: Explained()].isSeen = true
        }
      }
      if explaining.isEmpty { unexplained.append(stall) }
    }
  }

  func stalls(of finding: Int) -> Explained { byFinding[finding] ?? Explained() }

  /// A stack that stands in the call that a finding names is the best evidence. Failing that, the job decides; but when
  /// the stack is known and stands nowhere on the finding's path, the job was long for another reason.
  private static func explaining(
    _ stall: MeasuredStall, _ findings: [AuditDocument.Finding], _ candidates: [Int]
  ) -> [Int] {
    let frames = stall.frames
    let seen = candidates.filter { index in
      findings[index].path.last.map { step in frames.contains { $0.stands(at: step) } } ?? false
    }
    if !seen.isEmpty { return seen }
    let fitting = candidates.compactMap { index in
      stall.place.match(among: findings[index].measurable).map { (index, $0) }
    }
    let best = fitting.map(\.1).max()
    let sameJob = fitting.filter { $0.1 == best }.map(\.0)
    if frames.isEmpty { return sameJob }
    return sameJob.filter { index in frames.contains { $0.stands(on: findings[index].path) } }
  }
}

extension MeasuredStall {
  /// Where the program's own code stood, in all samples.
  fileprivate var frames: [RunSummary.Place] {
    stall.samples.flatMap(\.frames).filter { $0.path.hasSuffix(".swift") && $0.line > 0 }
  }
}

extension RunSummary.Place {
  /// The compiler was given an absolute path, the audit says it relative to the package.
  fileprivate func stands(on path: [SourceLocation]) -> Bool { path.contains { stands(at: $0) } }

  fileprivate func stands(at location: SourceLocation) -> Bool {
    line == location.line && (path == location.file || path.hasSuffix("/" + location.file))
  }
}
