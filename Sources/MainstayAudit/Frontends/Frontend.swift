/// What every way of reading code offers: the facts of a module, or why there are none.
protocol Frontend {
  /// Reads the files of a module.
  ///
  /// - Throws: `FrontendFailure` when the module cannot be read this way.
  func read(_ module: SourceModule) throws -> [FileFacts]
}

/// A module to read: its sources, and how it is compiled when that is known.
struct SourceModule: Sendable, Hashable {
  var name: String
  var sources: [String]
  var command: CompileCommand?
  var isTest: Bool
}

/// Why a module could not be read.
struct FrontendFailure: Error, Sendable, Hashable, CustomStringConvertible {
  var reason: String
  var description: String { reason }
}
