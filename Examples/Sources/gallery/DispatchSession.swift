/// `gallery probe dispatch`: where each dispatcher of each foreign runtime calls back.
import FeedImplementations
import FeedProbes
import ForeignFeed

@MainActor
struct DispatchSession {
  let options: DispatchOptions
  let console: Console

  func run() async throws -> ExitCode {
    var rows: [DispatchReport.Row] = []
    for implementation in options.implementations {
      for dispatcher in FeedDispatcher.allCases {
        rows += try await probe(implementation, dispatcher)
      }
    }
    if options.implementations == FeedImplementation.available {
      for absence in FeedImplementation.allCases.compactMap(\.absence) {
        console.complain("not probed: \(absence)")
      }
    }
    let runtimes = try options.implementations.map {
      DispatchReport.Runtime(implementation: $0.title, runtime: try $0.runtime())
    }
    let report = DispatchReport(runtimes: runtimes, rows: rows)
    switch options.format {
    case .table: console.print(report.text(width: console.width))
    case .json: console.print(try await report.json())
    }
    return .success
  }

  private func probe(
    _ implementation: FeedImplementation, _ dispatcher: FeedDispatcher
  ) async throws -> [DispatchReport.Row] {
    let controller = try implementation.makeController()
    defer { controller.close() }
    let probe = ArrivalProbe()
    let subscription = try controller.observe(on: dispatcher) { _ in probe.arrive() }
    defer { subscription.cancel() }
    _ = await probe.next()

    func row(_ caller: String, _ arrival: Arrival?) throws -> DispatchReport.Row {
      guard let arrival else { throw FeedError.foreign("no callback came") }
      return DispatchReport.Row(
        implementation: implementation.title, dispatcher: dispatcher.rawValue, changedOn: caller,
        arrives: arrival.place.rawValue, onMainActor: arrival.place != .worker, onMainThread: arrival.isMainThread,
        thread: arrival.thread)
    }
    try probe.call { () throws(FeedError) in try controller.publish(FeedUpdate(.loading, progress: 0.5)) }
    let fromMain = try row("main actor", await probe.next())
    try controller.publishFromWorker(FeedUpdate(.loading, progress: 1))
    return [fromMain, try row("worker", await probe.next())]
  }
}
