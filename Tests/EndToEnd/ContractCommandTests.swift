import Foundation
import Testing

/// `mainstay contract` through the built tool: what it exits with, what it writes, and what it says to do next.
@Suite("mainstay contract", .timeLimit(.minutes(60)))
struct ContractCommandTests {
  private func package(_ source: String) throws -> String {
    let folder = try TestFolder.make()
    try FileManager.default.createDirectory(atPath: "\(folder)/Sources/App", withIntermediateDirectories: true)
    try source.write(toFile: "\(folder)/Sources/App/App.swift", atomically: true, encoding: .utf8)
    try "int listen(int fd);\n".write(toFile: "\(folder)/net.h", atomically: true, encoding: .utf8)
    return folder
  }

  @Test("pins what is not pinned, checks it, and reports a change until it is accepted by name")
  func change() async throws {
    let folder = try package("// mainstay:contract net.h#listen\nfunc f() {}\n")
    let before = try await Tool.run(["contract", "check", folder])
    #expect(before.end == .exited(2))
    #expect(
      before.text
        == "Sources/App/App.swift:1: net.h#listen is not pinned; pin it with: mainstay contract pin \(folder)\n")
    #expect(try await Tool.run(["contract", "list", folder]).end == .exited(0), "a list judges nothing")
    #expect(try await Tool.run(["contract", "pin", folder]).end == .exited(0))
    #expect(try await Tool.run(["contract", "check", folder]).text == "", "what holds is not worth a line")
    try "int listen(int fd, int backlog);\n".write(toFile: "\(folder)/net.h", atomically: true, encoding: .utf8)
    let changed = try await Tool.run(["contract", "check", folder])
    #expect(changed.end == .exited(2) && changed.text.contains("mainstay contract pin \(folder) 'net.h#listen'"))
    _ = try await Tool.run(["contract", "pin", folder])
    #expect(try await Tool.run(["contract", "check", folder]).end == .exited(2), "a change is accepted by name alone")
    #expect(try await Tool.run(["contract", "pin", folder, "net.h#listen"]).end == .exited(0))
    #expect(try await Tool.run(["contract", "check", folder]).end == .exited(0))
  }

  @Test("exits with 4 when a source cannot be read, and names it, whatever the others hold")
  func unread() async throws {
    let folder = try package("func f() {}\n")
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/Sources/App/Gone.swift", withDestinationPath: "/missing/Gone.swift")
    for verb in ["list", "check", "pin"] {
      let outcome = try await Tool.run(["contract", verb, folder])
      #expect(outcome.end == .exited(4), "\(verb): \(outcome.text)")
      #expect(outcome.errors.contains("Sources/App/Gone.swift is a link to nothing"), "\(outcome.errors)")
      #expect(!outcome.errors.contains("there are no contracts"), "that is not known")
    }
  }

  @Test("exits with 4 when a contract names what is not there, and with 3 for what it does not understand")
  func missing() async throws {
    let folder = try package("// mainstay:contract net.hh#listen\n// mainstay:contract none.h#listen 00000000\n")
    let outcome = try await Tool.run(["contract", "check", folder])
    #expect(outcome.end == .exited(4) && outcome.text.contains("there is no file 'none.h'"), "\(outcome.text)")
    for (arguments, message) in [
      (["contract"], "list, check or pin"), (["contract", "forget"], "list, check or pin"),
      (["contract", "pin", folder, "net.h#other"], "no contract with 'net.h#other'"),
      (["contract", "list", "/missing"], "'/missing'"), (["contract", "list", "--all"], "'--all'"),
      (["contract", "list", "\(folder)/net.h"], "net.h' is a file"),
    ] {
      let wrong = try await Tool.run(arguments)
      #expect(wrong.end == .exited(3) && wrong.errors.contains(message), "\(arguments): \(wrong.errors)")
    }
  }
}
