/// Compile commands from build descriptions and logs.
import Foundation
import Testing

@testable import MainstayAudit

@Suite struct CompileCommandTests {
  @Test("words are split as a shell does") func words() {
    #expect(ShellWords.split(#"a 'b c' "d\"e" f\ g h"#) == ["a", "b c", "d\"e", "f g", "h"])
    #expect(ShellWords.split("  ") == [])
    #expect(ShellWords.split("''") == [""])
  }

  @Test("outputs of the build are dropped, what decides the meaning stays") func reduced() throws {
    let command = try #require(
      CompileCommand(
        words: [
          "/usr/bin/swiftc", "-module-name", "App", "-emit-module", "-emit-module-path", "/b/App.swiftmodule", "-c",
          "/p/A.swift", "B.swift", "-I", "/b", "-j2", "-num-threads", "4", "-swift-version", "6", "-default-isolation",
          "MainActor", "-incremental", "-index-store-path", "/b/index",
        ], directory: "/p"))
    #expect(command.module == "App")
    #expect(command.sources == ["/p/A.swift", "/p/B.swift"])
    #expect(
      command.arguments == [
        "-module-name", "App", "-I", "/b", "-swift-version", "6", "-default-isolation", "MainActor",
      ])
    #expect(command.defaultIsolation == "MainActor")
  }

  @Test("what a strict build makes of warnings is dropped, and what it says to clang stays") func strict() throws {
    let command = try #require(
      CompileCommand(
        words: [
          "swiftc", "-module-name", "App", "-warnings-as-errors", "-Werror", "DeprecatedDeclaration", "-Xcc", "-Werror",
          "-Wwarning", "UnusedResult", "-c", "/p/A.swift", "-no-warnings-as-errors",
        ], directory: "/p"))
    #expect(command.sources == ["/p/A.swift"])
    #expect(command.arguments == ["-module-name", "App", "-Xcc", "-Werror"])
  }

  @Test("a log gives one command a module, from driver and front-end lines") func logs() {
    let log = """
      [1/3] Compiling
      /usr/bin/swiftc -module-name Core -c /p/Core.swift -j4
          builtin-SwiftDriver -- /X/swiftc -module-name App -c /p/My\\ App/A.swift
      /X/swift-frontend -frontend -c -primary-file /p/One.swift /p/Two.swift -module-name Tool -o /b/One.o
      /X/swift-frontend -frontend -c /p/One.swift -primary-file /p/Two.swift -module-name Tool -o /b/Two.o
      note: swift -module-name is a flag
      """
    let commands = BuildDescription.commands(log: log, directory: "/p")
    #expect(commands.map(\.module) == ["Core", "App", "Tool"])
    #expect(commands[1].sources == ["/p/My App/A.swift"])
    #expect(commands[2].sources == ["/p/One.swift", "/p/Two.swift"])
    #expect(commands[2].isFrontend)
  }

  @Test("SwiftPM's description is read line by line, test runners are not modules") func description() {
    let yaml = """
      commands:
          args: ["/usr/bin/swiftc","-module-name","App","-emit-module","-c","/p/A.swift"]
          args: ["/usr/bin/swiftc","-module-name","AppPackageTests","-emit-module","-c","/p/R.swift"]
          args: ["/usr/bin/clang","-c","/p/a.c"]
          args: not json
      """
    #expect(BuildDescription.commands(swiftPM: Data(yaml.utf8), package: "/p").map(\.module) == ["App"])
  }
}
