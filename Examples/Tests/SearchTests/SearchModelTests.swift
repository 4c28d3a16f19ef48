import Catalogue
import Foundation
import Search
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@MainActor
@Suite("The search model", .timeLimit(.minutes(30)))
struct SearchModelTests {
  let service = GatedService()
  let model: SearchModel
  let recorder: PhaseRecorder

  init() {
    model = SearchModel(service: service)
    recorder = PhaseRecorder(model)
  }

  @Test("the phase is loading before queryChanged returns")
  func loadsSynchronously() async {
    #expect(model.phase == .idle)
    model.queryChanged("act")
    #expect(model.phase == .loading(query: "act"))
    #expect(model.query == "act" && model.isLoading && model.results.isEmpty && model.errorMessage == nil)
    await finish(0)
    #expect(model.phase == .loaded(.named("act")))
    #expect(!model.isLoading && model.results == [.titled("act")])
  }

  @Test("a superseded search that answers first does not show")
  func earlyStaleResult() async {
    model.queryChanged("a")
    model.queryChanged("ab")
    await service.wasAsked(2)
    await service.answer(0)
    await finish(1)
    #expect(
      recorder.phases == [.idle, .loading(query: "a"), .loading(query: "ab"), .loaded(.named("ab"))])
  }

  @Test("a superseded search that answers last does not show")
  func lateStaleResult() async {
    model.queryChanged("a")
    model.queryChanged("ab")
    await service.wasAsked(2)
    let second = await number(of: "ab")
    await service.answer(second)
    await finish(1 - second)
    #expect(
      recorder.phases == [.idle, .loading(query: "a"), .loading(query: "ab"), .loaded(.named("ab"))])
  }

  @Test(
    "the error of a superseded search does not show, whatever its type",
    arguments: [URLError(.cancelled), CancellationError(), Refusal(query: "a"), URLError(.timedOut)] as [any Error])
  func staleError(error: any Error) async {
    model.queryChanged("a")
    model.queryChanged("ab")
    await service.wasAsked(2)
    await service.answer(await number(of: "a"), with: .failure(error))
    await finish(await number(of: "ab"))
    #expect(
      recorder.phases == [.idle, .loading(query: "a"), .loading(query: "ab"), .loaded(.named("ab"))])
  }

  @Test(
    "the error of the newest search shows, whatever its type: nothing waits for ever",
    arguments: [URLError(.cancelled), CancellationError(), Refusal(query: "a")] as [any Error])
  func newestError(error: any Error) async {
    model.queryChanged("a")
    await service.wasAsked(1)
    await service.answer(0, with: .failure(error))
    await model.settle()
    #expect(model.errorMessage == "Search failed: \(error)")
    #expect(!model.isLoading)
  }

  @Test("the keystroke after an error takes the error away before it returns")
  func errorClears() async {
    model.queryChanged("a")
    await service.wasAsked(1)
    await service.answer(0, with: .failure(Refusal(query: "a")))
    await model.settle()
    model.queryChanged("ab")
    #expect(model.phase == .loading(query: "ab"))
    await service.wasAsked(2)
    await finish(1)
    #expect(model.phase == .loaded(.named("ab")))
  }

  @Test("a cleared search field is idle at once and stays idle", arguments: ["", "  \t", "@"])
  func clearing(query: String) async {
    model.queryChanged("a")
    await service.wasAsked(1)
    model.queryChanged(query)
    #expect(model.phase == .idle)
    await finish(0)
    #expect(recorder.phases == [.idle, .loading(query: "a"), .idle])
  }

  @Test("a query that differs in case, diacritics or white space alone asks nothing again")
  func sameSearch() async {
    model.queryChanged("cafe")
    model.queryChanged("Café ")
    #expect(model.phase == .loading(query: "Café "))
    await finish(0)
    model.queryChanged("CAFÉ")
    #expect(model.phase == .loaded(.named("cafe")))
    #expect(model.query == "CAFÉ")
    #expect(await service.asked == ["cafe"])
  }

  @Test("after an error the same query asks again")
  func retryByTyping() async {
    model.queryChanged("cafe")
    await service.wasAsked(1)
    await service.answer(0, with: .failure(Refusal(query: "cafe")))
    await model.settle()
    model.queryChanged("cafe ")
    await finish(1)
    #expect(model.phase == .loaded(.named("cafe ")))
  }

  @Test("submitting asks again, although the query is the same and loaded")
  func submitting() async {
    model.submitSearch()
    #expect(model.phase == .idle, "there is nothing to submit")
    model.queryChanged("cafe")
    await finish(0)
    model.submitSearch()
    #expect(model.phase == .loading(query: "cafe"))
    await finish(1)
    #expect(model.phase == .loaded(.named("cafe")))
  }

  @Test("settle returns only when the search that superseded the awaited one has ended")
  func settleUnderSupersession() async {
    model.queryChanged("a")
    await service.wasAsked(1)
    let settled = Task { [model] in
      await model.settle()
      return model.phase
    }
    await Task.yield()
    model.queryChanged("ab")
    await service.wasAsked(2)
    await service.answer(await number(of: "a"))
    // Room for a settle that waits for the first search alone to return too early.
    for _ in 0..<1000 { await Task.yield() }
    await service.answer(await number(of: "ab"))
    #expect(await settled.value == .loaded(.named("ab")))
    #expect(await service.pending.isEmpty)
  }

  @Test("settle waits for superseded searches, too: afterwards nothing is in flight")
  func settleWaitsForStragglers() async {
    model.queryChanged("a")
    await service.wasAsked(1)
    model.queryChanged("")
    let settled = Task { [model, service] in
      await model.settle()
      return await service.pending
    }
    for _ in 0..<1000 { await Task.yield() }
    await service.answer(0)
    #expect(await settled.value.isEmpty)
  }

  @Test("settle returns at once when nothing was ever asked")
  func settleIdle() async {
    await model.settle()
    #expect(model.phase == .idle)
  }

  @Test(
    "user names and queries have one form", arguments: [("@Zoë Ågren ", "@zoe.agren"), (" Łódź  Café", "łodz cafe")])
  func keys(query: String, key: String) {
    #expect(model.cacheKey(for: query) == key)
  }

  @Test("keys are made on any executor, for they touch no state")
  func keysOffMain() async {
    let model = model
    let key = await Task.detached { model.cacheKey(for: "Ä") + model.normalizedUsername("Ö Ü") }.value
    #expect(key == "ao.u")
  }

  /// Answers a search and waits for what follows.
  private func finish(_ number: Int) async {
    await service.wasAsked(number + 1)
    await service.answer(number)
    await model.settle()
  }

  /// Searches start in the order of the pool, not of the keystrokes.
  private func number(of query: String) async -> Int {
    await service.asked.firstIndex(of: query) ?? -1
  }
}
