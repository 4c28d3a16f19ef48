// A hopping boundary takes values from any thread, so they must be Sendable.
import Mainstay

@MainActor let boundary = HoppingBoundary<ForeignState>("states") { _ in }  // expect: 'ForeignState' does not conform to the 'Sendable' protocol
