/// Addresses of an image in, functions with file and line out: the tool's answers, cached, with a fall-back for each.

import Foundation

/// What an address means, which decides where it is looked up.
public enum AddressKind: Hashable, Sendable {
  /// The address of an instruction or function itself: a resume function, an entry, a sampled program counter.
  case exact
  /// The address a call returns to. The call is the instruction before it, and may be the last of its function or its
  /// line, so one byte less is looked up.
  case returnAddress

  func lookup(_ address: UInt64) -> UInt64 { self == .returnAddress && address > 0 ? address - 1 : address }
}

/// Symbolises addresses of images on disk. Not `Sendable`: one owner, one pass over a recording.
public final class Symbolizer {
  /// One function at an address: the physical one, or one that was inlined into it.
  public struct Frame: Hashable, Sendable {
    /// The linkage name; nil when nothing is known.
    public let symbol: String?
    /// The source file as the compiler was given it; nil when unknown.
    public let file: String?
    /// From 1; 0 when unknown.
    public let line: Int
    /// From 1; 0 when unknown.
    public let column: Int
    /// The line the function's declaration begins on; 0 when unknown.
    public let declarationLine: Int
  }

  /// What could not be done, for the notes of a report.
  public private(set) var failures: [SymbolizerTool.Failure] = []

  private let tool: SymbolizerTool?
  private let environment: [String: String]
  /// By path of the image, then by virtual address.
  private var cache: [String: [UInt64: [Frame]]] = [:]

  /// - Parameter tool: nil to do without lines: names then come from the symbol tables.
  public init(tool: SymbolizerTool?, environment: [String: String] = ProcessInfo.processInfo.environment) {
    self.tool = tool
    self.environment = environment
  }

  /// The functions at each virtual address of `image`: the innermost inlined one first, the physical one last. Never
  /// empty. At most one child process is started, and none for addresses that were asked before.
  public func frames(at addresses: [UInt64], in image: ELFImage) -> [[Frame]] {
    // Taken out while it grows, so that it is not copied.
    var known = cache.removeValue(forKey: image.path) ?? [:]
    defer { cache[image.path] = known }
    let unknown = Set(addresses).filter { known[$0] == nil }.sorted()
    if !unknown.isEmpty {
      let answers = hasLines(image) ? ask(unknown, in: image) : [:]
      for address in unknown {
        known[address] = answers[address] ?? [Self.frame(from: image.symbol(covering: address))]
      }
    }
    return addresses.map { known[$0] ?? [] }
  }

  /// Without lines here or in a separate file the tool would only repeat the symbol table.
  private func hasLines(_ image: ELFImage) -> Bool {
    image.hasLineTable || image.sections.contains { $0.name == ".gnu_debuglink" }
  }

  private func ask(_ addresses: [UInt64], in image: ELFImage) -> [UInt64: [Frame]] {
    guard let tool else { return [:] }
    let (output, failure) = tool.ask(image: image.path, addresses: addresses, environment: environment)
    if let failure { failures.append(failure) }
    let asked = Set(addresses)
    var found: [UInt64: [Frame]] = [:]
    for answer in Self.answers(in: output) {
      guard let address = Self.address(answer.Address), asked.contains(address) else { continue }
      var frames = (answer.Symbol ?? []).map(Self.frame)
      if frames.allSatisfy({ $0.symbol == nil && $0.line == 0 }) { continue }
      if let last = frames.last, last.symbol == nil, let symbol = image.symbol(covering: address) {
        frames[frames.count - 1] = Frame(
          symbol: symbol.name, file: last.file, line: last.line, column: last.column,
          declarationLine: last.declarationLine)
      }
      found[address] = frames
    }
    return found
  }

  // MARK: The tool's answers

  /// The fields of `--output-style=JSON`, named as the tool names them.
  private struct Answer: Decodable {
    struct Function: Decodable {
      var FunctionName: String?
      var FileName: String?
      var Line: Int?
      var Column: Int?
      var StartFileName: String?
      var StartLine: Int?
    }
    var Address: String?
    var Symbol: [Function]?
  }

  /// One line of JSON for each address. A line that a stopped child left unfinished is dropped.
  private static func answers(in output: [UInt8]) -> [Answer] {
    guard let end = output.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
    let decoder = JSONDecoder()
    var list = Data(capacity: output.count + 2)
    list.append(UInt8(ascii: "["))
    list.append(contentsOf: output[..<end].map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: ",") : $0 })
    list.append(UInt8(ascii: "]"))
    if let answers = try? decoder.decode([Answer].self, from: list) { return answers }
    // One by one: a line that is no answer costs only itself.
    return output[..<end].split(separator: UInt8(ascii: "\n")).compactMap {
      try? decoder.decode(Answer.self, from: Data($0))
    }
  }

  private static func address(_ text: String?) -> UInt64? {
    text.flatMap { UInt64($0.hasPrefix("0x") ? $0.dropFirst(2) : $0[...], radix: 16) }
  }

  private static func frame(_ function: Answer.Function) -> Frame {
    let unknown: Set<String> = ["", "??"]
    // Where there are no lines the tool names the object file that the linker noted.
    func known(_ name: String?) -> String? {
      name.flatMap { unknown.contains($0) || $0.hasSuffix(">") || $0.hasSuffix(".o") ? nil : $0 }
    }
    let declaration = (function.StartLine ?? 0) > 0 ? known(function.StartFileName) : nil
    // What the compiler put into a function of the program has no line, and the function has.
    let own = known(function.FileName)
    let file = own ?? declaration
    let symbol = function.FunctionName.flatMap { unknown.contains($0) ? nil : $0 }
    // A line of a file that does not exist says nothing.
    let line = own == nil ? 0 : max(0, function.Line ?? 0)
    return Frame(
      symbol: symbol, file: file, line: line, column: line == 0 ? 0 : max(0, function.Column ?? 0),
      declarationLine: file == nil ? 0 : max(0, function.StartLine ?? 0))
  }

  private static func frame(from symbol: ELFImage.Symbol?) -> Frame {
    Frame(symbol: symbol?.name, file: nil, line: 0, column: 0, declarationLine: 0)
  }
}
