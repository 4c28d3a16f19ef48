/// What a unit of work costs, and what the package boundary adds to it.

import Mainstay
import SameModuleJournal

private let transfers = 200_000
private let rounds = 7

@MainActor
func journal() async -> [Figure] {
  var across: [(perform: Double, replay: Double)] = []
  var within: [(perform: Double, replay: Double)] = []
  do {
    for _ in 0..<rounds {
      within.append(try SameModuleJournal.journalWorkload(count: transfers))
      across.append(try library_benchmarks.journalWorkload(count: transfers))
    }
  } catch {
    print("the journal refused: \(error)")
    exitProcess(1)
  }
  let one = (perform: median(within.map(\.perform)), replay: median(within.map(\.replay)))
  let two = (perform: median(across.map(\.perform)), replay: median(across.map(\.replay)))
  print(
    "\n## Journal\n\n\(transfers) transfers with two undo steps each, then the same again; median of \(rounds) alternating rounds.\n"
  )
  print("| journal and caller | perform | replay |\n|---|---|---|")
  print("| in one module | \(whole(one.perform)) ns | \(whole(one.replay)) ns |")
  print("| across a package boundary | \(whole(two.perform)) ns | \(whole(two.replay)) ns |")
  return [
    .ratio("perform across a package boundary / in one module", two.perform / one.perform, atMost: 1.5),
    .ratio("replay / first perform", two.replay / two.perform, atMost: 0.7),
  ]
}
