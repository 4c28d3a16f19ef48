import Foundation
import MainstayTrace
import Testing

/// Programs that nobody here wrote: SwiftPM, and the two test libraries of the toolchain.
@Suite("A package is built and tested under mainstay run", .timeLimit(.minutes(60)), .serialized)
struct PackageTests {
  @Test("the build shows SwiftPM's own actors by name, with file and line")
  func build() async throws {
    let built = try await Self.built.value
    #expect(built.run.outcome.end == .exited(0), "\(built.run.outcome.text)")
    let summary = built.run.summary
    #expect(summary.process.executable == "swift-package")
    #expect(summary.selfCheck.complete)
    #expect(summary.lost.records == 0)
    let actors = summary.executors.filter { $0.kind == .actor }
    #expect(
      actors.contains { ["WorkspaceState", "ManifestCacheActor"].contains($0.name) && $0.jobs > 0 },
      "\(actors.map(\.name))")
    #expect(summary.processes.contains { !$0.recorded && $0.reason?.isEmpty == false } || summary.processes.count > 1)
    let own = summary.functions.filter { $0.file.hasSuffix(".swift") && $0.line > 0 }
    #expect(!own.isEmpty, "no function of SwiftPM has a file and a line")
  }

  @Test("a bundle of XCTest and Swift Testing tests is recorded test by test", arguments: ["xctest", "swift-testing"])
  func bundle(library: String) async throws {
    let bundle = "\(try await Self.built.value.folder)/.build/debug/TestBundlePackageTests.xctest"
    let arguments = library == "xctest" ? [] : ["--testing-library", "swift-testing"]
    let run = try await Tool.record([bundle] + arguments)
    #expect(run.outcome.end == .exited(0), "\(run.outcome.text)")
    #expect(run.summary.process.executable == "TestBundlePackageTests.xctest")
    #expect(try run.executor("Oven").jobs == (library == "xctest" ? 30 : 20))
    #expect(run.summary.mainActor.jobs >= (library == "xctest" ? 30 : 20))
    let test = library == "xctest" ? "OvenXCTests.testBakes()" : "bakes()"
    let function = try #require(
      run.summary.functions.first { $0.function == test && $0.executor == "MainActor" },
      "\(run.summary.functions.filter { $0.executor == "MainActor" }.map(\.function))")
    #expect(function.file == (library == "xctest" ? "OvenXCTests.swift" : "OvenTests.swift"))
    #expect(function.line > 0)
  }

  @Test(
    "swift test is described by its test process, and of its two runners by the busier",
    arguments: [([], 30), (["--disable-swift-testing"], 30), (["--disable-xctest"], 20)])
  func swiftTest(options: [String], jobs: Int) async throws {
    let folder = try await Self.built.value.folder
    let run = try await Tool.record(["swift", "test", "--skip-build"] + options, folder: folder)
    #expect(run.outcome.end == .exited(0), "\(run.outcome.text)")
    #expect(run.summary.process.executable == "TestBundlePackageTests.xctest")
    #expect(try run.executor("Oven").jobs == jobs)
  }

  /// `swift build` is `swift-package` under another name. A copy of the package, built once while `mainstay run` records it.
  private static let built = Task {
    let folder = "\(try TestFolder.make())/TestBundle"
    try FileManager.default.copyItem(atPath: "\(TestFolder.fixtures)/Packages/TestBundle", toPath: folder)
    let run = try await Tool.record(
      ["swift", "build", "--build-tests", "--disable-sandbox"], options: ["--only", "swift-package"], folder: folder)
    return (folder: folder, run: run)
  }
}
