/// One consumer, or state that comes out the same in any order.
actor Tally {
  private var total = 0
  private var seen: Set<Int> = []
  func add(_ value: Int) { total += value }
  func note(_ value: Int) { seen.insert(value) }
}

final class Counting: PacketDelegate {
  let tally = Tally()
  func didReceive(_ packet: Int) {
    Task { await tally.add(packet) }
  }
}

final class Ordered: PacketDelegate {
  let continuation: AsyncStream<Int>.Continuation
  let task: Task<Void, Never>
  init(assembler: Assembler) {
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    self.continuation = continuation
    task = Task { for await packet in stream { await assembler.append(packet) } }
  }
  func didReceive(_ packet: Int) { continuation.yield(packet) }
}

/// One tap, one task.
@MainActor
final class Panel {
  let assembler = Assembler()
  func tapped() { Task { await assembler.append(1) } }
}
