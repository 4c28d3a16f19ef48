import CMainstayTrace
import Mainstay

/// What could not be seen, or not be kept, a sentence each that ends in what to do.
extension RunSummary {
  static func notVisible(_ recording: Recording, _ stalls: [Stall], _ naming: Naming) -> [String] {
    let header = recording.header
    var notes: [String] = []
    func note(_ count: UInt64, _ one: String, _ many: String) {
      if count > 0 { notes.append(count == 1 ? "1 \(one)" : "\(DurationText.count(Int(clamping: count))) \(many)") }
    }
    note(
      header.unseen_blocks,
      "block of the main queue with a quality of service of its own: submit it without one to have it measured",
      "blocks of the main queue with a quality of service of their own: submit them without one to have them measured")
    note(
      header.lost_threads, "thread beyond the recorder's table, whose jobs are missing: record with fewer at a time",
      "threads beyond the recorder's table, whose jobs are missing: record with fewer at a time")
    note(
      header.lost_executors,
      "look-up of an actor beyond the recorder's table, counted for its type only: record with fewer actors, or for less long",
      "look-ups of actors beyond the recorder's table, counted for their types only: record with fewer actors, or for less long"
    )
    note(
      header.lost_functions, "look-up of a function beyond the recorder's table: record for less long",
      "look-ups of functions beyond the recorder's table: record for less long")
    note(
      header.lost_boundaries,
      "telling of a boundary beyond the recorder's table: give fewer boundaries names of their own",
      "tellings of boundaries beyond the recorder's table: give fewer boundaries names of their own")
    if !recording.gaps.isEmpty {
      let seconds = recording.gaps.map { recording.clock.seconds($0.upperBound - $0.lowerBound) }.reduce(0, +)
      notes.append(
        "\(DurationText.seconds(seconds)) in which the whole process did not run, not counted as stalls: "
          + "record again when nothing stops it and the machine has time")
    }
    if header.folded_records > 0 {
      notes.append(
        "single records of \(DurationText.count(Int(clamping: header.folded_records))) of the jobs: their totals are exact, "
          + "hops among them are not counted (raise --memory to keep all)")
    }
    if header.lost_samples > 0, stalls.contains(where: \.samples.isEmpty) {
      notes.append(
        "why some stalls were long: their threads gave no stack, because the program blocks or handles SIGPROF itself, "
          + "took on another user since it began, or the machine was too busy: let it in, start it as that user, or record "
          + "again")
    }
    notes.append(contentsOf: naming.problems)
    return notes
  }
}

extension RunSummary.SelfCheck {
  init(_ recording: Recording) {
    let seen = recording.header.capabilities
    complete = seen & MAINSTAY_CAN_SEE_ALL.rawValue == MAINSTAY_CAN_SEE_ALL.rawValue
    let names: [(mainstay_capability, String)] = [
      (MAINSTAY_CAN_SEE_ENQUEUE, "when jobs are enqueued"), (MAINSTAY_CAN_SEE_START, "when jobs start"),
      (MAINSTAY_CAN_SEE_SUSPEND, "why tasks suspend"), (MAINSTAY_CAN_SEE_COMPLETION, "when tasks complete"),
      (MAINSTAY_CAN_SEE_INLINE_HOP, "inline hops"), (MAINSTAY_CAN_SEE_CONTINUATION, "continuations"),
      (MAINSTAY_CAN_SEE_CANCELLATION, "cancellation"), (MAINSTAY_CAN_SEE_CREATION, "where tasks are created"),
      (MAINSTAY_CAN_SEE_RETURN, "when jobs return"), (MAINSTAY_CAN_SEE_BLOCKS, "blocks of the main queue"),
      (MAINSTAY_CAN_SEE_FUNCTION, "the functions of jobs"), (MAINSTAY_CAN_SEE_QUEUE, "the length of queues"),
    ]
    missing = names.filter { seen & $0.0.rawValue == 0 }.map(\.1)
  }
}
