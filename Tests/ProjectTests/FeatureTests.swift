import Foundation
import Testing

/// The features of Examples/: what a window shows, without anything that could show it.
@Suite("A feature of the examples")
struct FeatureTests {
  /// The platform's decoders, which the window and the commands hand to a feature.
  private static let platform: Set = ["PixbufPictures"]
  /// What draws on a screen, or belongs to it.
  private static let toolkit: Set = ["CAdwaita", "CGLib", "CGdkPixbuf", "CPictures", "PixbufPictures", "GLibMainActor"]

  @Test("reaches no toolkit, neither by the package's description nor by an import")
  func free() throws {
    let package = try DependencyTests.Package.described(at: "Examples")
    let targets = package.targets
    let dependencies = Dictionary(uniqueKeysWithValues: targets.map { ($0.name, $0.dependencyNames) })
    let features = try #require(package.products.first { $0.name == "GalleryFeatures" }).targets
    for page in ["Search", "Thumbnails", "Playback", "Palette", "Feed", "WalletPage"] {
      #expect(features.contains(page), "a window cannot have the page \(page)")
    }
    for feature in features where !Self.platform.contains(feature) {
      var reached: Set<String> = []
      var waiting = [feature]
      while let target = waiting.popLast() {
        if reached.insert(target).inserted { waiting += dependencies[target] ?? [] }
      }
      #expect(
        targets.contains { $0.type == "test" && $0.dependencyNames.contains(feature) },
        "no test of the examples, where there is no GTK, tests \(feature)")
      #expect(reached.isDisjoint(with: Self.toolkit), "\(feature) reaches \(reached.intersection(Self.toolkit))")
      for file in Project.files(under: "Examples/Sources/\(feature)", endingIn: [".swift"]) {
        let imports = Set(try Project.text(file).matches(of: #"^\s*(?:@\w+ )*import (\w+)"#))
        #expect(imports.isDisjoint(with: Self.toolkit), "\(file) imports \(imports.intersection(Self.toolkit))")
      }
    }
    #expect(!targets.contains { ["CAdwaita", "CGLib"].contains($0.name) }, "GTK belongs to Examples/Desktop")
  }
}
