/// `.mainstay.json`: what it means, and how it says what is wrong.
import MainstayFindings
import Testing

@testable import MainstayAudit

@Suite struct ConfigurationTests {
  private func failure(_ text: String) -> String? {
    do {
      _ = try ConfigurationFile.parse(text, file: ".mainstay.json")
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test("every key is understood, with comments and trailing commas") func everything() throws {
    let configuration = try ConfigurationFile.parse(
      """
      { // a comment
        "budget": "60hz", /* another */
        rules: {"hop_in_loop": "off", MS201: 'error',},
        "failOn": "note",
        "sinks": {"blocking": ["Vision.Handler.perform(_:)", "c:step"], "heavy": [], "nonblocking": ["Data.write(to:)"]},
        "serialised": ["AsyncLock.withLock(_:)"],
        "views": ["MyUI.View"], "exclude": ["Generated/**"], "includeTests": true,
      }
      """, file: "f")
    #expect(abs((configuration.budgetMilliseconds ?? 0) - 16.667) < 0.001)
    #expect(configuration.rules == ["hop_in_loop": .off, "check_then_act": .severity(.error)])
    #expect(configuration.failOn == .note)
    #expect(configuration.blocking == ["Vision.Handler.perform(_:)", "c:step"])
    #expect(configuration.exclude == ["Generated/**"])
    #expect(configuration.includeTests == true)
  }

  @Test("a mistake names its line, its key, and the nearest known key") func mistakes() {
    #expect(failure("{\n  \"budgt\": \"1ms\"\n}") == ".mainstay.json:2: unknown key 'budgt'; did you mean 'budget'?")
    #expect(
      failure("{ \"rules\": {\n\"hop_in_lop\": \"off\"}}")?.contains(
        ":2: unknown key 'hop_in_lop'; did you mean 'hop_in_loop'?") == true)
    #expect(failure("{\n\n\"budget\": \"16.7\"}")?.hasPrefix(".mainstay.json:3: 'budget' has no unit") == true)
    #expect(failure("{ \"exclude\": \"x\" }")?.contains("'exclude' must be a list") == true)
    #expect(failure("{ \"failOn\": \"never\" }")?.contains("'failOn' must be") == true)
  }

  @Test(
    "text that is no JSON5 is refused with its line",
    arguments: ["", "[", "{\"a\" 1}", "{\"a\": }", "{} x", "{\"a\": \"b\n\"}"])
  func notJSON(_ text: String) {
    #expect(failure(text)?.hasPrefix(".mainstay.json:") == true)
  }

  @Test("every escape of JSON5 stands for its character, and a string may go on in the next line") func escapes() throws
  {
    let text = "{ a: '\\n\\t\\r\\b\\f\\v\\0\\x41\\u00e9\\ud83d\\ude00\\ö\\'\\/', b: 'one \\\ntwo', c: 1 }"
    let root = try JSON5.parse(text)
    #expect(root["a"]?.string == "\n\t\r\u{8}\u{C}\u{B}\0Aé\u{1F600}ö'/")
    #expect(root["b"]?.string == "one two")
    #expect(root["c"]?.line == 2)
  }

  @Test("a callee is matched with its module or without, whatever generic parameters it shows") func callees() {
    func call(_ display: String, _ symbol: String = "$s") -> Call {
      Call(callee: .function(symbol), display: display, isAsync: false, executor: .own, arguments: [], receiver: nil)
    }
    #expect(CalleePattern("Vision.Handler.perform(_:)").matches(call("Handler.perform(_:)")))
    #expect(CalleePattern("Handler.perform(_:)").matches(call("Handler.perform<A>(_:)")))
    #expect(!CalleePattern("Handler.perform(_:)").matches(call("Handler.perform(_:on:)")))
    #expect(CalleePattern("Handler.perform").matches(call("Handler.perform(_:on:)")))
    #expect(CalleePattern("Box.init(_:)").matches(call("Box.__allocating_init(_:)")))
    #expect(CalleePattern("c:usleep").matches(call("usleep", "usleep")))
    #expect(!CalleePattern("perform(_:)").matches(call("Handler.perform(_:)")))
  }

  @Test(
    "patterns of paths know folders",
    arguments: [
      ("Generated/**", "Generated/a/b.swift", true), ("Generated/**", "Sources/Generated/a.swift", false),
      ("**/Generated/*.swift", "Sources/App/Generated/a.swift", true), ("*.swift", "a/b.swift", false),
      ("**/*.pb.swift", "x.pb.swift", true), ("Sources/?pp/*", "Sources/App/a.swift", true),
    ])
  func globs(_ pattern: String, _ path: String, _ matches: Bool) {
    #expect(GlobPattern(pattern).matches(path) == matches)
  }

  @Test(
    "a configuration that contradicts itself is refused, with the line",
    arguments: [
      ("{\"rules\": {\"hop_in_loop\": \"off\",\n\"MS104\": \"error\"}}", 2, "set twice"),
      ("{\"failOn\": \"note\",\n\"failOn\": \"error\"}", 2, "there twice"),
      ("{\n\"sinks\": {\"heavy\": [\"A.b\"], \"nonblocking\": [\"A.b\"]}}", 2, "one of them"),
    ])
  func contradictions(_ text: String, _ line: Int, _ reason: String) {
    do {
      _ = try ConfigurationFile.parse(text, file: ".mainstay.json")
      Issue.record("it was accepted")
    } catch let failure as ConfigurationFailure {
      #expect(failure.line == line && failure.reason.contains(reason), "\(failure)")
    } catch {
      Issue.record(error)
    }
  }
}
