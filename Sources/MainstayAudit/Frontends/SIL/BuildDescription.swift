/// Compile commands from what a build left behind: SwiftPM's own description, or any log with command lines.
import Foundation

enum BuildDescription {
  /// The commands in SwiftPM's `debug.yaml`: every `args:` line is a JSON array.
  ///
  /// - Parameter package: the directory of the package.
  static func commands(swiftPM description: Data, package: String) -> [CompileCommand] {
    var commands: [CompileCommand] = []
    for line in description.split(separator: UInt8(ascii: "\n")) {
      guard line.starts(with: Array("    args: [".utf8)) else { continue }
      let array = Data(line.dropFirst("    args: ".utf8.count))
      guard let words = try? JSONDecoder().decode([String].self, from: array), words.contains("-module-name"),
        words.contains("-emit-module") || words.contains("-c"),
        let command = CompileCommand(words: words, directory: package)
      else { continue }
      commands.append(command)
    }
    return merge(commands)
  }

  /// The commands in a log, as `swift build -v` and Xcode print them.
  static func commands(log: String, directory: String) -> [CompileCommand] {
    var commands: [CompileCommand] = []
    for line in log.split(whereSeparator: { $0 == "\n" || $0 == "\r\n" }) {
      guard line.contains("-module-name"), line.contains("swift") else { continue }
      let words = ShellWords.split(line)
      // Xcode prints `builtin-SwiftDriver -- /path/swiftc …`, and rows that only announce a step.
      let start = words.firstIndex { word in
        let name = word.split(separator: "/").last ?? ""
        return name == "swiftc" || name == "swift-frontend" || name == "swift"
      }
      guard let start else { continue }
      let command = CompileCommand(words: Array(words[start...]), directory: directory)
      if let command, !command.sources.isEmpty { commands.append(command) }
    }
    return merge(commands)
  }

  /// One command a module: tools are compiled twice, and front-end logs name a module once a file.
  private static func merge(_ commands: [CompileCommand]) -> [CompileCommand] {
    var order: [String] = []
    var byModule: [String: CompileCommand] = [:]
    for command in commands where !isGenerated(command.module) {
      if var known = byModule[command.module] {
        if known.isFrontend || command.isFrontend {
          for source in command.sources where !known.sources.contains(source) { known.sources.append(source) }
          byModule[command.module] = known
        } else if known.sources.isEmpty {
          byModule[command.module] = command
        }
      } else {
        order.append(command.module)
        byModule[command.module] = command
      }
    }
    return order.compactMap { byModule[$0] }
  }

  /// Targets that SwiftPM writes to start tests.
  private static func isGenerated(_ module: String) -> Bool {
    module.hasSuffix("PackageTests") || module.hasSuffix("DiscoveredTests")
      || module.hasSuffix("__REPL") || module.hasSuffix("_Runner")
  }
}
