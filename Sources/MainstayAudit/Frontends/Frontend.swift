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
  /// The isolation of declarations that say nothing, when the module sets one.
  var defaultIsolation: String?
  /// Whether nonisolated async functions run wherever their caller does.
  var isNonsendingByDefault: Bool

  init(name: String, sources: [String], command: CompileCommand?, isTest: Bool) {
    self.name = name
    self.sources = sources
    self.command = command
    self.isTest = isTest
    defaultIsolation = command?.defaultIsolation
    isNonsendingByDefault = command?.arguments.contains("NonisolatedNonsendingByDefault") ?? false
  }
}

/// Why a module could not be read.
struct FrontendFailure: Error, Sendable, Hashable, CustomStringConvertible {
  var reason: String
  var description: String { reason }
}
