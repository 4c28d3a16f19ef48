import Foundation
import Testing

/// The package as it lies on disk: its folder, its files, and the tools that look at it.
enum Project {
  static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  static func text(_ path: String) throws -> String {
    try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
  }

  static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: "\(root)/\(path)") }

  /// Every file below a folder, by its path from the root, sorted. What a build makes is not looked at.
  static func files(under folder: String, endingIn suffixes: [String]) -> [String] {
    guard let names = FileManager.default.enumerator(atPath: "\(root)/\(folder)") else { return [] }
    var found: [String] = []
    for case let name as String in names {
      if name.hasSuffix(".build") {
        names.skipDescendants()
      } else if suffixes.contains(where: name.hasSuffix) {
        found.append("\(folder)/\(name)")
      }
    }
    return found.sorted()
  }

  /// The files that belong to the project: those that git tracks, and, where there is no repository, all of them.
  static func trackedFiles() throws -> [String] {
    let listing = try run("git", ["-c", "safe.directory=*", "-C", root, "ls-files", "-z"])
    if listing.status == 0 { return listing.output.split(separator: "\0").map(String.init).filter(exists) }
    let folders = ["Sources", "Tests", "Examples", "Documentation", "Plugins", "scripts", ".ci"]
    return ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "Makefile", "Package.swift"]
      + folders.flatMap { files(under: $0, endingIn: [""]) }.filter { !isFolder($0) }
  }

  private static func isFolder(_ path: String) -> Bool {
    var folder: ObjCBool = false
    return FileManager.default.fileExists(atPath: "\(root)/\(path)", isDirectory: &folder) && folder.boolValue
  }

  /// Runs a program that is on `PATH`, and returns what it wrote and how it ended.
  static func run(_ name: String, _ arguments: [String]) throws -> (output: String, status: Int32) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [name] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (String(decoding: output, as: UTF8.self), process.terminationStatus)
  }

  /// A tool of the toolchain, which need not be on `PATH`: it lies beside the compiler.
  static func toolchain(_ name: String) -> String {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let places = folders.map {
      URL(fileURLWithPath: "\($0)/swift").resolvingSymlinksInPath().deletingLastPathComponent()
    }
    return places.map { $0.appendingPathComponent(name).path }.first(where: FileManager.default.isExecutableFile)
      ?? name
  }

  /// The folder that holds this test bundle, and with it everything that was built.
  static func products() throws -> String {
    let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(fileURLWithPath: bundle).deletingLastPathComponent().path
  }
}

extension String {
  /// All matches of a regular expression: of its one group when it has one, and otherwise whole.
  func matches(of pattern: String) throws -> [String] {
    let expression = try NSRegularExpression(pattern: pattern, options: [.anchorsMatchLines])
    let whole = NSRange(startIndex..., in: self)
    return expression.matches(in: self, range: whole).compactMap { match in
      Range(match.range(at: match.numberOfRanges - 1), in: self).map { String(self[$0]) }
    }
  }

  /// The rows of every table in a Markdown text, cell by cell; headings and rules are left out.
  var tableRows: [[String]] {
    let rows = split(separator: "\n").filter { $0.hasPrefix("|") }.map { line in
      line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
        .map { $0.trimmingCharacters(in: .whitespaces) }
    }
    return rows.enumerated().compactMap { index, row in
      isRule(row) || (index + 1 < rows.count && isRule(rows[index + 1])) ? nil : row
    }
  }

  private func isRule(_ row: [String]) -> Bool {
    !row.isEmpty && row.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0 == "-" || $0 == ":" } }
  }
}
