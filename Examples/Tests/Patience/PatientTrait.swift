/// Calls in tests have the time they need.
public import Testing
import WalletKit

/// Gives every call of a suite's tests that names no policy minutes for its answer: a machine that stands still for
/// half of one, or whose disk does, is no store that keeps a client waiting. What ends a test that hangs is its time
/// limit.
public struct PatientTrait: SuiteTrait, TestTrait, TestScoping {
  public var isRecursive: Bool { true }

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    var patient = RetryPolicy.standard
    patient.within = .seconds(300)
    try await RetryPolicy.$standard.withValue(patient) { try await function() }
  }
}

extension Trait where Self == PatientTrait {
  public static var patient: Self { PatientTrait() }
}
