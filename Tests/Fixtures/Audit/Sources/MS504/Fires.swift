/// The module's default is the main actor already.

@MainActor final class SearchModel {  // expect: redundant_isolation note
  var query = ""

  @MainActor func clear() { query = "" }  // expect: redundant_isolation note
}

@MainActor func present(_ model: SearchModel) { model.clear() }  // expect: redundant_isolation note
