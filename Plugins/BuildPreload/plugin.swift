import Foundation
import PackagePlugin

/// Builds the library that `mainstay run` preloads, beside the tool: plain clang, libc alone.
///
/// SwiftPM would link a C library product with the Swift runtime, which must not get into a program that has its own or
/// none. So the same sources that SwiftPM compiles for use in a process are compiled once more here.
@main
struct BuildPreload: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let sources = context.package.directoryURL.appending(path: "Sources")
    let recorder = sources.appending(path: "CMainstayRecorder")
    let trace = sources.appending(path: "CMainstayTrace/include")
    let files = try FileManager.default.contentsOfDirectory(at: recorder, includingPropertiesForKeys: nil)
      .sorted { $0.path < $1.path }
    let library = context.pluginWorkDirectoryURL.appending(path: "libmainstay-recorder.so")
    let code = files.filter { $0.pathExtension == "c" }
    return [
      .buildCommand(
        displayName: "Building the recorder for preloading",
        executable: try context.tool(named: "clang").url,
        arguments: [
          "-std=gnu17", "-O2", "-g", "-fPIC", "-shared", "-fvisibility=hidden", "-fomit-frame-pointer",
          "-Wall", "-Wextra", "-Werror", "-I", trace.path(percentEncoded: false),
        ] + code.map { $0.path(percentEncoded: false) } + [
          "-o", library.path(percentEncoded: false), "-Wl,-z,defs", "-Wl,-soname,libmainstay-recorder.so",
        ],
        inputFiles: files + [
          trace.appending(path: "mainstay_trace.h"), recorder.appending(path: "include/mainstay_recorder.h"),
        ],
        outputFiles: [library])
    ]
  }
}
