// compile: -default-isolation MainActor
// 2.4: with the main actor as default, a plain Decodable conformance belongs to it and cannot be used elsewhere.
struct Hit: Decodable { var title: String }

nonisolated func decode<Value: Decodable & Sendable>(_ type: Value.Type) -> Value? { nil }

@concurrent func results() async -> Hit? {
  decode(Hit.self)  // expect: main actor-isolated conformance of 'Hit' to 'Decodable' cannot satisfy conformance requirement
}
