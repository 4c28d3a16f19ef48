/// Where an audit keeps what it read: never in a folder whose owner would have to clean up after it.
import Foundation
import Testing

@testable import MainstayAudit

@Suite struct CachePlaceTests {
  private let root = PackageModules.resolved(NSTemporaryDirectory()) + "/mainstay-place-\(UUID().uuidString)"

  private func place(_ environment: [String: String]? = nil) -> CachePlace {
    CachePlace(environment: environment ?? ["XDG_CACHE_HOME": root + "/caches", "HOME": root + "/home"])
  }

  private func folder(_ files: [String]) throws -> PackageModules {
    for file in files {
      let url = URL(fileURLWithPath: root + "/audited/" + file)
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: url)
    }
    return PackageModules(path: root + "/audited")
  }

  private func made() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: root + "/audited").filter { !$0.hasSuffix(".swift") }.sorted()
  }

  @Test("a folder that is no package is kept among the user's caches, and stays as it was") func project() throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    let package = try folder(["App/A.swift"])
    let kept = try #require(place().directory(for: package, builds: true))
    #expect(kept.hasPrefix(root + "/caches/mainstay/"))
    #expect(place().directory(for: package, builds: false) == kept)
    #expect(try made() == ["App"])
    let rights = try FileManager.default.attributesOfItem(atPath: kept)[.posixPermissions] as? Int
    #expect(rights == 0o700)
    let home = try #require(place(["HOME": root + "/home"]).directory(for: package, builds: true))
    #expect(home.hasPrefix(root + "/home/.cache/mainstay/"))
  }

  @Test("a package keeps it with its build, and among the user's caches when it is not built") func package() throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    let package = try folder(["Package.swift", "Sources/A/A.swift"])
    #expect(place().directory(for: package, builds: false)?.hasPrefix(root + "/caches/mainstay/") == true)
    #expect(try made() == ["Sources", "Sources/A"])
    #expect(place().directory(for: package, builds: true) == package.scratch + "/mainstay")
    #expect(place().directory(for: package, builds: false) == package.scratch + "/mainstay")
  }

  @Test(
    "where nothing may be written nothing is kept",
    arguments: [
      [:], ["HOME": "relative"], ["HOME": "/proc/self/nowhere"], ["XDG_CACHE_HOME": "/dev/null"],
    ])
  func nowhere(environment: [String: String]) throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    #expect(place(environment).directory(for: try folder(["A.swift"]), builds: true) == nil)
  }

  @Test("what nobody asked for in two months is removed, the others' stays") func old() throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    var place = place()
    let package = try folder(["A.swift"])
    let kept = try #require(place.directory(for: package, builds: true))
    let other = try #require(
      place.directory(for: PackageModules(path: root + "/caches"), builds: true))
    place.now += 59 * 86_400
    #expect(place.directory(for: package, builds: true) == kept)
    #expect(FileManager.default.fileExists(atPath: other))
    place.now += 2 * 86_400
    #expect(place.directory(for: package, builds: true) == kept)
    #expect(FileManager.default.fileExists(atPath: kept) && !FileManager.default.fileExists(atPath: other))
  }
}
