/// What an audit reads: the modules of a build, of a build's log, or of a folder of sources.
import Foundation

extension AuditRun {
  mutating func modules() throws -> [SourceModule] {
    if let log = options.buildLog {
      guard let data = FileManager.default.contents(atPath: log) else {
        throw AuditFailure(
          kind: .usage, message: "cannot read the build log '\(log)'",
          advice: "name the file that holds the build's output")
      }
      let commands = BuildDescription.commands(log: String(decoding: data, as: UTF8.self), directory: package.root)
      let modules = package.modules(commands, includeTests: includeTests)
      if modules.isEmpty {
        throw AuditFailure(
          kind: .notAnalysed,
          message: "the build log '\(log)' has no compiler command lines for sources in \(package.root)",
          advice: "log a clean build verbosely, for example: swift build -v > \(log)")
      }
      return modules
    }
    if !options.sourceOnly, package.isPackage {
      try build()
      if let data = FileManager.default.contents(atPath: package.description) {
        let modules = package.modules(from: data, includeTests: includeTests)
        if !modules.isEmpty { return modules }
      }
    }
    let modules = package.looseModules(includeTests: includeTests)
    if modules.isEmpty {
      let (message, advice) = package.nothingToRead(in: options.path, includeTests: includeTests)
      throw AuditFailure(kind: .notAnalysed, message: message, advice: advice)
    }
    let unread = package.unread()
    unreadable = unread.map { relative($0.path) }
    notes += unread.map { "\($0.path) \($0.reason): what is in it was not analysed" }
    return modules
  }

  private mutating func build() throws {
    guard options.build else { return }
    if let data = FileManager.default.contents(atPath: package.description),
      package.isBuilt(
        BuildDescription.commands(swiftPM: data, package: package.root).filter { command in
          includeTests || !package.modules([command], includeTests: false).isEmpty
        })
    {
      return
    }
    guard let swift = CompilerProcess.find("swift") else {
      notes.append("there is no 'swift' in PATH to build with")
      return
    }
    progress(.building)
    var arguments = ["build", "--package-path", package.root, "--scratch-path", package.scratch]
    if includeTests { arguments.append("--build-tests") }
    do {
      let output = try CompilerProcess.run(swift, arguments, directory: package.root)
      if output.status != 0 {
        notes.append("the build failed: \(SILEmitter.firstError(output.standardError + output.standardOutput))")
        if access(package.nearestFolder(of: package.scratch), W_OK) != 0 {
          notes.append("\(package.scratch) may not be written: name another folder with --scratch-path")
        }
      }
    } catch let failure as FrontendFailure {
      notes.append(failure.reason)
    }
  }
}
