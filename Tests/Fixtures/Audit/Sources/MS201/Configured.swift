/// A lock whose shape says nothing: the configuration says that it runs its closure alone.
protocol Turnstile: Sendable {
  func alone(_ body: @Sendable () async throws -> Void) async rethrows
}

actor Guarded {
  enum State { case running, stopping, stopped }
  var state = State.running
  var stops = 0
  let turnstile: any Turnstile
  init(turnstile: any Turnstile) { self.turnstile = turnstile }
  func grace() async {}

  func stop() async { await turnstile.alone { await self.stopAlone() } }

  private func stopAlone() async {
    guard stops == 0 else { return }
    await grace()
    stops += 1
  }
}
