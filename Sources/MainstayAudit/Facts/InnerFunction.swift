/// How a function inside another is spelled: `closure #1 in Form.tap()`, and which function is around it.

struct InnerFunction: OptionSet {
  let rawValue: Int

  static let closure = InnerFunction(rawValue: 1)
  /// What is written as an argument or behind `??`, and runs where it stands.
  static let autoclosure = InnerFunction(rawValue: 2)
  static let deferred = InnerFunction(rawValue: 4)
  static let defaultArgument = InnerFunction(rawValue: 8)

  static let anyClosure: InnerFunction = [.closure, .autoclosure]
  static let any: InnerFunction = [.closure, .autoclosure, .deferred, .defaultArgument]

  /// What a spelling says of itself; empty for a function that is declared by name, be it inside another.
  init(_ display: some StringProtocol) {
    if display.hasPrefix("closure #") {
      self = .closure
    } else if display.hasPrefix("implicit closure #") {
      self = .autoclosure
    } else if display.hasPrefix("$defer") {
      self = .deferred
    } else if display.hasPrefix("default argument") {
      self = .defaultArgument
    } else {
      self = []
    }
  }

  init(rawValue: Int) { self.rawValue = rawValue }

  /// The function directly around one that is inside another, of whatever kind: `f()` for `helper() in f()`.
  static func around(_ display: String) -> Substring? {
    display.firstRange(of: " in ").map { display[$0.upperBound...] }
  }

  /// The function that is left when all of these kinds that stand in front are taken off.
  static func outer(_ display: String, through kinds: InnerFunction) -> Substring {
    var outer = display[...]
    while !InnerFunction(outer).isDisjoint(with: kinds), let range = outer.firstRange(of: " in ") {
      outer = outer[range.upperBound...]
    }
    return outer
  }
}
