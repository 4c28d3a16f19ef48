import Testing

@testable import MainstayTrace

@Suite("The demangler")
struct DemanglerTests {
  private let demangler = Demangler()

  @Test("reads Swift and C++ names, and leaves C names alone")
  func languages() {
    #expect(demangler.demangle("$s6Awaits4workyS2iF") == "Awaits.work(Swift.Int) -> Swift.Int")
    #expect(demangler.demangle("_ZN5swift11TaskContext3runEi") == "swift::TaskContext::run(int)")
    #expect(demangler.demangle("sqlite3_step") == nil)
    #expect(demangler.demangle("") == nil)
  }

  @Test("gives the same answer from its cache")
  func cached() {
    #expect(demangler.demangle("$s6Awaits4workyS2iF") == demangler.demangle("$s6Awaits4workyS2iF"))
  }

  @Test("refuses names that no compiler writes", arguments: ["$s", "$s9", "$s6Await", "_Z", "_ZN", "$s\u{1b}[31m"])
  func refused(name: String) {
    #expect(demangler.demangle(name) == nil)
  }

  @Test("refuses a name cut inside a specialisation, which the runtime of 6.3.1 does not survive")
  func cut() {
    #expect(demangler.demangle("$sIetH_yts5Error_pIegHrzo_TR10async_MainTf3np") == nil)
    #expect(demangler.demangle("$sIetH_yts5Error_pIegHrzo_TR10async_MainTf3npf_n") != nil)
    #expect(demangler.demangle("$s3App6loadTf3urlS2i_tF") == "App.loadTf(url: Swift.Int) -> Swift.Int")
  }

  @Test("does not try names longer than any compiler writes")
  func long() {
    #expect(demangler.demangle("$s" + String(repeating: "6Awaits", count: 10_000)) == nil)
  }

  /// Passes for a name until the runtime's demangler of 6.3.1 reads its end, and asks for all the memory there is.
  static let hostile = "$sIetH_yts5Error_pIegHrzo_TR10async_MainTf9np_nTf3np"

  @Test("does not end with a name that the runtime's demangler does not survive, and reads on")
  func hostile() {
    #expect(demangler.demangle(Self.hostile) == nil)
    #expect(demangler.faults == 1)
    #expect(demangler.demangle(Self.hostile) == nil)
    #expect(demangler.faults == 1)
    #expect(demangler.demangle("$s6Awaits4workyS2iF") == "Awaits.work(Swift.Int) -> Swift.Int")
  }

  @Test("asks no more of what has many such names")
  func many() {
    let child = DemanglingChild()
    for _ in 0..<DemanglingChild.mostFaults { #expect(child.demangle(Array(Self.hostile.utf8)) == nil) }
    #expect(child.faults == DemanglingChild.mostFaults)
    #expect(child.demangle(Array("$s6Awaits4workyS2iF".utf8)) == nil)
  }
}
