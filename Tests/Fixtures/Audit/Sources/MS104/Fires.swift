/// Loops that hop to another actor and back in every turn.
actor Store {
  var values: [Int] = []
  var limit = 3
  func value(_ index: Int) -> Int { values[index] }
  func append(_ value: Int) { values.append(value) }
}

@MainActor
final class Reader {
  let store = Store()
  var total = 0

  func sum() async -> Int {
    var sum = 0
    for index in 0..<100 {
      sum += await store.value(index)  // expect: hop_in_loop
    }
    return sum
  }

  /// A property is a hop too.
  func limits() async -> Int {
    var sum = 0
    for _ in 0..<100 {
      sum += await store.limit  // expect: hop_in_loop
    }
    return sum
  }

  func add(_ value: Int) { total += value }
}

/// Towards the main actor.
func report(_ reader: Reader, _ values: [Int]) async {
  for value in values {
    await reader.add(value)  // expect: hop_in_loop
  }
}

func fill(_ store: Store) async {
  var next = 0
  while next < 1_000 {
    await store.append(next)  // expect: hop_in_loop
    next += 1
  }
}

/// Goes through the letters of one line: still a line a turn.
actor Typist {
  var letters = 0
  func type(_ line: String) { for letter in line where letter != " " { letters += 1 } }
}

func typeAll(_ typist: Typist, _ lines: [String]) async {
  for line in lines { await typist.type(line) }  // expect: hop_in_loop
}
