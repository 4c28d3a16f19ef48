/// Isolated closures and witnesses handed to code that promises nothing.
import CCallback
import Legacy

final class Model {
  var count = 0
  let emitter = LegacyEmitter()

  func listen() {
    emitter.onEvent {  // expect: trapping_callback
      self.count += 1
    }
  }

  func listenInC() {
    callback_register(
      { context, value in  // expect: trapping_callback
        guard let context else { return }
        Unmanaged<Model>.fromOpaque(context).takeUnretainedValue().count += Int(value)
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}

final class Receiver {
  var last = 0
}

extension Receiver: @preconcurrency LegacyDelegate {  // expect: undocumented_assumption
  func didReceive(_ value: Int) {  // expect: trapping_callback
    last = value
  }
}
