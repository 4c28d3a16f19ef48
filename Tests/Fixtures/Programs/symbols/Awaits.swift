// Awaits of every shape. `ResumePointTests` compiles this and finds each await's line by the comment behind it.

import Dispatch

actor Store {
  var count = 0
  func bump() -> Int {
    count += 1
    return count
  }
  func slow() async -> Int {
    await Task.yield()
    return count
  }
  func risky(_ more: Int) throws -> Int {
    count += more
    return count
  }
}

@inline(never)
func work(_ seed: Int) -> Int {
  var total = seed
  for turn in 0..<10 { total &+= turn &* total }
  return total
}

@MainActor
final class SearchModel {
  let store = Store()
  var total = 0

  func hop() async {
    let first = await store.bump()  // hop 1
    total += work(first)
  }

  func several() async {
    let first = await store.bump()  // several 1
    total += work(first)
    let second = await store.slow()  // several 2
    total += work(second)
    await Task.yield()  // several 3
    total += work(3)
  }

  func sum() async {
    total += await store.slow() + store.slow()  // sum 1
    total += 1
  }

  func loop() async {
    for turn in 0..<3 {
      let first = await store.bump()  // loop 1
      total += work(first + turn)
    }
  }

  func pair() async {
    async let first = store.bump()
    async let second = store.slow()
    total += work(await first + second)  // pair 1
    total += work(1)
  }  // pair end

  func stream() async {
    let numbers = AsyncStream<Int> { continuation in
      continuation.yield(1)
      continuation.finish()
    }
    for await number in numbers {  // stream 1
      total += work(number)
    }
    total += 1
  }

  func risky() async throws {
    let first = try await store.risky(2)  // risky 1
    total += work(first)
    try await Task.sleep(nanoseconds: 1000)  // risky 2
    total += work(2)
  }

  func group() async {
    let sum = await withTaskGroup(of: Int.self) { group in  // group 1
      group.addTask { await self.store.bump() }
      var sum = 0
      for await number in group { sum += work(number) }
      return sum
    }
    total += sum
  }

  func continuation() async {
    let answer: Int = await withCheckedContinuation { continuation in  // continuation 1
      DispatchQueue.global().async { continuation.resume(returning: 3) }
    }
    total += work(answer)
  }
}

nonisolated func elsewhere(_ model: SearchModel) async {
  await model.hop()  // elsewhere 1
  print("between")
  await model.several()  // elsewhere 2
  print("after")
}

@main
struct App {
  static func main() async throws {
    let model = SearchModel()
    await model.hop()
    await model.several()
    await model.sum()
    await model.loop()
    await model.pair()
    await model.stream()
    try await model.risky()
    await model.group()
    await model.continuation()
    await elsewhere(model)
    print(model.total)
  }
}
