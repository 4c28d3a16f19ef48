// 3.2: the hand-written `onMain` does not compile for values that are not Sendable; AssertedBoundary takes them.
func onMain<Value>(_ value: Value, _ body: @MainActor (Value) -> Void) {
  MainActor.assumeIsolated { body(value) }  // expect: sending 'value' risks causing data races
}
