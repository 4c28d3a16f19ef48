/// Where what was read is kept between runs: with a package's build, and otherwise where the user's caches are.
///
/// Nothing is written into a folder whose owner would then have to ignore it by hand.
import Foundation

struct CachePlace {
  /// `$XDG_CACHE_HOME`, or `~/.cache`; nil where neither is known.
  var caches: String?
  var now = Date()

  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    func absolute(_ path: String?) -> String? { path.flatMap { $0.hasPrefix("/") ? $0 : nil } }
    caches = absolute(environment["XDG_CACHE_HOME"]) ?? absolute(environment["HOME"]).map { $0 + "/.cache" }
  }

  /// The folder for what is read of a package or of any other folder; nil when there is none that may be written to.
  ///
  /// - Parameter builds: whether the audit builds the package, and so makes its scratch folder.
  func directory(for package: PackageModules, builds: Bool) -> String? {
    if package.isPackage, let place = besideBuild(package, builds: builds) { return place }
    guard let caches else { return nil }
    let all = caches + "/mainstay"
    var hash = ContentHash()
    hash.add(package.root)
    let own = all + "/" + hash.digest
    let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
    guard
      (try? FileManager.default.createDirectory(
        atPath: own, withIntermediateDirectories: true, attributes: attributes)) != nil, access(own, W_OK) == 0
    else { return nil }
    try? FileManager.default.setAttributes([.modificationDate: now], ofItemAtPath: own)
    forget(in: all)
    return own
  }

  private func besideBuild(_ package: PackageModules, builds: Bool) -> String? {
    let isThere = FileManager.default.fileExists(atPath: package.scratch)
    guard isThere || builds else { return nil }
    let place = package.scratch + "/mainstay"
    guard (try? FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)) != nil else {
      return nil
    }
    return access(place, W_OK) == 0 ? place : nil
  }

  /// Days without an audit after which nobody comes back to a folder: it may be gone.
  private static let days = 60.0

  /// Removes what was read of folders that nobody audited for long: nothing else would.
  private func forget(in all: String) {
    let files = FileManager.default
    for name in (try? files.contentsOfDirectory(atPath: all)) ?? [] {
      let path = all + "/" + name
      guard let used = try? files.attributesOfItem(atPath: path)[.modificationDate] as? Date,
        now.timeIntervalSince(used) > CachePlace.days * 86_400
      else { continue }
      try? files.removeItem(atPath: path)
    }
  }
}
