/// One consumer, or state that comes out the same in any order.
import Foundation
import SwiftUI
import Synchronization

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

/// Each task waits for the one before it.
final class Chained: PacketDelegate {
  private let assembler = Assembler()
  private let last = Mutex<Task<Void, Never>?>(nil)

  func didReceive(_ packet: Int) {
    last.withLock { last in
      let previous = last
      last = Task { [assembler] in
        await previous?.value
        await assembler.append(packet)
      }
    }
  }

  /// Comes when everything else has come.
  func end(_ packet: Int) {
    let previous = last.withLock { $0 }
    Task { [assembler] in
      await previous?.value
      await assembler.append(packet)
    }
  }
}

actor Child {
  private var status: Int32?
  private var onExit: (@Sendable (Int32) -> Void)?
  private func ended(_ new: Int32) { status = new }
  private func setOnExit(_ new: @escaping @Sendable (Int32) -> Void) { onExit = new }

  /// A program ends once.
  func watch(_ process: Process) {
    process.terminationHandler = { [weak self] process in
      let status = process.terminationStatus
      Task { await self?.ended(status) }
    }
  }

  /// A handler is set when the child is set up.
  nonisolated var onEnd: @Sendable (Int32) -> Void {
    get { { _ in } }
    set { Task { await self.setOnExit(newValue) } }
  }
}

/// The stream's own closure runs once, and what it is given is no value.
actor Reader {
  private var continuation: AsyncStream<Int>.Continuation?
  nonisolated func values() -> AsyncStream<Int> {
    AsyncStream { continuation in
      Task { await self.start(continuation) }
    }
  }
  func start(_ continuation: AsyncStream<Int>.Continuation) { self.continuation = continuation }
}

/// Each of them is told the same, once.
actor Line {
  private var isTraced = false
  func setTraced(_ new: Bool) { isTraced = new }
}

final class Lines: Sendable {
  let all = [Line(), Line()]
  var isTraced: Bool {
    get { false }
    set {
      for line in all {
        Task { await line.setTraced(newValue) }
      }
    }
  }
}

/// What a view's action is given is a person's act, one at a time.
@MainActor
final class Conversation {
  private var messages: [String] = []
  func send(_ text: String) async { messages.append(text) }
}

struct Composer: View {
  let send: (String) -> Void
  var body: some View { Text("") }
}

/// A box to write in, whose handler has the name of what is written.
struct MessageBox: View {
  let sendMessage: (String) -> Void
  var body: some View { Text("") }
}

struct ConversationPage: View {
  let conversation: Conversation

  var body: some View {
    MessageBox(sendMessage: { text in
      Task { await conversation.send(text) }
    })
  }
}

struct ConversationView: View {
  let conversation: Conversation

  var body: some View {
    Composer { text in
      Task { await conversation.send(text) }
    }
  }
}

/// What a control sets is a person's act, too.
struct MemberRow: View {
  let frames: Frames

  var body: some View {
    Toggle(
      "member",
      isOn: Binding(
        get: { true },
        set: { isMember in
          Task { await frames.append(isMember ? 1 : 0) }
        }))
  }
}

/// A function that is given a handler is none itself.
actor Handlers {
  private var names: [String] = []
  func register(_ name: String, _ handler: @escaping @Sendable () -> Void) { names.append(name) }
}

struct Pool: Sendable {
  let handlers = Handlers()
  func subscribe(name: String, handler: @escaping @Sendable () -> Void) {
    Task { await handlers.register(name, handler) }
  }
}
