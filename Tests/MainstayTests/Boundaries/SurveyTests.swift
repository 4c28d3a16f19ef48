import Dispatch
import Mainstay
import Testing

/// Survey mode is read once a process, so every test runs in one of its own.
@Suite("In survey mode")
struct SurveyTests {
  @Test("a broken promise is recorded with its queue, and the value hops instead")
  func hops() async {
    await #expect(processExitsWith: .success) {
      setEnvironment("MAINSTAY_BOUNDARIES", "survey")
      let boundary = AssertedBoundary("feed", contract: "on main")
      let applied = Locked<[Int]>([])
      let gate = Gate()
      DispatchQueue(label: "org.example.radio").async {
        for value in 0..<5 {
          boundary.deliver(value) { value in
            #expect(isOnMainQueue())
            applied.change { $0.append(value) }
            if value == 4 { gate.open() }
          }
        }
      }
      await gate.wait()
      let report = Boundaries.report()
      try #require(report.isSurvey)
      let row = try #require(report.broken.first)
      #expect(row.offMain == 5)
      #expect(row.onMain == 0)
      #expect(row.queues == ["queue 'org.example.radio'": 5])
      #expect(row.inversions == 0)
      #expect(applied.value == [0, 1, 2, 3, 4])
      #expect(report.description.contains("5 from queue 'org.example.radio'"))
    }
  }

  @Test("a kept promise is applied in the same call and counted")
  func onMain() async {
    await #expect(processExitsWith: .success) {
      setEnvironment("MAINSTAY_BOUNDARIES", "survey")
      try await MainActor.run {
        let boundary = AssertedBoundary("feed", contract: "on main")
        let model = AssertedBoundaryTests.Model()
        for value in 1...1_000 { boundary.deliver(value) { model.shown.append($0) } }
        DispatchQueue(label: "hides the mark").sync { boundary.deliver(500) { model.shown.append($0) } }
        try #require(model.shown == Array(1...1_000) + [500])
        let row = try #require(Boundaries.report().rows.first)
        #expect(row.onMain == 1_001)
        #expect(row.offMain == 0)
        #expect(Boundaries.report().broken.isEmpty)
      }
    }
  }

  @Test("callbacks are counted exactly, however many threads call back")
  func exact() async {
    await #expect(processExitsWith: .success) {
      setEnvironment("MAINSTAY_BOUNDARIES", "survey")
      let boundary = AssertedBoundary("feed", contract: "on main")
      let applied = Locked(0)
      let all = Gate()
      onForeignThreads(4) { _ in
        for _ in 0..<10_000 {
          boundary.deliver(1) { one in
            let count = applied.change { count in
              count += one
              return count
            }
            if count == 40_000 { all.open() }
          }
        }
      }
      await all.wait()
      let row = try #require(Boundaries.report().rows.first)
      #expect(row.offMain == 40_000)
      #expect(row.queues.values.reduce(0, +) == 40_000)
    }
  }

  @Test("a hop that is overtaken by a later delivery on the main actor counts as an inversion")
  func inversion() async {
    await #expect(processExitsWith: .success) {
      setEnvironment("MAINSTAY_BOUNDARIES", "survey")
      let boundary = AssertedBoundary("feed", contract: "on main")
      await MainActor.run {
        onForeignThreads(1) { _ in boundary.deliver("early") { _ in } }
        boundary.deliver("late") { _ in }
      }
      await MainActor.run {}
      let row = try #require(Boundaries.report().rows.first)
      #expect(row.inversions == 1)
    }
  }

  @Test("a hopping boundary names the queues its values come from, and is never broken")
  func hoppingQueues() async {
    await #expect(processExitsWith: .success) {
      setEnvironment("MAINSTAY_BOUNDARIES", "survey")
      let gate = Gate()
      let boundary = HoppingBoundary<Int>("progress") { value in if value == 3 { gate.open() } }
      DispatchQueue(label: "org.example.loader").async {
        for value in 1...3 { boundary.send(value) }
      }
      await gate.wait()
      let row = try #require(Boundaries.report().rows.first)
      #expect(row.queues == ["queue 'org.example.loader'": 3])
      #expect(row.callbacks == 3)
      #expect(row.offMain == 3)
      #expect(!row.isBroken)
    }
  }

  @Test("a hopping boundary tells senders on the main actor from others, merged values included")
  func hoppingFromMain() async {
    await #expect(processExitsWith: .success) {
      setEnvironment("MAINSTAY_BOUNDARIES", "survey")
      let boundary = HoppingBoundary<Int>("progress", delivery: .latest) { _ in }
      await MainActor.run {
        for value in 0..<5 { boundary.send(value) }
        onForeignThreads(1) { _ in for value in 0..<3 { boundary.send(value) } }
      }
      await mainQueueTurn()
      let row = try #require(Boundaries.report().rows.first)
      #expect(row.callbacks == 8)
      #expect(row.onMain == 5)
      #expect(row.offMain == 3)
      #expect(row.merged == 7)
    }
  }

  @Test("queues with names without end are counted in bounded memory")
  func manyQueues() async {
    await #expect(processExitsWith: .success) {
      setEnvironment("MAINSTAY_BOUNDARIES", "survey")
      let boundary = AssertedBoundary("feed", contract: "on main")
      for index in 0..<200 {
        await withCheckedContinuation { done in
          DispatchQueue(label: "queue \(index)").async {
            boundary.deliver(index) { _ in }
            done.resume()
          }
        }
      }
      let row = try #require(Boundaries.report().rows.first)
      #expect(row.queues.count == 65)
      #expect(row.queues["(further queues)"] == 136)
    }
  }
}
