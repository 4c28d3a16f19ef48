/// Values whose order matters, each in a task of its own.
import Foundation
import SwiftUI

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

/// What the handler reads from its value is a value, too.
final class Output: Sendable {
  let assembler = Assembler()
  func connect(_ handle: FileHandle) {
    handle.readabilityHandler = { [assembler] handle in
      let count = handle.availableData.count
      guard count > 0 else { return }
      Task { await assembler.append(count) }  // expect: unordered_delivery
    }
  }
}

/// What it belongs to is called after an end, and what it is called for is not one.
final class CompletionsPanel: PacketDelegate {
  let assembler = Assembler()
  func didReceive(_ packet: Int) {
    Task { await assembler.append(packet) }  // expect: unordered_delivery
  }
}

/// A view that hears values from elsewhere.
actor Frames {
  private var all: [Int] = []
  func append(_ frame: Int) { all.append(frame) }
}

struct Camera: View {
  let onFrame: (Int) -> Void
  var body: some View { Text("") }
}

struct CameraView: View {
  let frames: Frames

  var body: some View {
    Camera(onFrame: { frame in
      Task { await frames.append(frame) }  // expect: unordered_delivery
    })
  }
}

/// A label that says what comes in.
actor Tape {
  private var pieces: [String] = []
  func add(_ piece: String) { pieces.append(piece) }
}

struct Tapes: Sendable {
  let tape = Tape()
  func tape(_ name: Int, handle piece: String) {
    Task { await tape.add(piece) }  // expect: unordered_delivery
  }
}
