import Foundation
import Testing

/// The features of Examples/: what a window shows, without anything that could show it.
@Suite("A feature of the examples")
struct FeatureTests {
  private static let features = ["Search", "Thumbnails", "Playback", "Palette", "Stage"]
  /// What draws on a screen, or belongs to it.
  private static let toolkit: Set = ["CAdwaita", "CGLib", "CGdkPixbuf", "CPictures", "PixbufPictures", "GLibMainActor"]

  @Test("reaches no toolkit, neither by the package's description nor by an import")
  func free() throws {
    let targets = try DependencyTests.Package.described(at: "Examples").targets
    let dependencies = Dictionary(uniqueKeysWithValues: targets.map { ($0.name, $0.dependencyNames) })
    for feature in Self.features {
      var reached: Set<String> = []
      var waiting = [feature]
      while let target = waiting.popLast() {
        if reached.insert(target).inserted { waiting += dependencies[target] ?? [] }
      }
      #expect(dependencies[feature] != nil, "Examples/Package.swift has no target \(feature)")
      #expect(reached.isDisjoint(with: Self.toolkit), "\(feature) reaches \(reached.intersection(Self.toolkit))")
      for file in Project.files(under: "Examples/Sources/\(feature)", endingIn: [".swift"]) {
        let imports = Set(try Project.text(file).matches(of: #"^\s*(?:@\w+ )*import (\w+)"#))
        #expect(imports.isDisjoint(with: Self.toolkit), "\(file) imports \(imports.intersection(Self.toolkit))")
      }
    }
    #expect(!targets.contains { ["CAdwaita", "CGLib"].contains($0.name) }, "GTK belongs to Examples/Desktop")
  }
}
