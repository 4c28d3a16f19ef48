import Catalogue
import Foundation
import Search
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@MainActor
@Suite("Typing faster than the service answers", .timeLimit(.minutes(30)))
struct FastTypingTests {
  private static let queries = ["a", "ac", "act", "acto", "actor", "Actor", "café", "CAFE", "", " ", "@zoe", "main"]

  @Test("nothing stale is ever shown, neither results nor errors, in whatever order answers come", arguments: 1...40)
  func storm(seed: Int) async {
    var random = Dice(seed: UInt64(seed))
    let service = GatedService()
    let model = SearchModel(service: service)
    let recorder = PhaseRecorder(model)

    for _ in 0..<60 {
      switch random.roll(4) {
      case 0, 1:
        model.queryChanged(Self.queries[random.roll(Self.queries.count)])
      case 2:
        await answerOne(of: service, in: model, using: &random)
      default:
        for _ in 0..<random.roll(8) { await Task.yield() }
      }
    }
    model.queryChanged("the last one")
    let settled = Task { [model] in await model.settle() }
    // Answer everything, in any order, until nothing waits and the last one shows.
    var isDone: Bool
    repeat {
      await answerOne(of: service, in: model, using: &random, mayFail: false)
      await Task.yield()
      isDone = await service.pending.isEmpty && !model.isLoading
    } while !isDone
    await settled.value

    #expect(model.phase == .loaded(.named("the last one")))
    expectNothingStale(in: recorder.phases, of: model)
    // A test in which nothing was superseded would prove nothing.
    #expect(await service.asked.count > recorder.phases.count { if case .loaded = $0 { true } else { false } })
  }

  /// Every outcome must follow the loading phase of its own query: what a stale one does not.
  private func expectNothingStale(in phases: [SearchModel.Phase], of model: SearchModel) {
    for (before, phase) in zip(phases, phases.dropFirst()) {
      switch (before, phase) {
      case (.loading(let query), .loaded(let results)):
        #expect(model.cacheKey(for: query) == model.cacheKey(for: results.query), "stale results in \(phases)")
      case (.loading(let query), .failed(let message)):
        let answered = message.replacing("Search failed: refused ", with: "")
        #expect(model.cacheKey(for: query) == model.cacheKey(for: answered), "a stale error in \(phases)")
      case (_, .loaded), (_, .failed):
        Issue.record("an outcome out of nowhere in \(phases)")
      case (_, .idle), (_, .loading):
        break
      }
    }
  }

  private func answerOne(
    of service: GatedService, in model: SearchModel, using random: inout Dice, mayFail: Bool = true
  ) async {
    let pending = await service.pending
    guard !pending.isEmpty else { return }
    let number = pending[random.roll(pending.count)]
    let query = await service.asked[number]
    switch random.roll(mayFail ? 4 : 1) {
    case 0, 1: await service.answer(number)
    case 2: await service.answer(number, with: .failure(Refusal(query: query)))
    default:
      // How a cancelled request fails, which the newest one, never cancelled, does not.
      let isNewest = model.cacheKey(for: query) == model.cacheKey(for: model.query)
      await service.answer(number, with: .failure(isNewest ? Refusal(query: query) : URLError(.cancelled)))
    }
  }
}

/// Random numbers that a failing test repeats.
struct Dice {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// A number from 0 up to `sides`.
  mutating func roll(_ sides: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(sides))
  }
}
