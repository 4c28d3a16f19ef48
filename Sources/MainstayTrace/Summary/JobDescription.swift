/// One job of a recording, named: for who knows which and wants no summary of the whole.
package struct JobDescription: Sendable {
  package let function: RunSummary.Place
  /// Where in the function it began: "after await 2"; empty at its start.
  package let position: String
  /// Where its task was made; nil when that is not known, or nobody wrote it.
  package let createdAt: RunSummary.Place?
  /// Its stack at some moments; empty when it was too short, or none could be taken.
  package let samples: [RunSummary.Sample]

  /// - Parameters:
  ///   - function: the address that it began or resumed in.
  ///   - origin: the index of where its task was created.
  ///   - start: ticks at which it began, counted from before something that ran inside it.
  package init(_ recording: Recording, function: UInt64, origin: Int, start: UInt64) {
    let naming = Naming(recording, function: function, origin: origin, stretch: start)
    let stacks = Stacks(of: start, in: recording, naming)
    var name = naming.name(function, origin: origin)
    if name.path.isEmpty, let outermost = stacks.outermost {
      (name.function, name.path, name.line) = (outermost.function, outermost.path, outermost.line)
    }
    self.function = name.place
    position = name.position
    createdAt = naming.origin(origin)?.site
    samples = stacks.samples
  }

  /// The stack that most samples share, folded to the program's innermost function and the call that it is in.
  package var stack: (state: RunSummary.Sample.State, called: String?, function: RunSummary.Place)? {
    FoldedStack.most(of: samples).map { ($0.state, $0.called, $0.function) }
  }
}
