import Foundation

/// Every way to make a task, with the counts of what was created, completed and cancelled known.
struct Refused: Error {}

actor Ledger {
  private(set) var created = 0
  private(set) var cancelled = 0

  func create(_ count: Int = 1) { created += count }
  func cancel(_ count: Int = 1) { cancelled += count }
}

@MainActor
final class Desk {
  private let ledger = Ledger()

  func continuations() async -> Int {
    var sum = 0
    for number in 0..<20 {
      sum += await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(returning: number) }
      }
      do {
        let _: Int = try await withUnsafeThrowingContinuation { continuation in
          DispatchQueue.global().async { continuation.resume(throwing: Refused()) }
        }
      } catch {
        sum += 1
      }
    }
    return sum
  }

  func groups() async -> Int {
    await ledger.create(30)
    return await withTaskGroup(of: Int.self) { group in
      for number in 0..<30 { group.addTask { number } }
      var sum = 0
      for await number in group { sum += number }
      return sum
    }
  }

  func throwing() async -> String {
    await ledger.create(3)
    do {
      return try await withThrowingTaskGroup(of: String.self) { group in
        for number in 0..<3 {
          group.addTask {
            if number == 1 { throw Refused() }
            return "done"
          }
        }
        for try await _ in group {}
        return "all done"
      }
    } catch {
      return "refused"
    }
  }

  func pairs() async -> Int {
    await ledger.create(20)
    var sum = 0
    for number in 0..<10 {
      async let first = half(number)
      async let second = half(number)
      sum += await first + second
    }
    return sum
  }

  nonisolated func half(_ number: Int) async -> Int { number * 5 }

  func detached() async -> Int {
    await ledger.create(15)
    var sum = 0
    for number in 0..<15 { sum += await Task.detached(priority: .utility) { number }.value }
    return sum
  }

  /// Tasks that wait for ever, until they are cancelled.
  func cancelled() async -> Int {
    await ledger.create(12)
    var ended = 0
    for _ in 0..<12 {
      let task = Task { try await Task.sleep(for: .seconds(3600)) }
      task.cancel()
      await ledger.cancel()
      if case .failure = await task.result { ended += 1 }
    }
    return ended
  }

  func report() async {
    // The main function is a task as well; it has not completed yet.
    print("created \(await ledger.created + 1), cancelled \(await ledger.cancelled)")
  }
}

@main
struct Tasks {
  @MainActor
  static func main() async {
    let desk = Desk()
    print("continuations \(await desk.continuations())")
    print("groups \(await desk.groups())")
    print("throwing \(await desk.throwing())")
    print("pairs \(await desk.pairs())")
    print("detached \(await desk.detached())")
    print("cancelled \(await desk.cancelled())")
    await desk.report()
  }
}
