import Feed
import Testing

@Suite("A ledger of frames")
struct FrameLedgerTests {
  @Test("an update that is applied in its frame is visible in it")
  func sameFrame() {
    var ledger = FrameLedger()
    for update in 1...10 {
      ledger.make(update)
      ledger.apply(update)
      ledger.draw()
    }
    #expect(ledger.shown == 10 && ledger.merged == 0 && ledger.inversions == 0)
    #expect(ledger.averageFramesLater == 0 && ledger.p99FramesLater == 0)
  }

  @Test("an update that is applied after its frame is visible in the next, and counts the frames")
  func later() {
    var ledger = FrameLedger()
    for update in 1...4 {
      ledger.make(update)
      ledger.draw()
      ledger.apply(update)
    }
    ledger.draw()
    #expect(ledger.shown == 4 && ledger.averageFramesLater == 1 && ledger.worstFramesLater == 1)
    ledger.make(5)
    for _ in 0..<3 { ledger.draw() }
    ledger.apply(5)
    ledger.draw()
    #expect(ledger.worstFramesLater == 3)
    #expect(ledger.averageFramesLater == (4.0 + 3.0) / 5)
  }

  @Test("of two updates that are applied between two frames the first was merged")
  func merged() {
    var ledger = FrameLedger()
    for update in 1...2 {
      ledger.make(update)
      ledger.draw()
    }
    ledger.apply(1)
    ledger.apply(2)
    ledger.draw()
    ledger.draw()
    #expect(ledger.updates == 2 && ledger.shown == 1 && ledger.merged == 1 && ledger.applied == 2)
    #expect(ledger.averageFramesLater == 1)
  }

  @Test("each frame says what it was the first to draw, how late that was, and what it passed over")
  func frames() {
    var ledger = FrameLedger()
    ledger.make(1)
    ledger.apply(1)
    #expect(ledger.draw() == FrameLedger.Frame(update: 1))
    #expect(ledger.draw() == FrameLedger.Frame())
    for update in 2...4 { ledger.make(update) }
    #expect(ledger.draw() == FrameLedger.Frame())
    for update in 2...4 { ledger.apply(update) }
    #expect(ledger.draw() == FrameLedger.Frame(update: 4, later: 1, skipped: 2))
    ledger.make(5)
    #expect(ledger.skipped == 2 && ledger.merged == 3, "one is on its way")
    ledger.apply(3)
    #expect(ledger.draw() == FrameLedger.Frame(update: 3, later: 2), "what comes late was counted as skipped already")
    #expect(ledger.skipped == 2)
  }

  @Test("an update that is applied after a later one is an inversion")
  func inverted() {
    var ledger = FrameLedger()
    for update in 1...3 { ledger.make(update) }
    for update in [2, 1, 3] { ledger.apply(update) }
    ledger.draw()
    #expect(ledger.inversions == 1)
    #expect(ledger.newestApplied == 3)
  }

  @Test("what no update of the run made is not counted")
  func others() {
    var ledger = FrameLedger()
    ledger.apply(0)
    ledger.draw()
    #expect(ledger.shown == 0 && ledger.applied == 0 && ledger.p99FramesLater == 0 && ledger.averageFramesLater == 0)
  }

  @Test("the 99th percentile is what 99 of 100 do not exceed")
  func percentile() {
    var ledger = FrameLedger()
    for update in 1...100 {
      ledger.make(update)
      if update == 100 { ledger.draw() }
      ledger.apply(update)
      ledger.draw()
    }
    #expect(ledger.p99FramesLater == 0)
    #expect(ledger.worstFramesLater == 1)
  }
}
