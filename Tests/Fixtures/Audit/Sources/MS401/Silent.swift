/// Tasks that end, or that somebody owns.
import Foundation
import SwiftUI

@MainActor
final class OwnedChanges {
  var shown = 0
  let changes: AsyncStream<Int>
  private var task: Task<Void, Never>?
  private var all: [Task<Void, Never>] = []
  init(changes: AsyncStream<Int>) { self.changes = changes }

  func start() {
    task = Task { [changes] in
      for await change in changes { print(change) }
    }
  }

  func more() {
    let made = Task { [changes] in
      for await change in changes { print(change) }
    }
    all.append(made)
  }

  func make() -> Task<Void, Never> {
    Task { [changes] in
      for await change in changes { print(change) }
    }
  }

  func save() async { await Task.yield() }

  /// One shot.
  func saveSoon() { Task { await self.save() } }

  /// Its only throw is that of a cancelled sleep.
  func hideSoon() {
    Task {
      try await Task.sleep(for: .seconds(2))
      shown = 0
    }
  }

  /// Ends with its owner.
  func whileAlive() {
    Task { [weak self, changes] in
      for await change in changes {
        guard let self else { return }
        self.shown = change
      }
    }
  }

  /// Ends with the answer.
  func retry() {
    Task {
      while true {
        await save()
        if shown > 3 { break }
      }
    }
  }

  /// A list ends.
  func each(_ numbers: [Int]) {
    Task {
      for _ in numbers { await save() }
    }
  }
}

/// Streams that end with what was asked for.
@MainActor
final class Assistant {
  var text = ""

  /// The maker finishes the stream when the program that it runs has ended.
  private func output(of arguments: [String]) -> AsyncStream<String> {
    AsyncStream { continuation in
      let process = Process()
      process.arguments = arguments
      process.terminationHandler = { _ in continuation.finish() }
    }
  }

  func run() {
    Task {
      for await line in output(of: ["status"]) { text += line }
      text += "ended"
    }
  }

  private func answer(_ prompt: String) async -> AsyncThrowingStream<String, any Error> {
    AsyncThrowingStream { _ in }
  }

  /// An answer that may fail ends, one way or the other.
  func ask(_ prompt: String) {
    Task {
      do {
        for try await word in await answer(prompt) { text += word }
      } catch { text = "" }
    }
  }
}

/// Parts are asked for one after the other, and end with none.
final class Upload: Sendable {
  func send(_ part: Int) async throws {}
  func ended() {}
  func failed() {}

  func start(_ parts: @Sendable @escaping () -> (() async throws -> Int?)) {
    Task {
      let next = parts()
      do {
        while let part = try await next() {
          do { try await send(part) } catch { return }
        }
        ended()
      } catch { failed() }
    }
  }
}

/// The stream ends with the program that it is the output of, however many functions hand it on.
struct Tool: Sendable {
  func run() {
    Task {
      for await _ in output(of: "status") {}
    }
  }

  private func output(of name: String) -> AsyncStream<String> { outputs([name]) }
  private func outputs(_ arguments: [String]) -> AsyncStream<String> { started(arguments, in: "/") }
  private func started(_ arguments: [String], in folder: String) -> AsyncStream<String> {
    let stream = made(arguments)
    return stream
  }
  private func made(_ arguments: [String]) -> AsyncStream<String> {
    AsyncStream { continuation in
      let process = Process()
      process.arguments = arguments
      process.terminationHandler = { _ in continuation.finish() }
    }
  }
}
