/// Whether code asked first if there is something to take: what `poll` has announced is there at once.

final class Readiness {
  private let program: Program

  init(_ program: Program) { self.program = program }

  private static let announced: Set<String> = ["read", "recv", "recvfrom", "recvmsg", "accept", "accept4"]
  private static let questions: Set<String> = ["poll", "ppoll", "select", "pselect", "epoll_wait", "kevent"]

  /// Calls that wait only for what nobody has asked about yet.
  static func canBeAnnounced(_ call: Call) -> Bool { call.cName.map(announced.contains) ?? false }

  /// Whether an event runs only after an answer that something is ready, in the same step.
  func isAnnounced(_ event: Int, in function: FunctionFacts) -> Bool {
    let flow = ControlFlow(function)
    return function.events.indices.contains { branch in
      guard branch < event, let origins = function.branch(at: branch),
        origins.members.contains(where: { $0 >= 0 && isQuestion(function.call(at: Int($0)), depth: 0) })
      else { return false }
      return flow.controls(branch: branch, event: event) && flow.suspension(from: branch, to: event) == nil
    }
  }

  /// `poll` itself, or a function that does no more than to call it by another name.
  private func isQuestion(_ call: Call?, depth: Int) -> Bool {
    guard let call, depth < 3 else { return false }
    if let name = call.cName, Readiness.questions.contains(name) { return true }
    return program.targets(of: call).contains { target in
      let calls = program.functions[target].events.compactMap { event -> Call? in
        if case .call(let inner) = event.kind { inner } else { nil }
      }
      return calls.count <= 2 && calls.contains { isQuestion($0, depth: depth + 1) }
    }
  }
}
