/// Function values that are put into stored members: closures made here, and what callers pass.
import MainstayFindings

extension SILValueFlow {
  /// Notes that a member holds a function from now on, if the value is one.
  mutating func keep(_ value: Int32, in member: String) {
    let known = values[Int(value)]
    for closure in argument(value).closure { keep(.closure(closure.function), in: member) }
    if known.target == .parameter, body.entry.indices.contains(Int(known.symbol)),
      body.entry[Int(known.symbol)].isFunction
    {
      keep(.parameter(Int(known.symbol)), in: member)
    }
  }

  private mutating func keep(_ origin: FunctionFacts.KeptClosure.Origin, in member: String) {
    let kept = FunctionFacts.KeptClosure(member: member, origin: origin)
    if !keptClosures.contains(kept) { keptClosures.append(kept) }
  }

  /// A memberwise initialiser names the members by its labels: `Client.init(fetch:store:)`.
  mutating func keepMembers(_ operands: ArraySlice<Int32>) {
    guard let start = display.firstRange(of: ".init(") else { return }
    let type = display[..<start.lowerBound]
    let labels = display[start.upperBound...].prefix { $0 != ")" }.split(separator: ":")
    for operand in operands {
      let known = values[Int(operand)]
      guard known.target == .parameter, labels.indices.contains(Int(known.symbol)) else { continue }
      keep(operand, in: type + "." + labels[Int(known.symbol)])
    }
  }
}
