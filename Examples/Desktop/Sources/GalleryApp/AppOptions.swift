/// The command line of the window.
import Foundation

struct AppOptions {
  /// What the command line asks for.
  enum Request {
    case window(AppOptions)
    /// A text to print, and nothing else.
    case text(String)
  }

  var page = PageRegistry.names[0]
  var theme: String?
  var worksOnMain = false
  var trace: String?
  var exercise: Int?
  /// The options of pages that were given.
  private var values: [String: String] = [:]

  /// The value of a page's option, given or not.
  subscript(option: PageOption) -> String { values[option.name] ?? option.fallback }

  /// - Throws: ``AppUsageError``.
  static func parsed(_ arguments: [String]) throws(AppUsageError) -> Request {
    var options = AppOptions()
    var rest = arguments[...]
    func value(of option: String, mayBeEmpty: Bool = false) throws(AppUsageError) -> String {
      guard let value = rest.popFirst(), mayBeEmpty || !value.isEmpty else {
        throw AppUsageError("\(option) needs a value")
      }
      return value
    }
    while let option = rest.popFirst() {
      switch option {
      case "--page":
        options.page = try value(of: option)
        guard PageRegistry.names.contains(options.page) else {
          throw AppUsageError("there is no page \"\(options.page)\"")
        }
      case "--theme":
        let name = try value(of: option)
        guard ["light", "dark"].contains(name) else { throw AppUsageError("there is no theme \"\(name)\"") }
        options.theme = name
      case "--on-main": options.worksOnMain = true
      case "--trace": options.trace = try value(of: option)
      case "--exercise":
        let text = try value(of: option)
        guard let count = Int(text), (1...1000).contains(count) else {
          throw AppUsageError("--exercise is 1 to 1000, not \"\(text)\"")
        }
        options.exercise = count
      case "--pages": return .text(PageRegistry.names.joined(separator: "\n"))
      case "--help", "-h": return .text(help)
      default:
        guard let known = pageOptions.first(where: { $0.name == option }) else {
          throw AppUsageError("there is no option \(option)")
        }
        let text = try value(of: option, mayBeEmpty: known.mayBeEmpty)
        if let problem = known.problem(text) { throw AppUsageError("\(option) is \(problem), not \"\(text)\"") }
        options.values[option] = text
      }
    }
    return .window(options)
  }

  private static var pageOptions: [PageOption] { PageRegistry.all.flatMap { $0.options } }

  private static var help: String {
    let names = PageRegistry.names
    var lines = [
      ("--page NAME", "\(names.dropLast().joined(separator: ", ")) or \(names.last ?? "") (\(names[0]))"),
      ("--theme NAME", "light or dark (the system's)"),
      ("--on-main", "begin with the work on the main actor"),
    ]
    for option in pageOptions {
      let fallback = option.fallback.isEmpty ? "" : " (\(option.fallback))"
      lines.append(("\(option.name) \(option.value)", option.help + fallback))
    }
    lines += [
      ("--trace FILE", "write what is shown to FILE, a JSON object a line"),
      (
        "--exercise N",
        "act N times on the page, print what it did to the frames as JSON, and quit: with 2 when too many"
      ),
      ("--pages", "print the names of the pages"),
      ("--help", "print this"),
    ]
    let width = lines.map(\.0.count).max() ?? 0
    return """
      OVERVIEW: Opens Gallery, the applications that the articles describe, in a window.

      USAGE: gallery-window [OPTIONS]

      OPTIONS:
      \(lines.map { "  \($0)\(String(repeating: " ", count: width - $0.count))  \($1)" }.joined(separator: "\n"))
      Without a display, each page runs as a command: gallery --help and wallet --help list them.
      """
  }
}

/// A command line that cannot be carried out.
struct AppUsageError: Error, CustomStringConvertible {
  let description: String
  init(_ problem: String) { description = "\(problem). See gallery-window --help." }
}
