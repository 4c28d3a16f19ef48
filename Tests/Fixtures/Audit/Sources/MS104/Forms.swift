/// The forms of a hop in a loop: members, actors of other modules, generic and global ones.
import Elsewhere
import Foundation

func fill(_ counter: Counter) async -> Int {
  var sum = 0
  for amount in stride(from: 0, to: 100, by: 2) {
    await counter.add(amount)  // expect: hop_in_loop
  }
  repeat {
    sum += await counter.value  // expect: hop_in_loop
  } while sum < 1_000
  return sum
}

/// A global actor, visited from the main actor.
@MainActor func settle(_ book: Book, _ amounts: [Int]) async {
  for amount in amounts where amount > 0 {
    if await book.has(amount) {  // expect: hop_in_loop
      await book.take(amount)  // expect: hop_in_loop // expect: split_check
    }
  }
}

/// A protocol that only actors fulfil, and a generic parameter.
protocol Bag: Actor {
  func put(_ value: Int)
  subscript(index: Int) -> Int { get }
}
actor IntBag: Bag {
  var values: [Int] = []
  func put(_ value: Int) { values.append(value) }
  subscript(index: Int) -> Int { values[index] }
}

func copy<B: Bag>(_ values: [Int], to bag: B) async {
  for value in values { await bag.put(value) }  // expect: hop_in_loop
}

func add(_ bag: any Bag) async -> Int {
  var sum = 0
  var index = 0
  while index < 50 {
    sum += await bag[index]  // expect: hop_in_loop
    index += 1
  }
  return sum
}

/// `MainActor.run` for one step of each turn.
@MainActor
final class Progress {
  var done = 0
}
func process(_ items: [Int], _ progress: Progress) async {
  for _ in items {
    await MainActor.run { progress.done += 1 }  // expect: hop_in_loop
  }
}

/// In a closure, in a nested loop, on a member.
actor Grid {
  var cells: [[Int]] = []
  func cell(_ x: Int, _ y: Int) -> Int { cells[y][x] }
}

@MainActor
final class Canvas {
  let grid = Grid()
  var sum = 0
  func draw() {
    Task {
      for y in 0..<10 {
        for x in 0..<10 {
          sum += await grid.cell(x, y)  // expect: hop_in_loop
        }
      }
    }
  }
}

/// One step of each turn in a function of its own.
@MainActor
final class Stepper {
  let grid = Grid()
  var sum = 0
  func draw() async {
    for x in 0..<100 { await step(x) }  // expect: hop_in_loop
  }
  private func step(_ x: Int) async { sum += await grid.cell(x, 0) }
}
