/// Flags that keep a second run out: tested and set before the work that they stand for begins.

extension Program {
  /// Whether a function tests something and sets it before an event, and so lets nobody else come that far meanwhile.
  func latches(_ function: FunctionFacts, _ flow: ControlFlow, before event: Int) -> Bool {
    for number in function.events.indices where number < event {
      var places: [Place] = []
      if let write = function.write(at: number) { places.append(write.place) }
      if let call = function.call(at: number), !call.isAsync {
        places += effects.effects(of: call, in: function).writes.map(\.place)
      }
      for place in places {
        for branch in function.events.indices where branch < number {
          guard let origins = function.branch(at: branch), flow.controls(branch: branch, event: event) else { continue }
          if effects.places(of: origins, in: function).contains(where: { $0.place.overlaps(place) }) { return true }
        }
      }
    }
    return false
  }
}

/// What work under way is called.
enum BusyFlags {
  private static let words = [
    "loading", "busy", "saving", "submitting", "sending", "working", "running", "fetching", "refreshing", "processing",
    "uploading", "downloading", "syncing", "searching", "inprogress", "inflight", "extracting", "generating", "pending",
    "updating", "importing", "exporting",
  ]

  /// Whether a member or a case is called so: `isSaving`, `.loading`.
  static func isOne(_ name: String) -> Bool {
    let lower = (name.split(separator: ".").last ?? "").lowercased()
    return words.contains { lower.contains($0) }
  }
}
