// compile: -default-isolation MainActor
// 2.4: the conformance that concurrent decoding can use.
nonisolated struct Hit: Decodable { var title: String }

nonisolated func decode<Value: Decodable & Sendable>(_ type: Value.Type) -> Value? { nil }

@concurrent func results() async -> Hit? {
  decode(Hit.self)
}
