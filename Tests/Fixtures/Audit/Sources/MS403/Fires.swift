/// Values whose order matters, each in a task of its own.
actor Assembler {
  private var parts: [Int] = []
  private var latest = 0
  func append(_ part: Int) { parts.append(part) }
  func show(_ value: Int) { latest = value }
}

protocol PacketDelegate: AnyObject, Sendable {
  func didReceive(_ packet: Int)
}

final class Receiver: PacketDelegate {
  let assembler = Assembler()

  func didReceive(_ packet: Int) {
    Task { await assembler.append(packet) }  // expect: unordered_delivery
  }

  func replay(_ packets: [Int]) {
    for packet in packets {
      Task { await assembler.append(packet) }  // expect: unordered_delivery
    }
  }
}

final class Source: Sendable {
  func onValue(_ handler: @escaping @Sendable (Int) -> Void) { handler(1) }
}

struct Wiring: Sendable {
  let assembler = Assembler()
  func connect(_ source: Source) {
    source.onValue { value in
      Task { await assembler.show(value) }  // expect: unordered_delivery
    }
  }
}
