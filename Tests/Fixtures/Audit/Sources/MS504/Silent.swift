/// Nothing repeated, and attributes that say something.

final class PlainModel {
  var query = ""
}

nonisolated struct Parser {
  var text = ""
  @MainActor func show(_ model: PlainModel) { model.query = text }
}

actor Store {
  var rows: [Int] = []
  @MainActor func present(_ model: PlainModel) { model.query = "stored" }
}
