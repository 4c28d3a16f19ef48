/// What MS201 says of an act that came too late, and how sure it is.
import MainstayFindings

extension CheckThenActSearch {
  func finding(
    _ write: WriteEffect, at event: Int, place: Place, check branch: Int, suspension: Int
  ) -> Finding {
    let name = SILValueFlow.memberName(write.place.member)
    let usesAwaited = program.effects.expanded(write.origins, in: function).contains { member in
      member >= 0 && function.suspends(Int(member))
    }
    // Back to a fixed state is advice; `true` after the await is the latch that came too late.
    let isReset =
      isReset(write) || write.isDeferred && write.isPartial
      || write.literal == "true" && isDecidedAfter(suspension, event)
    return builder.finding(
      about: index, at: location(write, event), subject: write.place.member,
      message:
        "\(name) may have changed during the await: it was checked before, and is changed here without a new check",
      action: "check again after the await, or do the slow part first",
      path: [
        PathStep(
          location: function.events[branch].location, text: "\(SILValueFlow.memberName(place.member)) is checked here"),
        PathStep(location: function.events[suspension].location, text: "suspended here: \(awaited(suspension))"),
        PathStep(location: location(write, event), text: "\(name) is changed here"),
      ] + inner(write, event), severity: isReset ? .note : nil,
      confidence: isReset ? .low : usesAwaited || write.literal != nil ? .medium : .high)
  }

  /// Back to something fixed: a literal, or an empty collection.
  func isReset(_ write: WriteEffect) -> Bool {
    if write.isPartial || write.isDerived || write.literal == "true" || write.literal == "!" { return false }
    return program.effects.expanded(write.origins, in: function).allSatisfy { member in
      guard member >= 0, let call = function.call(at: Int(member)), !call.suspends else { return false }
      let name = CalleePattern.normalised(call.display)
      return CheckThenActSearch.emptyValues.contains { name.hasPrefix($0) }
    }
  }

  private static let emptyValues = [
    "_allocateUninitializedArray", "_finalizeUninitializedArray", "Array.init", "Dictionary.init", "Set.init",
    "Data.init()", "String.init", "default argument",
  ]

  /// Whether something learnt after the await decides about the write.
  private func isDecidedAfter(_ suspension: Int, _ event: Int) -> Bool {
    function.events.indices.contains { branch in
      function.branch(at: branch) != nil && flow.controls(branch: branch, event: event) && follows(branch, suspension)
    }
  }

  func finding(
    _ write: WriteEffect, at event: Int, place: Place, copy read: Int, suspension: Int
  ) -> Finding {
    let name = SILValueFlow.memberName(write.place.member)
    return builder.finding(
      about: index, at: location(write, event), subject: write.place.member,
      message: "\(name) may have changed during the await: what was read from it before is written back here",
      action: "read \(name) again after the await, or find the element anew",
      path: [
        PathStep(
          location: function.events[read].location, text: "\(SILValueFlow.memberName(place.member)) is read here"),
        PathStep(location: function.events[suspension].location, text: "suspended here: \(awaited(suspension))"),
        PathStep(location: location(write, event), text: "\(name) is changed here with the old value"),
      ] + inner(write, event), confidence: .high)
  }

  private func awaited(_ event: Int) -> String {
    guard let call = function.call(at: event) else { return "await" }
    let name = CalleePattern.normalised(call.display)
    return name.isEmpty ? "await" : "await \(name)"
  }

  /// The write in this function, or the call of the helper that writes.
  private func location(_ write: WriteEffect, _ event: Int) -> SourceLocation {
    write.isDeferred ? write.location : function.events[event].location
  }

  private func inner(_ write: WriteEffect, _ event: Int) -> [PathStep] {
    guard !write.isDeferred, write.location != function.events[event].location else { return [] }
    return [PathStep(location: write.location, text: "in the function that is called")]
  }
}
