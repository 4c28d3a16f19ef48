/// How a module is compiled: the driver's arguments, reduced to what decides the meaning of its code.
import Foundation

struct CompileCommand: Sendable, Hashable {
  /// The compiler driver or, when `isFrontend`, the front end itself.
  var compiler: String
  var module: String
  var arguments: [String]
  var sources: [String]
  var directory: String
  var isFrontend: Bool

  /// - Parameter words: a whole command line, the compiler first.
  init?(words: [String], directory: String) {
    guard let program = words.first else { return nil }
    let name = program.split(separator: "/").last.map(String.init) ?? program
    let isFrontend = words.count > 1 && words[1] == "-frontend"
    guard name == "swiftc" || (name.hasPrefix("swift-frontend") || name == "swift") && isFrontend else { return nil }
    guard let flag = words.firstIndex(of: "-module-name"), flag + 1 < words.count else { return nil }
    compiler = program
    module = words[flag + 1]
    self.directory = directory
    self.isFrontend = isFrontend
    var arguments: [String] = []
    var sources: [String] = []
    var index = isFrontend ? 2 : 1
    var responseDepth = 0
    var words = words
    while index < words.count {
      let word = words[index]
      index += 1
      if word.hasPrefix("@"), word.count > 1, responseDepth < 8 {
        let file = CompileCommand.absolute(String(word.dropFirst()), in: directory)
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { continue }
        responseDepth += 1
        words.insert(contentsOf: ShellWords.split(text), at: index)
        continue
      }
      if word == "-filelist" || word == "-primary-filelist", index < words.count {
        let file = CompileCommand.absolute(words[index], in: directory)
        index += 1
        if word == "-filelist", let text = try? String(contentsOfFile: file, encoding: .utf8) {
          sources += text.split(separator: "\n").map { CompileCommand.absolute(String($0), in: directory) }
        }
        continue
      }
      if CompileCommand.droppedWithValue.contains(word) {
        index += 1
        continue
      }
      if CompileCommand.dropped.contains(word) || CompileCommand.isJobCount(word) { continue }
      if word.hasSuffix(".swift"), !word.hasPrefix("-") {
        let source = CompileCommand.absolute(word, in: directory)
        if !sources.contains(source) { sources.append(source) }
        continue
      }
      arguments.append(word)
      if CompileCommand.keptWithValue.contains(word), index < words.count {
        arguments.append(words[index])
        index += 1
      }
    }
    self.arguments = arguments
    self.sources = sources
  }

  /// Outputs and bookkeeping of the build: they say nothing about the code.
  private static let dropped: Set<String> = [
    "-emit-module", "-emit-dependencies", "-incremental", "-c", "-emit-object", "-enable-batch-mode",
    "-serialize-diagnostics", "-parseable-output", "-emit-objc-header", "-v", "-whole-module-optimization", "-wmo",
    "-primary-file", "-frontend", "-no-whole-module-optimization", "-disable-batch-mode", "-emit-executable",
    "-emit-library", "-use-frontend-parseable-output", "-save-temps", "-validate-clang-modules-once",
    "-explicit-module-build", "-emit-const-values", "-experimental-skip-all-function-bodies",
    "-experimental-skip-non-inlinable-function-bodies",
    "-experimental-skip-non-inlinable-function-bodies-without-types",
    // What a build makes of warnings: none are asked for here, and the compiler takes the one with the other for a mistake.
    "-warnings-as-errors", "-no-warnings-as-errors",
  ]
  private static let droppedWithValue: Set<String> = [
    "-emit-module-path", "-output-file-map", "-supplementary-output-file-map", "-index-store-path",
    "-emit-objc-header-path", "-num-threads", "-o", "-emit-dependencies-path", "-emit-reference-dependencies-path",
    "-serialize-diagnostics-path", "-emit-module-doc-path", "-emit-module-source-info-path",
    "-index-unit-output-path", "-emit-abi-descriptor-path", "-emit-const-values-path", "-index-system-modules",
    "-clang-build-session-file", "-driver-time-compilation", "-emit-module-interface-path",
    "-emit-private-module-interface-path", "-emit-tbd-path", "-Werror", "-Wwarning",
  ]
  /// Values that could be mistaken for something else: a plug-in path may end in `.swift`.
  private static let keptWithValue: Set<String> = [
    "-Xfrontend", "-Xcc", "-Xllvm", "-Xlinker", "-I", "-F", "-L", "-D", "-module-name", "-swift-version", "-target",
    "-sdk", "-module-cache-path", "-package-name", "-enable-upcoming-feature", "-enable-experimental-feature",
    "-default-isolation", "-import-objc-header", "-plugin-path", "-external-plugin-path", "-load-plugin-executable",
    "-in-process-plugin-server-path", "-load-plugin-library", "-working-directory",
  ]

  private static func isJobCount(_ word: String) -> Bool {
    word.hasPrefix("-j") && word.count > 2 && word.dropFirst(2).allSatisfy(\.isNumber)
  }

  static func absolute(_ path: String, in directory: String) -> String {
    path.hasPrefix("/") ? path : directory + "/" + path
  }

  /// The value of `-default-isolation`, which the module's declarations take when they say nothing.
  var defaultIsolation: String? {
    for flag in ["-default-isolation", "-default-isolation="] {
      if let index = arguments.firstIndex(of: flag), index + 1 < arguments.count { return arguments[index + 1] }
    }
    return nil
  }
}

/// Splits command lines as a shell does: quotes and backslashes, nothing more.
enum ShellWords {
  static func split(_ text: some StringProtocol) -> [String] {
    var words: [String] = []
    var word: [UInt8] = []
    var isOpen = false
    var quote: UInt8 = 0
    var isEscaped = false
    for byte in text.utf8 {
      if isEscaped {
        // Inside double quotes a backslash protects only what would otherwise end or expand.
        if quote == 34, byte != 34, byte != 92, byte != 36, byte != 96 { word.append(92) }
        word.append(byte)
        isEscaped = false
      } else if byte == 92, quote != 39 {
        isEscaped = true
        isOpen = true
      } else if quote != 0 {
        if byte == quote { quote = 0 } else { word.append(byte) }
      } else if byte == 34 || byte == 39 {
        quote = byte
        isOpen = true
      } else if byte == 32 || byte == 9 || byte == 10 || byte == 13 {
        if isOpen { words.append(String(decoding: word, as: UTF8.self)) }
        word.removeAll(keepingCapacity: true)
        isOpen = false
      } else {
        word.append(byte)
        isOpen = true
      }
    }
    if isOpen { words.append(String(decoding: word, as: UTF8.self)) }
    return words
  }
}
