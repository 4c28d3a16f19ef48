/// The forms in which an isolated closure or member is given away.
import Legacy

final class Station {
  var count = 0
  var name = ""
  let emitter = LegacyEmitter()

  func optional() {
    emitter.onOptional {  // expect: trapping_callback
      self.count += 1
    }
  }

  func generic() {
    emitter.onText { text in  // expect: trapping_callback
      self.name = text
    }
  }

  func made() -> LegacyEmitter {
    LegacyEmitter(onOpen: {  // expect: trapping_callback
      self.count += 1
    })
  }

  func weakly() {
    emitter.onEvent { [weak self] in  // expect: trapping_callback
      self?.count += 1
    }
  }
}

/// A property that a protocol of the old module asks for.
final class Titled {
  var words: [String] = []
}

extension Titled: @preconcurrency LegacySource {  // expect: undocumented_assumption
  var title: String { words.joined() }  // expect: trapping_callback
}

/// What keeps the closure also calls it elsewhere.
@MainActor
final class Listening {
  var count = 0
  func listener() -> LegacyListener { LegacyListener(content: { self.count }) }  // expect: trapping_callback
}
