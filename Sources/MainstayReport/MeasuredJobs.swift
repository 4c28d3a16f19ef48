/// What one or several runs measured, by job: the side of the join that the runtime tells.
import Foundation
import MainstayFindings
import MainstayTrace

/// Where a measured job begins, in the terms that a job of the source has.
struct MeasuredPlace: Hashable, Sendable {
  /// The mangled name as source has it: no specialisation, no forwarder, no piece.
  var symbol: String
  /// The line of the await that it resumes from.
  var line: Int
  /// Whether the function begins here, rather than resumes.
  var isStart: Bool
  /// Whether `line` is known to be the await's: not without debug information.
  var isPlaced: Bool
  var executor: String

  var isOnMain: Bool { executor == "MainActor" || executor == "main queue" }

  /// How well a job of the source fits.
  enum Match: Int, Comparable, Sendable {
    /// Only the function is the same: which of its jobs this is, nothing says.
    case function
    /// The function is part of its caller here, and this is the await for it: which of its jobs, nothing says.
    case caller
    case job

    static func < (left: Match, right: Match) -> Bool { left.rawValue < right.rawValue }
  }

  func match(_ key: JobKey) -> Match? {
    guard symbol == key.symbol, fits(key.executor) else { return nil }
    if key.ordinal == 0 { return isStart ? .job : nil }
    if isStart { return nil }
    if !isPlaced { return key.isCaller ? nil : .function }
    return line != key.location.line ? nil : key.isCaller ? .caller : .job
  }

  /// A recording names the executor's type; the source may spell it with the types around it, or not know it at all.
  private func fits(_ wanted: String) -> Bool {
    switch wanted {
    case "": true
    case "MainActor": isOnMain
    case "pool": executor == "pool"
    default: !isOnMain && executor != "pool"
    }
  }
}

struct MeasuredJob: Sendable {
  var place: MeasuredPlace
  var function: String
  var jobs: Int
  var worstMilliseconds: Double
  /// Whether it overran the budget of the run that it was measured in.
  var isOverBudget: Bool
}

struct MeasuredStall: Sendable {
  var place: MeasuredPlace
  var stall: RunSummary.Stall
}

struct MeasuredInterleaving: Sendable {
  var place: MeasuredPlace
  var count: Int
}

/// Several runs, added up.
struct MeasuredRuns: Sendable {
  private(set) var jobs: [MeasuredJob] = []
  private(set) var stalls: [MeasuredStall] = []
  private(set) var interleavings: [MeasuredInterleaving] = []
  /// The modules of what was recorded, by program.
  private(set) var modules: [(program: String, names: Set<String>)] = []

  init(_ summaries: [RunSummary]) {
    let demangler = Demangler()
    var names: [String: FunctionName] = [:]
    func name(_ key: String) -> FunctionName {
      if let known = names[key] { return known }
      let name = FunctionName(symbol: key, demangler: demangler)
      names[key] = name
      return name
    }
    for summary in summaries {
      var modules: Set<String> = []
      for function in summary.functions {
        if let module = name(function.key).module { modules.insert(module) }
        let isStart = function.resume == nil
        jobs.append(
          MeasuredJob(
            place: MeasuredPlace(
              symbol: name(function.key).sourceKey, line: function.line, isStart: isStart,
              isPlaced: Self.isPlaced(function.line, function.position), executor: function.executor),
            function: function.function, jobs: function.jobs, worstMilliseconds: function.worstMilliseconds,
            isOverBudget: function.worstMilliseconds > summary.budgetMilliseconds))
      }
      for stall in summary.stalls {
        stalls.append(
          MeasuredStall(
            place: MeasuredPlace(
              symbol: name(stall.key).sourceKey, line: stall.line, isStart: stall.resume == nil,
              isPlaced: Self.isPlaced(stall.line, stall.position),
              executor: stall.kind == .block ? "main queue" : "MainActor"),
            stall: stall))
      }
      for found in summary.interleavings {
        interleavings.append(
          MeasuredInterleaving(
            place: MeasuredPlace(
              symbol: name(found.key).sourceKey, line: found.line, isStart: found.resume == nil,
              isPlaced: found.line > 0 && !found.file.isEmpty, executor: found.executor),
            count: found.count))
      }
      self.modules.append((summary.program, modules.subtracting(Self.runtime)))
    }
  }

  /// A piece that nothing places is labelled with the compiler's own number.
  private static func isPlaced(_ line: Int, _ position: String) -> Bool { line > 0 && !position.hasPrefix("resume ") }

  /// Modules of the toolchain: parts of every program.
  private static let runtime: Set<String> = [
    "Swift", "_Concurrency", "Foundation", "FoundationEssentials", "Dispatch", "_StringProcessing", "Synchronization",
    "__C",
  ]
}

extension RunSummary {
  /// The program's name: a recording has its path.
  var program: String {
    let path = process.executable
    return String(path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...])
  }
}
