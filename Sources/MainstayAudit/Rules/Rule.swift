/// A rule: a pure function from facts to findings, and everything a person can ask about it.
import MainstayFindings

protocol Rule: Sendable {
  static var documentation: RuleDocumentation { get }
  static func findings(in program: Program) -> [Finding]
}

/// What `mainstay explain` prints and the generated documentation holds.
public struct RuleDocumentation: Sendable, Hashable {
  /// The identifier that a suppression names: `check_then_act`.
  public var id: String
  /// The stable code: `MS201`.
  public var code: String
  public var severity: Severity
  /// One sentence: what is claimed when the rule fires.
  public var claim: String
  /// When it stays silent.
  public var exemptions: String
  public var fires: String
  public var silent: String
  public var fix: String
  public var references: [String]
}

/// All rules, in the order of their codes.
public enum RuleCatalogue {
  static let rules: [any Rule.Type] = [
    MainActorBlocking.self, AsyncBlocking.self, ReturnsToMain.self, HopInLoop.self, HeavyViewBody.self,
    CheckThenAct.self, SplitCheck.self, StaleResult.self, LateState.self, TaskInTransaction.self,
    UnprotectedSequence.self, AnimationAfterAwait.self, UncheckedSendable.self, UndocumentedAssumption.self,
    ContractChanged.self,
    TrappingCallback.self, MainQueueInAsync.self, UnownedTask.self, TaskPinsOwner.self, UnorderedDelivery.self,
    CatchAllActor.self, ServiceOnMain.self, ActorChain.self, RedundantIsolation.self, CouldBeNonisolated.self,
  ]

  /// The same rules, in groups that are judged side by side. Those that ask which calls lead to what blocks are one: to find
  /// that out takes as long as all that the others do.
  static let groups: [[any Rule.Type]] = {
    let asking: [any Rule.Type] = [
      MainActorBlocking.self, AsyncBlocking.self, ReturnsToMain.self, HopInLoop.self, HeavyViewBody.self,
      MainQueueInAsync.self, ServiceOnMain.self,
    ]
    return [asking, rules.filter { rule in !asking.contains { $0 == rule } }]
  }()

  public static let documentation: [RuleDocumentation] = rules.map { $0.documentation }

  public static func documentation(for name: String) -> RuleDocumentation? {
    documentation.first { $0.id == name.lowercased() || $0.code == name.uppercased() }
  }
}
