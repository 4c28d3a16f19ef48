/// Asks the compiler for the SIL of source files, several files a process.
import Foundation

/// A front-end command line without sources: what every file of a module has in common.
struct FrontendInvocation: Sendable, Hashable, Codable {
  var frontend: String
  var arguments: [String]
}

struct SILEmitter: Sendable {
  /// Asked of the driver with every emission: locations in the text, no comments about uses, nothing else printed.
  static let options = [
    "-emit-sil", "-suppress-warnings", "-Xllvm", "-sil-print-debuginfo", "-Xllvm", "-sil-print-no-uses",
  ]

  /// Turns a driver's command line into the front end's, by asking the driver.
  ///
  /// - Throws: `FrontendFailure` with the driver's own words.
  static func invocation(for command: CompileCommand) throws -> FrontendInvocation {
    if command.isFrontend {
      let drop: Set<String> = ["-emit-sil", "-emit-silgen", "-emit-ir", "-emit-bc", "-typecheck"]
      return FrontendInvocation(
        frontend: command.compiler,
        arguments: ["-frontend"] + options.filter { $0 != "-emit-sil" }
          + command.arguments.filter { !drop.contains($0) })
    }
    guard let source = command.sources.first else { throw FrontendFailure(reason: "the module has no Swift sources") }
    let output = try CompilerProcess.run(
      command.compiler, command.arguments + options + ["-wmo", "-###", source], directory: command.directory)
    guard output.status == 0 else { throw FrontendFailure(reason: firstError(output.standardError)) }
    for line in output.standardOutput.split(separator: "\n") where line.contains(" -frontend ") {
      var words = ShellWords.split(line)
      let frontend = words.removeFirst()
      var kept: [String] = []
      var index = 0
      while index < words.count {
        let word = words[index]
        index += 1
        if word == "-o" || word == "-primary-file" {
          index += 1
          continue
        }
        if word == "-emit-sil" || word == source { continue }
        kept.append(word)
      }
      return FrontendInvocation(frontend: frontend, arguments: kept)
    }
    throw FrontendFailure(reason: "the compiler driver named no front-end job")
  }

  /// Emits the SIL of some files of a module.
  ///
  /// - Parameters:
  ///   - files: the files to emit, each with where its text goes.
  ///   - sources: all files of the module, in the build's order.
  /// - Throws: `FrontendFailure` with the compiler's first error.
  static func emit(
    _ files: [(source: String, output: String)], of sources: [String], with invocation: FrontendInvocation,
    directory: String
  ) throws {
    let primaries = Set(files.map(\.source))
    let outputs = Dictionary(files.map { ($0.source, $0.output) }, uniquingKeysWith: { first, _ in first })
    var arguments = invocation.arguments
    if arguments.first == "-frontend" { arguments.removeFirst() }
    var list = ["-frontend", "-emit-sil"]
    for source in sources {
      if primaries.contains(source) { list.append("-primary-file") }
      list.append(source)
    }
    list += arguments
    // Outputs pair with primaries in the order of the sources.
    for source in sources where primaries.contains(source) {
      if let output = outputs[source] { list += ["-o", output] }
    }
    let result = try CompilerProcess.run(invocation.frontend, list, directory: directory)
    guard result.status == 0 else { throw FrontendFailure(reason: firstError(result.standardError)) }
  }

  /// The first error of a compiler's output that says what is wrong, or its first line.
  static func firstError(_ text: String) -> String {
    let lines = text.split(separator: "\n")
    let errors = lines.filter { $0.contains("error:") }
    // How a manifest was compiled fills a line by itself, before what is wrong with it.
    let line =
      errors.first { !$0.contains("Invalid manifest (compiled with") } ?? errors.first ?? lines.first
      ?? "the compiler failed and said nothing"
    return String(line.prefix(300))
  }
}
