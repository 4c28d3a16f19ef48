/// Places as they are found from the working directory: what a person clicks on, and what a check of a whole repository needs.
import Foundation
import MainstayFindings

extension AuditResult {
  /// The files of findings, notes and reasons named from the working directory where the package lies below it, and from the package otherwise.
  public var seenFromWorkingDirectory: AuditResult {
    guard !folder.isEmpty else { return self }
    var result = self
    result.notes = placedNotes
    for index in result.modules.indices { result.modules[index].reason = result.modules[index].placedReason }
    for index in result.findings.indices where result.findings[index].rule != ToolRules.expected.id {
      result.findings[index].location.file = placed(result.findings[index].location.file)
      for step in result.findings[index].path.indices {
        result.findings[index].path[step].location.file = placed(result.findings[index].path[step].location.file)
      }
    }
    return result
  }

  private func placed(_ file: String) -> String { file.hasPrefix("/") ? file : folder + file }

  /// The same for the package at a path.
  public static func folder(ofPackage path: String) -> String { folder(of: PackageModules(path: path).root) }

  /// The way from the working directory down to a package, `Examples/`; empty where there is none.
  static func folder(of root: String) -> String {
    let directory = PackageModules.resolved(FileManager.default.currentDirectoryPath)
    let prefix = directory.hasSuffix("/") ? directory : directory + "/"
    return root.hasPrefix(prefix) ? root.dropFirst(prefix.count) + "/" : ""
  }
}
