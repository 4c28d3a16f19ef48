import Foundation
import Testing

/// The direction of dependencies, as ARCHITECTURE.md draws it.
@Suite("The package")
struct DependencyTests {
  struct Package: Decodable {
    struct Target: Decodable {
      let name: String
      let type: String
      let dependencies: [[String: [Name?]]]
      let settings: [Setting]

      /// A dependency's name, in an array that holds other things too.
      struct Name: Decodable {
        let text: String?

        init(from decoder: any Decoder) throws {
          text = try? decoder.singleValueContainer().decode(String.self)
        }
      }

      struct Setting: Decodable {
        let kind: [String: AnyValue]
        struct AnyValue: Decodable { init(from decoder: any Decoder) {} }
      }

      var dependencyNames: [String] { dependencies.flatMap(\.values).compactMap { $0.first??.text } }
    }
    struct Product: Decodable {
      let name: String
      let targets: [String]
    }
    struct Dependency: Decodable { init(from decoder: any Decoder) {} }

    let targets: [Target]
    let products: [Product]
    let dependencies: [Dependency]

    /// As SwiftPM understands Package.swift. In a folder of its own, because whoever runs this test holds the other.
    ///
    /// - Parameter folder: of the package, from the root; nil for the root's own.
    static func described(at folder: String? = nil) throws -> Package {
      let scratch = FileManager.default.temporaryDirectory.appendingPathComponent("mainstay-\(UUID().uuidString)").path
      defer { try? FileManager.default.removeItem(atPath: scratch) }
      let (output, status) = try Project.run(
        "swift",
        [
          "package", "--package-path", folder.map { "\(Project.root)/\($0)" } ?? Project.root, "--scratch-path",
          scratch, "dump-package",
        ])
      try #require(status == 0, "swift package dump-package ended with \(status)")
      return try JSONDecoder().decode(Package.self, from: Data(output.utf8))
    }
  }

  /// From the table of targets in ARCHITECTURE.md: what each may depend on.
  private func permitted() throws -> [String: Set<String>] {
    let section = try #require(
      try Project.text("ARCHITECTURE.md").components(separatedBy: "## Targets").last?
        .components(separatedBy: "\n## ").first)
    return try Dictionary(
      uniqueKeysWithValues: section.tableRows.map { row in
        (try #require(try row[0].matches(of: "`([^`]+)`").first), Set(try row[1].matches(of: "`([^`]+)`")))
      })
  }

  @Test("depends in the directions that ARCHITECTURE.md draws, target by target")
  func directions() throws {
    let permitted = try permitted()
    for target in try Package.described().targets where target.type != "test" && target.type != "plugin" {
      let allowed = try #require(permitted[target.name], "ARCHITECTURE.md has no row for the target \(target.name)")
      for dependency in target.dependencyNames {
        #expect(allowed.contains(dependency), "\(target.name) depends on \(dependency): see ARCHITECTURE.md, Targets")
      }
    }
  }

  @Test("has a drawing without circles, in which what an application links depends on nothing")
  func drawing() throws {
    let permitted = try permitted()
    func reached(from target: String, _ path: [String] = []) -> Set<String> {
      guard !path.contains(target) else { return [target] }
      return (permitted[target] ?? []).reduce(into: []) { found, next in
        found.insert(next)
        found.formUnion(reached(from: next, path + [target]))
      }
    }
    for target in permitted.keys { #expect(!reached(from: target).contains(target), "\(target) depends on itself") }
    for alone in ["Mainstay", "MainstayFindings", "CMainstayTrace"] { #expect(permitted[alone] == []) }
    #expect(reached(from: "CMainstayRecorder") == ["CMainstayTrace"])
    #expect(!reached(from: "MainstayTrace").contains("MainstayAudit"))
    #expect(!reached(from: "MainstayReport").contains("MainstayAudit"))
    #expect(!reached(from: "mainstay-cli").contains("CMainstayRecorder"), "it would interpose the tool itself")
  }

  @Test("needs no other package, and its libraries no unsafe flags")
  func alone() throws {
    let package = try Package.described()
    #expect(package.dependencies.isEmpty)
    let tool = try #require(package.products.first { $0.name == "mainstay" })
    #expect(tool.targets == ["mainstay-cli"])
    for product in package.products where product.name != "mainstay" {
      for target in package.targets where product.targets.contains(target.name) {
        #expect(!target.settings.contains { $0.kind["unsafeFlags"] != nil }, "\(target.name) has unsafe flags")
      }
    }
  }

  @Test("imports nothing that its targets do not depend on")
  func imports() throws {
    let permitted = try permitted()
    for (target, allowed) in permitted {
      for file in Project.files(under: "Sources/\(target)", endingIn: [".swift"]) {
        let imports = try Project.text(file).matches(of: #"^\s*(?:@\w+(?:\([^)]*\))? )*(?:public )?import (\w+)"#)
        for module in imports where permitted[module] != nil {
          #expect(allowed.contains(module), "\(file) imports \(module)")
        }
      }
    }
  }

  @Test("starts other programs and prints in the places that ARCHITECTURE.md names")
  func places() throws {
    for file in Project.files(under: "Sources", endingIn: [".swift"]) where !file.hasPrefix("Sources/mainstay-cli/") {
      let text = try Project.text(file)
      let starts = try !text.matches(of: #"\bposix_spawnp?\(|\.executableURL\b|\bexecve?\("#).isEmpty
      let mayStart =
        file == "Sources/MainstayTrace/Symbols/SymbolizerTool.swift"
        || file.hasPrefix("Sources/MainstayAudit/Frontends/")
      #expect(!starts || mayStart, "\(file) starts a program")
      #expect(try text.matches(of: #"(?m)^(?!\s*//).*(?<![.\w])print\("#).isEmpty, "\(file) prints")
      // The audit knows by name that others do.
      let code = text.replacing(#/"[^"\n]*"/#, with: "")
      #expect(try code.matches(of: #"\bCommandLine\b"#).isEmpty, "\(file) reads the command line")
    }
  }
}
