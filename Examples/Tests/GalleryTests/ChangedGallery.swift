/// The built application with one part of the other side changed.
import BuiltTool
import Foundation
import Testing

enum ChangedGallery {
  /// Compiles a C file and links `gallery` as the build did, with that object in the place of its own.
  ///
  /// - Returns: the program.
  static func linked(with source: URL, insteadOf object: String, into folder: URL) async throws -> String {
    let sources = URL(filePath: BuiltTool.examples).appending(path: "Sources/CFeed")
    let compiled = folder.appending(path: "changed.o").path
    let compiling = try await Subprocess.run(
      "/usr/bin/env",
      [
        "clang", "-std=gnu17", "-fPIC", "-c", source.path, "-I", sources.path, "-I", sources.path + "/include", "-o",
        compiled,
      ])
    try #require(compiling.status == 0, "\(compiling.notes)")

    var arguments = try linkCommand()
    let list = try #require(arguments.first { $0.hasPrefix("@") && $0.hasSuffix("Objects.LinkFileList") })
    let objects = try String(contentsOfFile: String(list.dropFirst()), encoding: .utf8)
    let own = try #require(objects.split(separator: "\n").first { $0.contains(object) }, "\(object) is not linked")
    let changed = folder.appending(path: "objects").path
    try objects.replacing(own, with: "'\(compiled)'").write(toFile: changed, atomically: true, encoding: .utf8)
    let program = folder.appending(path: "gallery").path
    arguments = arguments.map { $0 == list ? "@" + changed : $0 == GalleryProcess.path ? program : $0 }
    let linking = try await Subprocess.run(arguments[0], Array(arguments.dropFirst()))
    try #require(linking.status == 0, "\(linking.notes)")
    return program
  }

  /// The command that linked `gallery`, from the build's own description.
  private static func linkCommand() throws -> [String] {
    let name = URL(filePath: BuiltTool.products).lastPathComponent
    let description = try String(contentsOfFile: "\(BuiltTool.scratch)/\(name).yaml", encoding: .utf8)
    let line = try #require(
      description.split(separator: "\n").first {
        $0.contains("args: [") && $0.contains("-emit-executable")
          && $0.contains("/gallery.product/Objects.LinkFileList")
      }, "the build's description has no command that links gallery")
    let start = try #require(line.firstIndex(of: "["))
    return try JSONDecoder().decode([String].self, from: Data(line[start...].utf8))
  }

  /// Compiles Kotlin sources, and puts them beside the jars and the machine that the build has.
  ///
  /// - Returns: a folder for GALLERY_KOTLIN.
  static func kotlin(from sources: URL, into folder: URL) async throws -> String {
    let good = URL(filePath: try #require(ProcessInfo.processInfo.environment["GALLERY_KOTLIN"]))
    let made = folder.appending(path: "kotlin-folder")
    let classes = folder.appending(path: "classes")
    let files = FileManager.default
    try files.createDirectory(at: classes.appending(path: "META-INF"), withIntermediateDirectories: true)
    try files.createDirectory(at: made, withIntermediateDirectories: true)
    for name in ["java-home", "coroutines.jar", "kotlin-stdlib.jar"] {
      try files.createSymbolicLink(at: made.appending(path: name), withDestinationURL: good.appending(path: name))
    }
    let java = good.appending(path: "java-home/bin")
    let compiler = try files.contentsOfDirectory(at: good.appending(path: "compiler"), includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "jar" }.map(\.path).joined(separator: ":")
    let compiling = try await Subprocess.run(
      java.appending(path: "java").path,
      [
        "-Xmx1g", "-cp", compiler, "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler", "-no-stdlib", "-no-reflect",
        "-jvm-target", "1.8", "-module-name", "feed", "-cp",
        "\(good.path)/coroutines.jar:\(good.path)/kotlin-stdlib.jar", "-d", classes.path,
      ] + (try files.contentsOfDirectory(atPath: sources.path)).map { sources.appending(path: $0).path })
    try #require(compiling.status == 0, "\(compiling.notes)")
    // What tells the coroutines of the main dispatcher is in the jar that the build has.
    let unpacking = try await Subprocess.run(
      "/usr/bin/env",
      [
        "sh", "-c",
        #"cd "$1" && "$2/jar" xf "$3" META-INF/services && "$2/jar" cf "$4" -C "$1" ."#, "sh", classes.path, java.path,
        good.appending(path: "feed.jar").path, made.appending(path: "feed.jar").path,
      ])
    try #require(unpacking.status == 0, "\(unpacking.notes)")
    return made.path
  }
}
