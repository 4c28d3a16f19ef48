// Visits eight actors from as many tasks, 2,500,000 times in all, and prints how many visits there were. With the hops
// there and back and the yields that is ten million jobs.
actor Worker {
  private var count = 0
  @inline(never) func work() { count += 1 }
  @inline(never) func total() -> Int { count }
}

@main
struct Millions {
  static func main() async {
    let visits = 2_500_000
    let workers = (0..<8).map { _ in Worker() }
    await withTaskGroup(of: Void.self) { group in
      for worker in workers {
        group.addTask {
          for _ in 0..<visits / 8 {
            await worker.work()
            await Task.yield()  // without it the optimiser keeps the actor from one visit to the next
          }
        }
      }
    }
    var total = 0
    for worker in workers { total += await worker.total() }
    print(total)
  }
}
