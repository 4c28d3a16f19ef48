/// Reads `.mainstay.json`: every mistake names the key and the line, and what was probably meant.
import Foundation
import MainstayFindings

/// What is wrong with a configuration.
public struct ConfigurationFailure: Error, Sendable, Hashable, CustomStringConvertible {
  public var file: String
  /// From 1; 0 when the file as a whole is meant.
  public var line: Int
  public var reason: String
  public var description: String { line > 0 ? "\(file):\(line): \(reason)" : "\(file): \(reason)" }
}

enum ConfigurationFile {
  static let name = ".mainstay.json"
  private static let keys: Set<String> = [
    "budget", "rules", "failOn", "sinks", "serialised", "views", "exclude", "includeTests",
  ]

  /// - Throws: `ConfigurationFailure` with the line of the mistake.
  ///
  /// - Parameter isNamed: whether an option named it.
  static func read(_ path: String, displayed file: String, isNamed: Bool) throws -> Configuration {
    guard let data = FileManager.default.contents(atPath: path) else {
      let (isThere, isFolder) = WrittenFile.state(of: path)
      let reason = isFolder ? "is a folder" : isThere ? "cannot be read" : "is not there"
      throw ConfigurationFailure(
        file: file, line: 0,
        reason: reason + "; "
          + (isNamed
            ? "name a file that is there and may be read, or leave --config out"
            : "make it a file that may be read, or take it away"))
    }
    return try parse(String(decoding: data, as: UTF8.self), file: file)
  }

  static func parse(_ text: String, file: String) throws -> Configuration {
    let root: JSON5.Node
    do {
      root = try JSON5.parse(text)
    } catch {
      throw ConfigurationFailure(file: file, line: error.line, reason: error.reason)
    }
    var reader = ConfigurationReader(file: file)
    return try reader.configuration(root)
  }

  private struct ConfigurationReader {
    let file: String

    func fail(_ line: Int, _ reason: String) -> ConfigurationFailure {
      ConfigurationFailure(file: file, line: line, reason: reason)
    }

    func members(_ node: JSON5.Node, _ what: String) throws -> [JSON5.Member] {
      guard case .object(let members) = node.value else { throw fail(node.line, "\(what) must be an object") }
      return members
    }

    func strings(_ member: JSON5.Member) throws -> [String] {
      guard case .array(let nodes) = member.node.value else {
        throw fail(member.line, "'\(member.key)' must be a list of strings")
      }
      return try nodes.map { node in
        guard case .string(let text) = node.value else {
          throw fail(node.line, "'\(member.key)' must hold strings only")
        }
        return text
      }
    }

    func unknown(_ member: JSON5.Member, _ known: Set<String>) -> ConfigurationFailure {
      let all =
        known.count > 12 ? "'mainstay explain' lists the rules" : "known are \(known.sorted().joined(separator: ", "))"
      return fail(
        member.line, "unknown key '\(member.key)'; " + Spelling.hint(member.key, among: known, otherwise: all))
    }

    mutating func configuration(_ root: JSON5.Node) throws -> Configuration {
      var result = Configuration()
      var seen: Set<String> = []
      for member in try members(root, "the configuration") {
        guard seen.insert(member.key).inserted else { throw fail(member.line, "'\(member.key)' is there twice") }
        switch member.key {
        case "budget": result.budgetMilliseconds = try budget(member)
        case "rules": result.rules = try rules(member)
        case "failOn":
          guard case .string(let text) = member.node.value, let severity = Severity(rawValue: text) else {
            throw fail(member.line, "'failOn' must be \"note\", \"warning\" or \"error\"")
          }
          result.failOn = severity
        case "sinks":
          for sink in try members(member.node, "'sinks'") {
            switch sink.key {
            case "blocking": result.blocking = try strings(sink)
            case "heavy": result.heavy = try strings(sink)
            case "nonblocking": result.nonblocking = try strings(sink)
            default: throw unknown(sink, ["blocking", "heavy", "nonblocking"])
            }
          }
          if let both = (result.blocking + result.heavy).first(where: { result.nonblocking.contains($0) }) {
            throw fail(member.line, "'\(both)' is a sink and nonblocking: it can be one of them")
          }
        case "serialised": result.serialised = try strings(member)
        case "views": result.views = try strings(member)
        case "exclude": result.exclude = try strings(member)
        case "includeTests":
          guard case .bool(let value) = member.node.value else {
            throw fail(member.line, "'includeTests' must be true or false")
          }
          result.includeTests = value
        default: throw unknown(member, ConfigurationFile.keys)
        }
      }
      return result
    }

    func rules(_ member: JSON5.Member) throws -> [String: Configuration.RuleSetting] {
      var result: [String: Configuration.RuleSetting] = [:]
      let known = Set(RuleCatalogue.documentation.flatMap { [$0.id, $0.code] })
      for rule in try members(member.node, "'rules'") {
        guard let documentation = RuleCatalogue.documentation(for: rule.key) else { throw unknown(rule, known) }
        guard result[documentation.id] == nil else {
          throw fail(
            rule.line, "'\(rule.key)' is set twice: \(documentation.id) and \(documentation.code) are one rule")
        }
        guard case .string(let text) = rule.node.value else {
          throw fail(rule.line, "'\(rule.key)' must be \"off\", \"note\", \"warning\" or \"error\"")
        }
        if text == "off" {
          result[documentation.id] = .off
        } else if let severity = Severity(rawValue: text) {
          result[documentation.id] = .severity(severity)
        } else {
          throw fail(rule.line, "'\(rule.key)' must be \"off\", \"note\", \"warning\" or \"error\", not \"\(text)\"")
        }
      }
      return result
    }

    /// `16.7ms`, `500us`, `0.1s`, or a rate: `60hz`.
    func budget(_ member: JSON5.Member) throws -> Double {
      guard case .string(let text) = member.node.value else {
        throw fail(member.line, "'budget' must be a duration such as \"16.7ms\", or a rate such as \"60hz\"")
      }
      let number = text.prefix { $0.isNumber || $0 == "." }
      let unit = text[number.endIndex...].lowercased()
      guard let value = Double(number), value > 0 else {
        throw fail(member.line, "'budget' must be a duration such as \"16.7ms\", or a rate such as \"60hz\"")
      }
      switch unit {
      case "us": return value / 1_000
      case "ms": return value
      case "s": return value * 1_000
      case "hz": return 1_000 / value
      default: throw fail(member.line, "'budget' has no unit: write us, ms, s or hz")
      }
    }
  }
}
