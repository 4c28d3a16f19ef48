/// Values that a helper hands on, and state that a helper of the actor appends to.
import Foundation

actor Log {
  private var lines: [String] = []
  private var text = ""
  func add(_ line: String) { push(line) }
  private func push(_ line: String) { lines.append(line) }
  func put(_ line: String) { lines += [line] }
  func write(_ part: String) { text += part }
}

final class Forwarding: PacketDelegate {
  private let log = Log()
  func didReceive(_ packet: Int) { forward("\(packet)") }
  private func forward(_ line: String) {
    Task { await log.add(line) }  // expect: unordered_delivery
  }
}

@MainActor
final class Device {
  var onData: (@Sendable (String) -> Void)?
  var onSelect: (@Sendable (String) -> Void)?
}

@MainActor
func connect(_ device: Device, _ log: Log) {
  device.onData = { part in
    Task { await log.write(part) }  // expect: unordered_delivery
  }
  device.onSelect = { line in
    Task { await log.put(line) }
  }
}

func replay(_ lines: [String], _ log: Log) {
  for line in lines {
    Task { await log.put(line) }  // expect: unordered_delivery
  }
}

/// How often a closure that was passed in calls what it is given, nothing tells.
func once(_ log: Log, fetch: (_ completion: @escaping @Sendable (String) -> Void) -> Void) {
  fetch { line in Task { await log.put(line) } }
}
