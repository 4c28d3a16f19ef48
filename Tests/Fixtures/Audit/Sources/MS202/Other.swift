/// Two visits that have nothing to do with each other, or of which the second one checks.
import Elsewhere

actor Meter {
  let limit = 3
  var count = 0
  var peak = 0
  func read() -> Int { count }
  func raise() { peak += 1 }
  func tick() { if count < limit { count += 1 } }
  func setIfAbsent(_ value: Int) -> Bool {
    guard count == 0 else { return false }
    count = value
    return true
  }
}

/// An immutable limit cannot change in between.
func limitOnly(_ meter: Meter) async { if meter.limit > 2 { await meter.tick() } }

/// The second visit asks for itself.
func asks(_ meter: Meter) async { if await meter.read() < 3 { await meter.tick() } }

/// Other state.
func raises(_ meter: Meter) async { if await meter.read() > 1 { await meter.raise() } }

/// Two actors of one type.
func moves(_ first: Counter, _ second: Counter) async {
  if await first.value > 1 { await second.add(1) }
}

/// One visit that does both.
func absent(_ meter: Meter) async -> Bool { await meter.setIfAbsent(4) }

/// A visit whose answer decides nothing.
func logs(_ counter: Counter) async {
  let value = await counter.value
  print(value)
  await counter.add(1)
}
