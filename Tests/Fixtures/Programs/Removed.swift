/// Leaves the main actor for something so small that the optimiser may do it there, 100 times; and for something that it
/// may not, 50 times.
@concurrent
func double(_ value: Int) async -> Int { value &* 2 }

@concurrent @inline(never)
func reallyElsewhere(_ value: Int) async -> Int {
  await Task.yield()
  return value &+ 1
}

@MainActor @inline(never)
func note(_ value: Int) { if value < 0 { print(value) } }

@main
struct Removed {
  @MainActor
  static func main() async {
    var sum = 0
    for value in 0..<100 {
      sum &+= await double(value)
      note(sum)
    }
    for _ in 0..<50 {
      sum = await reallyElsewhere(sum)
      note(sum)
    }
    print(sum)
  }
}
