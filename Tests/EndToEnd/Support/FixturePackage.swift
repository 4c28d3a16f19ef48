import Foundation
import Testing

/// A package of `Tests/Fixtures/Packages`: copied, built and audited once for all tests that use it.
struct FixturePackage: Sendable {
  let name: String
  /// The copy, which tests may build in and not change.
  let folder: String

  enum Build: String, Hashable, CaseIterable, Sendable {
    case debug = "-c debug"
    case release = "-c release -Xswiftc -g"
    case withoutDebugInformation = "-c debug -Xswiftc -gnone"

    static let usual: [Build] = [.debug, .release]

    /// What is built differently must not be built into the same folder.
    var scratch: String { self == .withoutDebugInformation ? ".build-without" : ".build" }
    var configuration: String { self == .release ? "release" : "debug" }
  }

  static func named(_ name: String) async throws -> FixturePackage { try await Copies.shared.package(name) }

  /// A copy of its own, for a test that changes it.
  static func copy(_ name: String) throws -> FixturePackage {
    let folder = "\(try TestFolder.make())/\(name)"
    try FileManager.default.copyItem(atPath: "\(TestFolder.fixtures)/Packages/\(name)", toPath: folder)
    return FixturePackage(name: name, folder: folder)
  }

  /// The number of the line of the main source that ends in the comment `// marker`.
  func line(_ marker: String) throws -> Int {
    let source = try String(contentsOfFile: "\(folder)/Sources/\(name)/\(name).swift", encoding: .utf8)
    let index = source.components(separatedBy: "\n").firstIndex { $0.hasSuffix("// \(marker)") }
    return try #require(index, "no line of \(name).swift is marked '\(marker)'") + 1
  }

  /// The path of the built program.
  func program(_ build: Build) async throws -> String { try await Copies.shared.program(self, build) }

  /// The path of a document `mainstay.run/1` of one run of the program.
  func recorded(_ build: Build) async throws -> String { try await Copies.shared.run(self, build) }

  /// The path of a document `mainstay.audit/1`.
  func audit() async throws -> String { try await Copies.shared.audit(self) }

  private actor Copies {
    static let shared = Copies()

    private var packages: [String: FixturePackage] = [:]
    private var made: [String: Task<String, any Error>] = [:]

    func package(_ name: String) throws -> FixturePackage {
      if let known = packages[name] { return known }
      let package = try FixturePackage.copy(name)
      packages[name] = package
      return package
    }

    func program(_ package: FixturePackage, _ build: Build) async throws -> String {
      // One build at a time in a folder: SwiftPM would make the second wait.
      let before = made.filter { $0.key.hasPrefix("build \(package.folder) ") }.values
      return try await once("build \(package.folder) \(build.rawValue)") {
        for task in before { _ = try? await task.value }
        let outcome = try await Subprocess(
          executable: "/usr/bin/env",
          arguments: ["swift", "build", "--disable-sandbox", "--scratch-path", build.scratch]
            + build.rawValue.split(separator: " ").map(String.init), folder: package.folder
        ).run()
        try #require(outcome.end == .exited(0), "\(package.name): \(outcome.text)\(outcome.errors)")
        return "\(package.folder)/\(build.scratch)/\(build.configuration)/\(package.name)"
      }
    }

    func run(_ package: FixturePackage, _ build: Build) async throws -> String {
      let program = try await program(package, build)
      return try await once("run \(package.folder) \(build.rawValue)") {
        let json = "\(try TestFolder.make())/run.json"
        let outcome = try await Tool.run(["run", "--json", json, "--quiet", "--", program])
        try #require(outcome.end == .exited(0), "\(outcome.errors)")
        return json
      }
    }

    func audit(_ package: FixturePackage) async throws -> String {
      _ = try await program(package, .debug)
      return try await once("audit \(package.folder)") {
        let json = "\(try TestFolder.make())/audit.json"
        let outcome = try await Tool.run(["audit", package.folder, "--format", "json", "--output", json])
        try #require([.exited(0), .exited(2)].contains(outcome.end), "\(outcome.errors)")
        return json
      }
    }

    private func once(_ key: String, _ make: @escaping @Sendable () async throws -> String) async throws -> String {
      if let known = made[key] { return try await known.value }
      let task = Task { try await make() }
      made[key] = task
      return try await task.value
    }
  }
}
