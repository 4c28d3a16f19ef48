/// The command line of the window.
import Foundation

struct AppOptions {
  static let help = """
    OVERVIEW: Opens Gallery, the applications that the articles describe, in a window.

    USAGE: gallery-window [OPTIONS]

    OPTIONS:
      --page NAME        search, thumbnails, playback or palette (default: search)
      --theme NAME       light or dark (default: the system's)
      --on-main          begin with the work on the main actor
      --catalogue FILE   the articles (default: Examples/Data/catalogue.json)
      --settings FILE    where the position of playback is kept (default: Examples/Data/playback.json)
      --picture FILE     the picture that the palette begins with
      --query TEXT       what the search begins with
      --trace FILE       write what is shown to FILE, a JSON object a line
      --exercise N       act N times on the page, print what it did to the frames as JSON, and quit
      --help             print this
    Without a display, each page runs as a command: gallery search --help.
    """

  var page = "search"
  var theme: String?
  var worksOnMain = false
  var catalogue = "Examples/Data/catalogue.json"
  var settings = "Examples/Data/playback.json"
  var picture: String?
  var query = ""
  var trace: String?
  var exercise: Int?

  static let pages = ["search", "thumbnails", "playback", "palette"]

  /// - Returns: `nil` when help was asked for.
  /// - Throws: ``AppUsageError``.
  init?(_ arguments: [String]) throws(AppUsageError) {
    var rest = arguments[...]
    func value(of option: String) throws(AppUsageError) -> String {
      guard let value = rest.popFirst() else { throw AppUsageError("\(option) needs a value") }
      return value
    }
    while let option = rest.popFirst() {
      switch option {
      case "--page":
        page = try value(of: option)
        guard Self.pages.contains(page) else { throw AppUsageError("there is no page \"\(page)\"") }
      case "--theme":
        let name = try value(of: option)
        guard ["light", "dark"].contains(name) else { throw AppUsageError("there is no theme \"\(name)\"") }
        theme = name
      case "--on-main": worksOnMain = true
      case "--catalogue": catalogue = try value(of: option)
      case "--settings": settings = try value(of: option)
      case "--picture": picture = try value(of: option)
      case "--query": query = try value(of: option)
      case "--trace": trace = try value(of: option)
      case "--exercise":
        let text = try value(of: option)
        guard let count = Int(text), (1...1000).contains(count) else {
          throw AppUsageError("--exercise is 1 to 1000, not \"\(text)\"")
        }
        exercise = count
      case "--help", "-h": return nil
      default: throw AppUsageError("there is no option \(option)")
      }
    }
  }
}

/// A command line that cannot be carried out.
struct AppUsageError: Error, CustomStringConvertible {
  let description: String
  init(_ problem: String) { description = "\(problem). See gallery-window --help." }
}
