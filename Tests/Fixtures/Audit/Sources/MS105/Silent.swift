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
