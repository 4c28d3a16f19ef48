/// Modules of sources that no build describes: packages within a folder, applications of an Xcode project, and the rest.
import Foundation

extension PackageModules {
  /// Swift files below the root, for reading without a build. Links are followed only to what is outside: what is inside
  /// is read in its own place.
  func looseSources() -> [String] { walk().sources }

  /// What is below the root and was not read: nothing is known of it.
  struct Unread {
    var path: String
    /// Behind its path: "cannot be read".
    var reason: String
  }

  func unread() -> [Unread] { walk().unread.sorted { $0.path < $1.path } }

  /// Why there is nothing to read, and what to do about it.
  func nothingToRead(in path: String, includeTests: Bool) -> (message: String, advice: String) {
    let folders = walk()
    if folders.unread.contains(where: { $0.path == root }) {
      return ("'\(path)' cannot be read", "give yourself the right to read it: chmod u+rx '\(path)'")
    }
    let found = "there are no Swift sources to analyse in '\(path)'"
    if !includeTests, !folders.sources.isEmpty { return (found + ", only tests", "pass --include-tests") }
    if folders.hasC { return (found + ", only C", "the audit reads Swift: name a package that has some") }
    return (found, "name a package's directory")
  }

  /// Folders of what a package manager or a tool for releases put there, and will put there anew.
  private static let foreign: Set<String> = ["Pods", "Carthage", "DerivedData", "SourcePackages", "fastlane"]

  private static let c = [".c", ".cc", ".cpp", ".m", ".mm"]

  private struct Folders {
    var sources: [String] = []
    /// The folders that hold a manifest, and those that hold an Xcode project with its description.
    var packages: Set<String> = []
    var projects: [String: String] = [:]
    var unread: [Unread] = []
    /// Whether there are sources in C or a language of its family.
    var hasC = false
  }

  /// A Swift file, or what may be a folder.
  private static func mayHoldSwift(_ name: String) -> Bool { name.hasSuffix(".swift") || !name.contains(".") }

  private func walk() -> Folders {
    var found = Folders()
    var work = [root]
    // Where links to folders outside lead: two of them may lead into each other.
    var outside: Set<String> = []
    while let directory = work.popLast() {
      guard let names = FolderNames(directory) else {
        found.unread.append(Unread(path: directory, reason: "cannot be read"))
        continue
      }
      for name in names.unspelled where !name.hasPrefix(".") && PackageModules.mayHoldSwift(name) {
        found.unread.append(Unread(path: directory + "/" + name, reason: "has a name that is no UTF-8"))
      }
      for name in names.spelled where !name.hasPrefix(".") {
        let path = directory + "/" + name
        var status = stat()
        guard lstat(path, &status) == 0 else { continue }
        if status.st_mode & S_IFMT == S_IFLNK {
          guard stat(path, &status) == 0 else {
            if name.hasSuffix(".swift") {
              found.unread.append(Unread(path: path, reason: "is a link to nothing that can be read"))
            }
            continue
          }
          let real = PackageModules.resolved(path)
          if real == root || real.hasPrefix(root + "/") || (root + "/").hasPrefix(real + "/") { continue }
          if status.st_mode & S_IFMT == S_IFDIR, !outside.insert(real).inserted { continue }
        }
        if status.st_mode & S_IFMT == S_IFDIR {
          if name.hasSuffix(".xcodeproj") { found.projects[directory] = path + "/project.pbxproj" }
          if !PackageModules.foreign.contains(name) { work.append(path) }
        } else if status.st_mode & S_IFMT == S_IFREG, name.hasSuffix(".swift") {
          if name == "Package.swift" {
            found.packages.insert(directory)
          } else if !name.hasPrefix("Package@swift-") {
            found.sources.append(path)
          }
        } else if PackageModules.c.contains(where: { name.hasSuffix($0) }) {
          found.hasC = true
        }
      }
    }
    found.sources.sort()
    return found
  }

  /// Groups loose sources as the manifest of the nearest package says, or as SwiftPM would, by the folder under `Sources` or
  /// `Tests`; what lies in no package belongs to the nearest Xcode project.
  func looseModules(includeTests: Bool) -> [SourceModule] {
    let folders = walk()
    var groups: [String: SourceModule] = [:]
    var targets: [String: PackageTargets] = [:]
    var projects: [String: ManifestSettings] = [:]
    for source in folders.sources {
      let home = home(of: source, folders)
      let isPackage = folders.packages.contains(home)
      if isPackage, targets[home] == nil { targets[home] = PackageModules.targets(home) }
      if !isPackage, projects[home] == nil, let project = folders.projects[home] {
        projects[home] = PackageModules.settings(ofProject: project)
      }
      var module: SourceModule
      switch targets[home]?.target(of: source) {
      case .leftOut?: continue
      case .target(let target)?:
        module = SourceModule(
          name: PackageTargets.module(target.name), sources: [], command: nil, isTest: target.kind == .test)
      case .unknown?, nil: module = unnamedModule(of: source, in: home, folders)
      }
      let known = targets[home]?.settings[module.name] ?? projects[home]
      module.defaultIsolation = known?.isMainActorDefault == true ? "MainActor" : nil
      module.isNonsendingByDefault = known?.isNonsendingByDefault ?? false
      groups["\(home)\n\(module.name)\n\(module.isTest)", default: module].sources.append(source)
    }
    for (key, module) in groups where isTest(module.name, module.sources) { groups[key]?.isTest = true }
    return groups.filter { includeTests || !$0.value.isTest }
      .sorted { ($0.value.name, $0.key) < ($1.value.name, $1.key) }.map(\.value)
  }

  /// The module of a source that no manifest's target claims.
  private func unnamedModule(of source: String, in home: String, _ folders: Folders) -> SourceModule {
    let parts = source.dropFirst(home.count + 1).split(separator: "/").map(String.init)
    let isPackage = folders.packages.contains(home) || home == root
    let tests = isPackage ? PackageModules.testFolder(parts) : nil
    let isTest = tests != nil || folders.projects[home] != nil && parts.dropLast().contains { $0.hasSuffix("Tests") }
    let isNamed = isPackage && parts.count > 2 && parts[0] == "Sources"
    let name = isNamed ? parts[1] : tests ?? String(home.split(separator: "/").last ?? "Sources")
    return SourceModule(name: name, sources: [], command: nil, isTest: isTest)
  }

  /// The name of the tests that a package's source is one of, wherever its targets lie: `Tests/KitTests/A.swift`,
  /// `Platforms/Web/Tests/WebTests/A.swift`, `Core/Tests/A.swift`.
  private static func testFolder(_ parts: [String]) -> String? {
    guard let folder = parts.dropLast().firstIndex(where: { $0 == "Tests" || $0 == "Sources" }),
      parts[folder] == "Tests"
    else { return nil }
    if folder + 2 < parts.count { return parts[folder + 1] }
    return folder > 0 ? parts[folder - 1] + "Tests" : nil
  }

  /// The nearest folder above a source that holds a manifest or an Xcode project, and the root otherwise.
  private func home(of source: String, _ folders: Folders) -> String {
    var folder = source
    while let slash = folder.lastIndex(of: "/"), folder.count > root.count {
      folder = String(folder[..<slash])
      if folders.packages.contains(folder) || folders.projects[folder] != nil { return folder }
    }
    return root
  }

  private static func targets(_ package: String) -> PackageTargets? {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: package)) ?? []
    let texts = names.filter { Manifest.isName($0) }.sorted().compactMap { name in
      FileManager.default.contents(atPath: package + "/" + name).map { String(decoding: $0, as: UTF8.self) }
    }
    return Manifest.current(of: texts).map { PackageTargets(Manifest.read($0), of: package) }
  }

  private static func settings(ofProject project: String) -> ManifestSettings? {
    FileManager.default.contents(atPath: project).map { xcodeSettings(String(decoding: $0, as: UTF8.self)) }
  }

  /// What most configurations of an Xcode project say: its targets share the sources that are read as one module.
  static func xcodeSettings(_ text: String) -> ManifestSettings {
    func count(_ setting: String) -> Int { text.ranges(of: setting).count }
    return ManifestSettings(
      isMainActorDefault: count("SWIFT_DEFAULT_ACTOR_ISOLATION = MainActor")
        > count("SWIFT_DEFAULT_ACTOR_ISOLATION = nonisolated"),
      isNonsendingByDefault: count("SWIFT_APPROACHABLE_CONCURRENCY = YES")
        > count("SWIFT_APPROACHABLE_CONCURRENCY = NO")
        || count("SWIFT_UPCOMING_FEATURE_NONISOLATED_NONSENDING_BY_DEFAULT = YES") > 0)
  }
}
