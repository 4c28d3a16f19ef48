/// Views whose layout does the model's work.
import Foundation
import SwiftUI

struct ProcessRow: Sendable {
  var name: String
  var load: Double
}

/// Sorted at every tick.
struct ProcessList: View {
  let processes: [ProcessRow]

  var body: some View {
    List {
      ForEach(processes.sorted { $0.load > $1.load }) { row in  // expect: heavy_view_body
        Text(row.name)
      }
    }
  }
}

/// A whole list filtered and lower-cased per keystroke.
struct FilteredList: View {
  let rows: [ProcessRow]
  @State var query = ""

  var body: some View {
    let names = rows.map { $0.name.lowercased() }  // expect: heavy_view_body
    let found = names.filter { $0.contains(query) }  // expect: heavy_view_body
    List { ForEach(found) { Text($0) } }
  }
}

/// A row that unarchives and decodes, two calls deep.
struct ThumbnailRow: View {
  let file: URL

  var body: some View {
    Image(pixels())
  }

  private func pixels() -> [UInt8] {
    guard let data = try? Data(contentsOf: file) else { return [] }  // expect: heavy_view_body
    return decode(data)
  }

  private func decode(_ data: Data) -> [UInt8] {
    (try? JSONDecoder().decode([UInt8].self, from: data)) ?? []  // expect: heavy_view_body
  }
}

/// A row's content is built in an escaping closure.
struct DateList: View {
  let days: [Date]

  var body: some View {
    List {
      ForEach(days) { day in
        let formatter = DateFormatter()  // expect: heavy_view_body
        Text(formatter.string(from: day))
      }
    }
  }
}

/// The initialiser of a view runs whenever its parent is laid out.
struct Summary: View {
  let lines: [String]

  init(file: URL) {
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""  // expect: heavy_view_body
    lines = text.split(separator: "\n").map(String.init)
  }

  var body: some View { Text(lines.first ?? "") }
}

/// A text of one element: the whole is sorted for it.
struct FirstName: View {
  let names: Set<String>

  var body: some View {
    Text(first)
  }

  private var first: String { "\(names.sorted().first ?? "")" }  // expect: heavy_view_body
}

/// What a sheet shows is laid out.
struct SheetContent: View {
  let rows: [ProcessRow]

  var body: some View {
    Text("").sheet(isPresented: false, onDismiss: {}, content: { Text(sorted) })
  }

  private var sorted: String { rows.sorted { $0.load > $1.load }.first?.name ?? "" }  // expect: heavy_view_body
}

/// A menu's content and label are laid out.
struct SlowMenu: View {
  let rows: [ProcessRow]

  var body: some View {
    Menu {
      Text(slowest)
    } label: {
      Text("processes")
    } primaryAction: {
    }
  }

  private var slowest: String { rows.sorted { $0.load > $1.load }.first?.name ?? "" }  // expect: heavy_view_body
}

/// Made for each row.
struct MakesFormatter: View {
  let date: Date
  private var formatter: DateFormatter { DateFormatter() }  // expect: heavy_view_body

  var body: some View { Text(formatter.string(from: date)) }
}

/// `State` evaluates its initial value in each initialiser of the view.
struct MakesModel: View {
  @State var names: [String]
  init(rows: [ProcessRow]) {
    self._names = .init(wrappedValue: rows.sorted { $0.load > $1.load }.map { $0.name })  // expect: heavy_view_body
  }
  var body: some View { Text(names.first ?? "") }
}

/// It begins as a list that stands in the source, and is another one later.
struct GrowingTabs: View {
  @State var tabs = ["popular", "all", "new"]

  var body: some View {
    List { ForEach(tabs.sorted()) { Text($0) } }  // expect: heavy_view_body
  }
}
