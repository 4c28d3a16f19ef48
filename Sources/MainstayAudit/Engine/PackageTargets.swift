/// Which target of a package a source belongs to, by the folders that the manifest names and those that SwiftPM looks into.
import Foundation

struct PackageTargets {
  private struct Place {
    var target: Manifest.Target
    /// The folder of its sources, with a slash behind it.
    var folder: String
    var only: [String]?
    var excluded: [String]

    func contains(_ source: String) -> Bool { source.hasPrefix(folder) }

    func has(_ source: String) -> Bool {
      func isIn(_ path: String) -> Bool { source == path || source.hasPrefix(path + "/") }
      return contains(source) && !excluded.contains(where: isIn) && (only?.contains(where: isIn) ?? true)
    }
  }

  enum Answer {
    case target(Manifest.Target)
    /// It lies in a target's folder, and the manifest says that it is no source.
    case leftOut
    case unknown
  }

  private let places: [Place]
  /// By the target's name.
  let settings: [String: ManifestSettings]

  /// - Parameter package: the directory that holds the manifest.
  init(_ manifest: Manifest, of package: String) {
    places = manifest.targets.compactMap { target in
      guard let folder = PackageTargets.folder(of: target, in: manifest, package) else { return nil }
      return Place(
        target: target, folder: folder + "/", only: target.sources.map { $0.map { PackageTargets.join(folder, $0) } },
        excluded: target.excluded.map { PackageTargets.join(folder, $0) })
    }.sorted { ($0.folder.utf8.count, $0.target.name) > ($1.folder.utf8.count, $1.target.name) }
    settings = Dictionary(
      manifest.targets.map { (PackageTargets.module($0.name), $0.settings) }, uniquingKeysWith: { first, _ in first })
  }

  /// The target of a source: of several whose folders hold it, the innermost that does not exclude it.
  func target(of source: String) -> Answer {
    if let place = places.first(where: { $0.has(source) }) { return .target(place.target) }
    return places.contains { $0.contains(source) } ? .leftOut : .unknown
  }

  /// A target's name as its module is imported: `swift-cli` is `swift_cli`.
  static func module(_ name: String) -> String {
    let plain = String(name.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
    return plain.first?.isNumber == true ? "_" + plain : plain
  }

  private static func folder(of target: Manifest.Target, in manifest: Manifest, _ package: String) -> String? {
    if let path = target.path { return join(package, path) }
    let usual: [String] =
      switch target.kind {
      case .regular: ["Sources", "Source", "src", "srcs"]
      case .test: ["Tests", "Sources", "Source", "src", "srcs"]
      case .plugin: ["Plugins"]
      }
    guard let parent = usual.map({ package + "/" + $0 }).first(where: isDirectory) else { return nil }
    let own = parent + "/" + target.name
    if isDirectory(own) { return own }
    // A target that is the only one of its kind may have the whole folder.
    return manifest.targets.count { $0.kind == target.kind } == 1 ? parent : nil
  }

  private static func isDirectory(_ path: String) -> Bool {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
  }

  /// `./A//B/` below a folder, without what says nothing.
  private static func join(_ folder: String, _ path: String) -> String {
    var parts = folder.split(separator: "/").map(String.init)
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(String(part)) }
    }
    return "/" + parts.joined(separator: "/")
  }
}
