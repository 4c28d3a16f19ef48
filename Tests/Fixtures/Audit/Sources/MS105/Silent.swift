/// Views that show what is ready.
import Foundation
import SwiftUI

@MainActor
final class ProcessModel {
  private(set) var byLoad: [ProcessRow] = []
  func update(_ rows: [ProcessRow]) { byLoad = rows.sorted { $0.load > $1.load } }
}

struct ReadyList: View {
  let model: ProcessModel

  var body: some View {
    List { ForEach(model.byLoad) { Text($0.name) } }
  }
}

/// A small literal, and a bounded prefix.
struct SmallLists: View {
  let rows: [ProcessRow]

  var body: some View {
    VStack {
      ForEach(["b", "a", "c"].sorted()) { Text($0) }
      ForEach(rows.prefix(5).sorted { $0.load > $1.load }) { Text($0.name) }
    }
  }
}

/// An action is not an update.
struct ActionRow: View {
  let rows: [ProcessRow]
  @State var first = ""

  var body: some View {
    Button("Sort") { first = rows.sorted { $0.load > $1.load }.first?.name ?? "" }
  }
}

/// What the button runs, and what it was given for that, is no part of the layout.
struct ActionMenu: View {
  let rows: [ProcessRow]
  let onSort: () -> Void
  @State var first = ""

  var body: some View {
    List {
      Button {
        onSort()
        first = rows.sorted { $0.load > $1.load }.first?.name ?? ""
      } label: {
        Text("Sort")
      }
    }
  }
}

struct MenuHost: View {
  let rows: [ProcessRow]
  @State var names: [String] = []

  var body: some View {
    ActionMenu(rows: rows, onSort: { sort() })
  }

  private func sort() { names = rows.sorted { $0.load > $1.load }.map { $0.name } }
}

/// What a property wrapper does behind its accessor, no view can compute elsewhere.
@MainActor @propertyWrapper
struct Remembered {
  @MainActor
  final class Box {
    var owners: [Int: String] = [:]
    func pruned() -> Int { owners.keys.filter { $0 > 0 }.count }
  }
  private let box = Box()
  var wrappedValue: Int { box.pruned() }
}

struct RememberingView: View {
  @Remembered var count

  var body: some View { Text("\(count)") }
}

/// A message for a person, and the few stops of a gradient.
struct Fade {
  struct Stop { var location: Double }
  var stops: [Stop]
  init(stops: [Stop]) { self.stops = stops.sorted { $0.location < $1.location } }
}

struct CheckedView: View {
  let widths: Set<Int>
  let stops: [Fade.Stop]

  var body: some View {
    Text(problem + String(Fade(stops: stops).stops.count))
  }

  private var problem: String { widths.count > 1 ? "the frames mix widths \(widths.sorted())" : "" }
}

/// The cases that an enumeration lists of itself are a few, and so is what a URL asks.
enum Order: String, CaseIterable {
  case newest, oldest, best, worst
  static let simple: [Order] = [.newest, .oldest]
  static var rated: [Self] { [.best, .worst] }
}

struct OrderPicker: View {
  let pinned: Set<Order>
  let address: URLComponents

  init(pinned: Set<Order>, address: URLComponents) {
    self.pinned = pinned
    var shorter = address
    shorter.queryItems = address.queryItems?.filter { $0.name != "thumbnail" }
    self.address = shorter
  }

  var body: some View {
    VStack {
      Text(Order.simple.filter { pinned.contains($0) }.filter { $0 != .oldest }.first?.rawValue ?? "")
      Text(Order.rated.filter { pinned.contains($0) }.first?.rawValue ?? "")
    }
  }
}

/// What a sheet runs when it goes is no part of what it shows.
struct SheetHost: View {
  let rows: [ProcessRow]
  @State var names: [String] = []

  var body: some View {
    Text("").sheet(isPresented: false, onDismiss: { sort() }, content: { Text(names.first ?? "") })
  }

  private func sort() { names = rows.sorted { $0.load > $1.load }.map { $0.name } }
}

/// What runs when a list comes, when a menu is tapped, and when a field is changed is an action, wherever it is written.
struct ActionHost: View {
  let rows: [ProcessRow]
  @State var names: [String] = []

  var body: some View {
    VStack {
      List { Text(names.first ?? "") }.onAppear { sort() }
      Menu {
        Text("all")
      } label: {
        Text(names.first ?? "")
      } primaryAction: {
        sort()
      }
      TextField("name", text: loads.map(getter: { $0 }, setter: { text in parsed(text) }))
    }
  }

  private var loads: Binding<String> { Binding(get: { names.first ?? "" }, set: { names = [$0] }) }
  private func parsed(_ text: String) -> String { rows.filter { $0.name.contains(text) }.first?.name ?? "" }
  private func sort() { names = rows.sorted { $0.load > $1.load }.map { $0.name } }
}

/// Made once for all rows: a formatter, and names that are sorted when somebody asks first.
struct ShowsDate: View {
  let date: Date

  private static let formatter: DateFormatter = {
    let formatter = DateFormatter()
    formatter.dateStyle = .short
    return formatter
  }()
  private static let zones = TimeZone.knownTimeZoneIdentifiers
  private static let sorted = { zones.sorted() }()

  var body: some View {
    VStack {
      Text(ShowsDate.formatter.string(from: date))
      Text(ShowsDate.sorted.first ?? "")
    }
  }
}

/// Kept by a wrapper that evaluates it once, however it is written.
@MainActor
final class Ordered {
  let names: [String]
  init(_ rows: [ProcessRow]) { names = rows.sorted { $0.load > $1.load }.map { $0.name } }
}

struct OwnsModel: View {
  @StateObject var model: Ordered
  init(rows: [ProcessRow]) { self._model = .init(wrappedValue: Ordered(rows)) }
  var body: some View { Text(model.names.first ?? "") }
}

/// A list that stands in the source, as a constant of the view or of its type.
struct Tabs: View {
  let tabs = ["popular", "all", "new"]
  static let hidden = ["all"]

  var body: some View {
    List { ForEach(tabs.sorted().filter { !Tabs.hidden.sorted().contains($0) }) { Text($0) } }
  }
}

/// A few values of the view, put in order where they are written down.
struct Pair: View {
  let first: Int
  let second: Int

  var body: some View { Text([first, second].sorted().map(String.init).joined(separator: "–")) }
}
