import BuiltTool
import FeedImplementations
import Foundation
import Testing

/// A process starts one Java virtual machine at most, so each of these has a process of its own.
@Suite(
  "Kotlin that cannot be used", .timeLimit(.minutes(30)),
  .enabled(if: FeedImplementation.kotlin.absence == nil, "run 'make kotlin'"))
struct KotlinBadInputTests {
  enum Defect: String, CaseIterable {
    case nowhere, noFolder, noMachine, notALibrary, anotherLibrary, tooOldAMachine, refusingMachine
    case noFeed, noCoroutines, noLibrary, notAJar, cutJar, cutCoroutines, cutLibrary
  }

  @Test("is named with what is wrong and what to do, and ends nothing else", arguments: Defect.allCases)
  func defect(_ defect: Defect) async throws {
    let good = try #require(ProcessInfo.processInfo.environment["GALLERY_KOTLIN"])
    let folder = FileManager.default.temporaryDirectory.appending(path: "gallery-kotlin-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = FileManager.default
    try files.createDirectory(at: folder.appending(path: "java-home/lib/server"), withIntermediateDirectories: true)
    let machine = folder.appending(path: "java-home/lib/server/libjvm.so")
    let real = URL(filePath: good).appending(path: "java-home").resolvingSymlinksInPath()
    try files.createSymbolicLink(at: machine, withDestinationURL: real.appending(path: "lib/server/libjvm.so"))
    for jar in ["feed.jar", "coroutines.jar", "kotlin-stdlib.jar"] {
      try files.copyItem(at: URL(filePath: good).appending(path: jar), to: folder.appending(path: jar))
    }
    var named: String? = folder.path
    let message: String
    switch defect {
    case .nowhere:
      named = nil
      message = "GALLERY_KOTLIN does not name the folder"
    case .noFolder:
      named = "/nowhere"
      message = "there is no Java virtual machine at /nowhere/java-home/lib/server/libjvm.so"
    case .noMachine:
      try files.removeItem(at: machine)
      message = "there is no Java virtual machine at \(machine.path)"
    case .notALibrary:
      try files.removeItem(at: machine)
      try Data("no library".utf8).write(to: machine)
      message = "libjvm.so: "
    case .anotherLibrary:
      try files.removeItem(at: machine)
      try files.createSymbolicLink(at: machine, withDestinationURL: real.appending(path: "lib/libjsig.so"))
      message = "libjvm.so is no Java virtual machine"
    case .tooOldAMachine:
      try await compile(machine, answering: -3)
      message = "the Java virtual machine does not start (-3): it is older than Java 8"
    case .refusingMachine:
      try await compile(machine, answering: -1)
      message = "the Java virtual machine does not start (-1): see its own words above"
    case .noFeed: message = try remove("feed.jar", in: folder)
    case .noCoroutines: message = try remove("coroutines.jar", in: folder)
    case .noLibrary: message = try remove("kotlin-stdlib.jar", in: folder)
    case .notAJar:
      try Data("no jar".utf8).write(to: folder.appending(path: "feed.jar"))
      message = "feed.jar is damaged"
    case .cutJar: message = try cut("feed.jar", in: folder, losing: "feed/Bridge")
    case .cutCoroutines:
      message = try cut("coroutines.jar", in: folder, losing: "kotlinx/coroutines/Dispatchers")
    case .cutLibrary: message = try cut("kotlin-stdlib.jar", in: folder, losing: "kotlin/Unit")
    }
    let outcome = try await GalleryProcess.run(
      ["feed", "--implementation", "kotlin", "--updates", "3"], environment: ["GALLERY_KOTLIN": named ?? ""])
    #expect(outcome.status == 1 && !outcome.isSignal)
    #expect(outcome.notes.contains("gallery: the foreign runtime failed: "))
    #expect(outcome.notes.contains(message), "\(outcome.notes)")
    #expect(outcome.notes.contains("make kotlin"))
    #expect(outcome.output.isEmpty && outcome.files.isEmpty)
  }

  private func cut(_ jar: String, in folder: URL, losing name: String) throws -> String {
    let jar = folder.appending(path: jar)
    try Data(contentsOf: jar).prefix(2000).write(to: jar)
    return "the class \(name) was not found"
  }

  /// Puts a library where the machine should be that has its function, and answers with a status of JNI's.
  private func compile(_ machine: URL, answering status: Int) async throws {
    try FileManager.default.removeItem(at: machine)
    let source = machine.deletingLastPathComponent().appending(path: "machine.c")
    try Data("int JNI_CreateJavaVM(void **vm, void **env, void *options) { return \(status); }".utf8).write(to: source)
    let outcome = try await Subprocess.run(
      "/usr/bin/env", ["clang", "-shared", "-fPIC", "-o", machine.path, source.path])
    try #require(outcome.status == 0, "\(outcome.notes)")
  }

  private func remove(_ jar: String, in folder: URL) throws -> String {
    try FileManager.default.removeItem(at: folder.appending(path: jar))
    return "\(jar) is missing"
  }
}
