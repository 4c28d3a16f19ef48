import Foundation
import Testing

/// What no source of the project does.
@Suite("In the sources")
struct SourcesTests {
  @Test("nothing asks a thread whether it is the main one")
  func mainThread() throws {
    // On Linux the main actor runs on worker threads once an async main has suspended: executors are asked.
    for file in Project.files(under: "Sources", endingIn: [".swift", ".c", ".h"]) {
      // The audit knows that others ask: a text is no question.
      let code = try Project.text(file).split(separator: "\n").filter { !$0.contains("//") }.joined(separator: "\n")
        .replacing(#/"[^"\n]*"/#, with: "")
      #expect(try code.matches(of: #"Thread\.(current\.)?isMain"#).isEmpty, "\(file)")
    }
  }

  @Test("the recorder reads the wall clock once, to say when it began")
  func wallClock() throws {
    let files = Project.files(under: "Sources/CMainstayRecorder", endingIn: [".c", ".h"])
    let uses = try files.flatMap { file in
      try Project.text(file).matches(of: #"\b(CLOCK_REALTIME|gettimeofday|time\(NULL\))"#).map { "\(file): \($0)" }
    }
    #expect(uses.count == 1, "\(uses)")
  }
}
