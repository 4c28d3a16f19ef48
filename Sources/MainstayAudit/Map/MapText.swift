/// The map for people and for other tools: text, `mainstay.map/1`, Mermaid and DOT.
import MainstayFindings

public enum MapText {
  /// The layer table, its types, and the crossings with their counts.
  ///
  /// - Parameters:
  ///   - width: columns to keep within; 40 at least.
  ///   - folder: the way from the working directory down to the package, `Examples/`: files are named with it.
  public static func text(_ map: ArchitectureMap, width columns: Int = 80, folder: String = "") -> String {
    let columns = max(40, columns)
    var lines: [String] = []
    for layer in ArchitectureMap.Layer.allCases {
      let domains = map.domains.filter { $0.layer == layer }
      if domains.isEmpty { continue }
      lines.append(title(layer))
      let width = min(domains.map { mark($0).count }.max() ?? 0, columns / 2)
      for domain in domains {
        let count = counted(domain.functions, "function")
        let shown = outermost(members(domain))
        let types = shown.isEmpty ? [count] : shown.dropLast().map { "\($0)," } + [shown.last ?? "", count]
        lines += column(mark(domain), types, at: width, within: columns, breaksBefore: types.count - 1)
      }
      lines.append("")
    }
    if map.crossings.isEmpty {
      lines.append("No await crosses from one domain to another.")
    } else {
      lines.append("Crossings")
      let width = min(map.crossings.map { $0.from.count + $0.to.count + 3 }.max() ?? 0, columns / 2)
      let digits = map.crossings.map { String($0.count).count }.max() ?? 1
      for crossing in map.crossings {
        let first = crossing.sites[0]
        let count = String(crossing.count)
        let padding = String(repeating: " ", count: digits - count.count)
        var words = ["\(padding)\(count)", first.callee, "at \(folder)\(first.location.file):\(first.location.line)"]
        if crossing.count > 1 { words.append("and \(crossing.count - 1) more") }
        lines += column("\(crossing.from) → \(crossing.to)", words, at: width, within: columns, breaksBefore: nil)
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A name, and beside it words that are broken over as many lines as they need; below it when it is a long one.
  ///
  /// - Parameter last: the word that begins a line of its own.
  private static func column(
    _ name: String, _ words: [String], at width: Int, within columns: Int, breaksBefore last: Int?
  ) -> [String] {
    let margin = String(repeating: " ", count: width + 4)
    var lines: [String] = []
    var line = name.count > width ? margin : "  \(name)\(String(repeating: " ", count: width - name.count))  "
    if name.count > width { lines.append("  \(name)") }
    var isEmpty = true
    for (index, word) in words.enumerated() {
      if !isEmpty, index == last || line.count + 1 + word.count > columns {
        lines.append(line)
        line = margin
        isEmpty = true
      }
      line += isEmpty ? word : " \(word)"
      isEmpty = false
    }
    return lines + [line]
  }

  /// The types in a domain's room: an actor is the room itself.
  private static func members(_ domain: ArchitectureMap.Domain) -> [String] {
    domain.kind == "actor" ? domain.types.filter { $0 != domain.name } : domain.types
  }

  /// Types that lie in no other of them, each with how many lie in it: `Box (4 inside)`.
  private static func outermost(_ types: [String]) -> [String] {
    let all = Set(types)
    var inside: [String: Int] = [:]
    var outer: [String] = []
    for type in types {
      var around: String?
      var name = Substring(type)
      while let dot = name.lastIndex(of: ".") {
        name = name[..<dot]
        if all.contains(String(name)) { around = String(name) }
      }
      if let around { inside[around, default: 0] += 1 } else { outer.append(type) }
    }
    return outer.map { type in inside[type].map { "\(type) (\($0) inside)" } ?? type }
  }

  /// The first types of a domain, for a picture that has room for few.
  private static func few(_ domain: ArchitectureMap.Domain) -> [String] {
    let types = members(domain)
    return types.prefix(8) + (types.count > 8 ? ["and \(types.count - 8) more"] : [])
  }

  private static func title(_ layer: ArchitectureMap.Layer) -> String {
    switch layer {
    case .ui: "UI layer"
    case .domain: "Domain layer"
    case .infrastructure: "Infrastructure layer"
    }
  }

  private static func mark(_ domain: ArchitectureMap.Domain) -> String {
    switch domain.kind {
    case "none": "(no actor)"
    case "actor": "actor \(domain.name)"
    default: "@\(domain.name)"
    }
  }

  private static func counted(_ count: Int, _ noun: String) -> String { count == 1 ? "1 \(noun)" : "\(count) \(noun)s" }

  public static func json(_ map: ArchitectureMap) -> String {
    JSONText.text(
      .object([
        ("schema", .string("mainstay.map/1")),
        (
          "domains",
          .array(
            map.domains.map {
              .object([
                ("name", .string($0.name)), ("kind", .string($0.kind)), ("layer", .string($0.layer.rawValue)),
                ("types", .array($0.types.map { .string($0) })), ("functions", .number($0.functions)),
              ])
            })
        ),
        (
          "crossings",
          .array(
            map.crossings.map { crossing in
              .object([
                ("from", .string(crossing.from)), ("to", .string(crossing.to)), ("count", .number(crossing.count)),
                (
                  "sites",
                  .array(
                    crossing.sites.map {
                      .object([
                        ("function", .string($0.function)), ("callee", .string($0.callee)),
                        ("file", .string($0.location.file)), ("line", .number($0.location.line)),
                        ("column", .number($0.location.column)),
                      ])
                    })
                ),
              ])
            })
        ),
      ]))
  }

  public static func mermaid(_ map: ArchitectureMap) -> String {
    var lines = ["flowchart TB"]
    for layer in ArchitectureMap.Layer.allCases {
      let domains = map.domains.filter { $0.layer == layer }
      if domains.isEmpty { continue }
      lines.append("  subgraph \(layer.rawValue)[\"\(title(layer))\"]")
      for domain in domains {
        let label = ([mark(domain)] + few(domain)).map { escaped($0) }.joined(separator: "<br/>")
        lines.append("    \(id(domain.name, map))[\"\(label)\"]")
      }
      lines.append("  end")
    }
    for crossing in map.crossings {
      lines.append("  \(id(crossing.from, map)) -- \"\(crossing.count)\" --> \(id(crossing.to, map))")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  public static func dot(_ map: ArchitectureMap) -> String {
    var lines = ["digraph isolation {", "  rankdir=TB;", "  node [shape=box];"]
    for layer in ArchitectureMap.Layer.allCases {
      let domains = map.domains.filter { $0.layer == layer }
      if domains.isEmpty { continue }
      lines.append("  subgraph cluster_\(layer.rawValue) {")
      lines.append("    label=\(JSONText.quoted(title(layer)));")
      for domain in domains {
        let label = ([mark(domain)] + few(domain)).joined(separator: "\n")
        lines.append("    \(id(domain.name, map)) [label=\(JSONText.quoted(label))];")
      }
      lines.append("  }")
    }
    for crossing in map.crossings {
      lines.append("  \(id(crossing.from, map)) -> \(id(crossing.to, map)) [label=\"\(crossing.count)\"];")
    }
    lines.append("}")
    return lines.joined(separator: "\n") + "\n"
  }

  private static func id(_ name: String, _ map: ArchitectureMap) -> String {
    map.domains.firstIndex { $0.name == name }.map { "d\($0)" } ?? "d_"
  }

  private static func escaped(_ text: String) -> String {
    text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "&quot;")
  }
}
