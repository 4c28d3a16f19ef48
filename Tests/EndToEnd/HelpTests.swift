import Foundation
import Testing

@Suite("Help", .timeLimit(.minutes(60)))
struct HelpTests {
  /// The commands, as the list of them names them.
  private func commands() async throws -> [String] {
    let list = try await Tool.run(["--help"])
    #expect(list.end == .exited(0))
    return list.text.split(separator: "\n").compactMap { line in
      line.hasPrefix("  ") ? line.split(separator: " ").first.map(String.init) : nil
    }
  }

  @Test("fits into 80 columns, of every command") func width() async throws {
    let commands = try await commands()
    #expect(Set(["run", "audit", "report", "map", "contract", "doctor"]).isSubset(of: commands))
    for arguments in [["--help"], ["explain"], ["explain", "tools"]] + commands.map({ [$0, "--help"] }) {
      let outcome = try await Tool.run(arguments)
      #expect(outcome.end == .exited(0) && !outcome.text.isEmpty)
      let wide = outcome.text.split(separator: "\n").filter { $0.count > 80 }
      #expect(wide.isEmpty, "mainstay \(arguments.joined(separator: " ")): \(wide)")
    }
  }

  @Test("what explains fits into a narrow terminal") func narrow() async throws {
    for arguments in [["explain"], ["explain", "tools"]] {
      let outcome = try await Tool.run(arguments, environment: ["COLUMNS": "40"])
      let wide = outcome.text.split(separator: "\n").filter { $0.count > 40 }
      #expect(outcome.end == .exited(0) && wide.isEmpty, "mainstay \(arguments.joined(separator: " ")): \(wide)")
    }
  }
}
