// 3.7: `@unchecked Sendable` on a class that is not isolated: a background write, and no diagnostic.
final class UncheckedModel: @unchecked Sendable {
  var text = ""
}

func misuse(_ model: UncheckedModel) {
  Task.detached { model.text = "from the background" }
}
