/// The compiler that reads the code: its version, and whether we know its SIL.
import Foundation

public struct Toolchain: Sendable, Hashable {
  /// For example `6.3.1`.
  public var version: String
  /// The whole first line of `swiftc -version`: part of every cache key.
  var identity: String
  var compiler: String

  /// - Parameter compiler: the compiler of the build; the one in `PATH` when nil.
  /// - Throws: `FrontendFailure` when there is no compiler, or it does not answer.
  init(compiler: String?) throws {
    guard let compiler = compiler ?? CompilerProcess.find("swiftc") else {
      throw FrontendFailure(reason: "there is no swiftc in PATH; install a Swift toolchain or add it to PATH")
    }
    self.compiler = compiler
    let output = try CompilerProcess.run(compiler, ["--version"], directory: "/")
    let line = (output.standardOutput + output.standardError).split(separator: "\n").first { $0.contains("version") }
    guard let line, let found = line.range(of: "version ") else {
      throw FrontendFailure(reason: "\(compiler) does not say which version it is")
    }
    version = String(line[found.upperBound...].prefix { $0.isNumber || $0 == "." })
    identity = String(line)
  }

  init(version: String, identity: String, compiler: String) {
    self.version = version
    self.identity = identity
    self.compiler = compiler
  }

  /// Why its SIL is not read, or nil.
  var refusal: FrontendFailure? {
    if SILDialect.supports(version: version) { return nil }
    return FrontendFailure(
      reason: "Swift \(version) writes SIL that this version does not know (it knows "
        + SILDialect.supportedVersions.joined(separator: " and ") + ")")
  }
}
