/// What is known of one SIL value while a function is read.
import MainstayFindings

/// What is known of one SIL value. Values stay inside the reader: rules see events and origins only.
struct SILValue {
  enum Target { case none, function, method, witness, parameter }

  var origins = Origins()
  /// The member that an address leads to.
  var place: Place?
  /// The object that a value is, as a path from a name in scope.
  var root: String?
  var literal: String?
  var closures: [ClosureValue] = []
  var target = Target.none
  /// The symbol of the function or key that `target` means, or the parameter's index.
  var symbol: Int32 = -1
  /// The stored member that a function value was taken from, or that an address means.
  var field: String?
  /// The getter that a key path runs when it is applied.
  var keyPathGetter: String?
  /// The value whose memory an address leads into.
  var memory: Int32 = -1
  /// The open write access that an address belongs to.
  var access: Int32 = -1
  var isElement = false
  /// The written-out collection that a value is, or is being put into.
  var writtenOut: Int32 = -1
  var executor: Executor?
  var isNoescape = false
  /// The state that was loaded as a whole to make this value, and the origin number of that read.
  var loaded: (place: Place, origin: Int32)?
}
