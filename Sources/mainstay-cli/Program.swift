import Foundation
import MainstayAudit
import MainstayTrace

/// The program to run, found and looked at before it is started: what can be said early is said early.
struct Program {
  let path: String
  let arguments: [String]

  enum Problem: Error, CustomStringConvertible {
    case missing(String)
    case isDirectory(String)
    case notExecutable(String)

    var description: String {
      switch self {
      case .missing(let name):
        name.contains("/")
          ? "there is no program at \(PlainText.of(name)). Build it first, or name another."
          : "there is no program '\(PlainText.of(name))' on PATH. For one in this folder write ./\(ShellWord.of(name))"
      case .isDirectory(let path): "\(PlainText.of(path)) is a folder, not a program."
      case .notExecutable(let path):
        "\(PlainText.of(path)) may not be executed. Make it executable: chmod +x \(ShellWord.of(path))"
      }
    }
  }

  init(_ command: [String], environment: [String: String]) throws(Problem) {
    let name = command[0]
    arguments = Array(command.dropFirst())
    path = try Self.find(name, environment)
  }

  private static func find(_ name: String, _ environment: [String: String]) throws(Problem) -> String {
    if name.contains("/") {
      try check(name)
      return name
    }
    for folder in (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":") {
      let path = "\(folder)/\(name)"
      if access(path, X_OK) == 0, !isDirectory(path) { return path }
    }
    throw .missing(name)
  }

  private static func check(_ path: String) throws(Problem) {
    guard access(path, F_OK) == 0 else { throw .missing(path) }
    if isDirectory(path) { throw .isDirectory(path) }
    guard access(path, X_OK) == 0 else { throw .notExecutable(path) }
  }

  private static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Why the recorder will not see this executable's jobs, as far as the file itself says; nil when nothing stands
  /// against it. Scripts and programs that start others are for the recorder to judge.
  func obstacle() -> String? {
    guard let image = try? ELFImage(path: path) else { return nil }
    if image.machine != 62 { return "it is not built for x86-64. Recording needs a program for this machine." }
    // Swift code in it, but not the runtime's library beside it: the runtime is linked in.
    let isSwift = image.sections.contains { $0.name.hasPrefix("swift5_") }
    guard isSwift, !image.neededLibraries.contains(where: { $0.hasPrefix("libswiftCore.so") }) else { return nil }
    guard !image.hasSymbolTable else { return nil }
    return "its Swift runtime is linked statically and stripped. "
      + "Build it without -static-stdlib, or keep its symbols."
  }
}
