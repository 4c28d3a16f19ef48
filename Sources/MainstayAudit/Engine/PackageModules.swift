/// Which modules a package has, how they are compiled, and whether the build is as new as the sources.
import Foundation

struct PackageModules {
  /// The package's directory, without symbolic links.
  let root: String
  let scratch: String

  /// - Parameter scratchPath: where SwiftPM builds: `.build` inside the package when nil. Like every path, a relative one
  ///   is meant from the working directory.
  init(path: String, scratchPath: String? = nil) {
    root = PackageModules.resolved(PackageModules.absolute(path))
    scratch = scratchPath.map { PackageModules.resolved(PackageModules.absolute($0)) } ?? root + "/.build"
  }

  /// - Throws: `AuditFailure` when a path names no directory.
  static func requireDirectory(_ path: String) throws {
    let (isThere, isFolder) = WrittenFile.state(of: path)
    if isFolder { return }
    throw isThere
      ? AuditFailure(
        kind: .usage, message: "'\(path)' is a file", advice: "name the directory of the package that it is in")
      : AuditFailure(kind: .usage, message: "there is no directory '\(path)'", advice: "name a package's directory")
  }

  private static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }

  /// A folder, or the nearest above it that is there.
  func nearestFolder(of path: String) -> String {
    var folder = path
    while !FileManager.default.fileExists(atPath: folder), let slash = folder.lastIndex(of: "/"),
      slash > folder.startIndex
    {
      folder = String(folder[..<slash])
    }
    return folder
  }

  static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  var isPackage: Bool { FileManager.default.fileExists(atPath: root + "/Package.swift") }
  var description: String { scratch + "/debug.yaml" }

  /// The modules of a SwiftPM build: the package's own, not those that it depends on.
  func modules(from data: Data, includeTests: Bool) -> [SourceModule] {
    modules(BuildDescription.commands(swiftPM: data, package: root), includeTests: includeTests)
  }

  func modules(_ commands: [CompileCommand], includeTests: Bool) -> [SourceModule] {
    var modules: [SourceModule] = []
    for command in commands where !command.sources.isEmpty {
      let written = command.sources.filter { isOwn($0) }
      guard !written.isEmpty else { continue }
      let isTest = isTest(command.module, written)
      if isTest, !includeTests { continue }
      modules.append(
        SourceModule(name: command.module, sources: command.sources, command: command, isTest: isTest))
    }
    return modules.sorted { $0.name < $1.name }
  }

  /// Whether a person of this package wrote the file: it is inside, and not in a build or checkout directory.
  func isOwn(_ file: String) -> Bool {
    guard file.hasPrefix(root + "/") else { return false }
    let inner = file.dropFirst(root.count + 1)
    if file.hasPrefix(scratch + "/") { return false }
    return !inner.split(separator: "/").dropLast().contains { $0 == ".build" || $0 == "checkouts" }
  }

  func isTest(_ module: String, _ sources: [String]) -> Bool {
    sources.allSatisfy { $0.dropFirst(root.count).contains("/Tests/") }
      || module.hasSuffix("Tests") && sources.allSatisfy { !$0.contains("/Sources/") }
  }

  /// Whether every source was compiled since it was last changed, so that building again would change nothing.
  func isBuilt(_ commands: [CompileCommand]) -> Bool {
    guard let described = date(description) else { return false }
    for file in ["Package.swift", "Package.resolved"] {
      if let changed = date(root + "/" + file), changed > described { return false }
    }
    var directories: Set<String> = []
    var outputs: [String: [String: Date]] = [:]
    for command in commands {
      for source in command.sources where isOwn(source) {
        guard let changed = date(source) else { return false }
        let directory = String(source[..<(source.lastIndex(of: "/") ?? source.endIndex)])
        directories.insert(directory)
        let folder = "\(scratch)/debug/\(command.module).build"
        if outputs[folder] == nil { outputs[folder] = [:] }
        let object = folder + "/" + source.dropFirst(directory.count + 1) + ".o"
        guard let built = date(object), built >= changed else { return false }
      }
    }
    for directory in directories {
      if let changed = date(directory), changed > described.addingTimeInterval(1) { return false }
    }
    return !commands.isEmpty
  }

  private func date(_ path: String) -> Date? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return Date(
      timeIntervalSince1970: Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1_000_000_000)
  }
}
