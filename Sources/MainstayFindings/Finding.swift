/// One defect: the rule it breaks, where it stands, why we believe it, and what to do about it.
public struct Finding: Sendable, Hashable, Codable {
  /// The rule's identifier as a person writes it in a suppression, for example `check_then_act`.
  public var rule: String
  /// The rule's stable code, for example `MS201`.
  public var code: String
  public var severity: Severity
  public var confidence: Confidence
  /// One sentence that states the defect.
  public var message: String
  /// One sentence that says what to do.
  public var action: String
  /// The function that the finding is about, spelled for a person.
  public var function: String
  /// The same function as the linker spells it: the key that joins a finding with measured jobs.
  public var symbol: String
  /// Where `function` runs, and where that isolation comes from.
  public var isolation: String
  public var location: SourceLocation
  /// The steps that lead to the defect, in the order in which they run.
  public var path: [PathStep]
  /// The isolated or async functions that reach the defect, the nearest first.
  public var roots: [String]
  /// What distinguishes this defect within its function whatever the line: part of the fingerprint.
  public var subject: String
  /// The jobs in which the defect does its harm, as a measurement names them; empty when no job can be named.
  public var jobs: [JobKey]

  public init(
    rule: String, code: String, severity: Severity, confidence: Confidence, message: String, action: String,
    function: String, symbol: String, isolation: String, location: SourceLocation, path: [PathStep],
    roots: [String], subject: String, jobs: [JobKey] = []
  ) {
    self.rule = rule
    self.code = code
    self.severity = severity
    self.confidence = confidence
    self.message = message
    self.action = action
    self.function = function
    self.symbol = symbol
    self.isolation = isolation
    self.location = location
    self.path = path
    self.roots = roots
    self.subject = subject
    self.jobs = jobs
  }

  /// Identifies the same defect across edits that move lines: rule, function, subject and file, never a line.
  public var fingerprint: String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for part in [rule, function, subject, location.file] {
      for byte in part.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      hash = (hash ^ 0xff) &* 0x100_0000_01b3
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// One step of the path that leads to a defect.
public struct PathStep: Sendable, Hashable, Codable {
  public var location: SourceLocation
  public var text: String

  public init(location: SourceLocation, text: String) {
    self.location = location
    self.text = text
  }
}
