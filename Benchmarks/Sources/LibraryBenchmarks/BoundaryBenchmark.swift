/// What an asserted boundary costs beside the runtime's own check.

import Dispatch
import Mainstay

@MainActor private final class Counter {
  private(set) var count = 0
  @inline(never) func add(_ number: Int) { count &+= number }
}

private let rounds = 9
private let calls = 1_000_000

@MainActor
func assertedBoundary() async -> [Figure] {
  let counter = Counter()
  let boundary = AssertedBoundary("benchmark", contract: "the benchmark calls on the main actor")
  print(
    "\n## Asserted boundary\n\n\(calls) calls from synchronous code on the main actor; median of \(rounds) alternating rounds.\n"
  )
  print("| called in | assumeIsolated | AssertedBoundary | ratio |\n|---|---|---|---|")
  let job = compare(counter, boundary)
  print(
    "| a main-actor job | \(two(job.assumed)) ns | \(two(job.asserted)) ns | \(two(job.asserted / job.assumed)) × |")
  let block = await withCheckedContinuation { done in
    DispatchQueue.main.async { done.resume(returning: compare(counter, boundary)) }
  }
  print(
    "| a main-queue block | \(two(block.assumed)) ns | \(two(block.asserted)) ns | \(two(block.asserted / block.assumed)) × |"
  )
  return [
    .ratio("asserted boundary / assumeIsolated, in a job", job.asserted / job.assumed, atMost: 1.2),
    .ratio("asserted boundary / assumeIsolated, in a block", block.asserted / block.assumed, atMost: 1.2),
  ]
}

@inline(never)
private nonisolated func compare(_ counter: Counter, _ boundary: AssertedBoundary) -> (
  assumed: Double, asserted: Double
) {
  var assumed: [Double] = []
  var asserted: [Double] = []
  for _ in 0..<rounds {
    var start = now()
    assume(counter)
    assumed.append(Double(now() - start) / Double(calls))
    start = now()
    deliver(counter, boundary)
    asserted.append(Double(now() - start) / Double(calls))
  }
  return (median(assumed), median(asserted))
}

@inline(never)
private nonisolated func assume(_ counter: Counter) {
  for number in 0..<calls { MainActor.assumeIsolated { counter.add(number) } }
}

@inline(never)
private nonisolated func deliver(_ counter: Counter, _ boundary: AssertedBoundary) {
  for number in 0..<calls { boundary.deliver(number) { counter.add($0) } }
}
