/// MS105: a view's body or initialiser does work that belongs in the model, again at every update.
import MainstayFindings

enum HeavyViewBody: Rule {
  static let documentation = RuleDocumentation(
    id: "heavy_view_body", code: "MS105", severity: .warning,
    claim:
      "A view's body or initialiser reads, decodes, sorts or filters, or makes a formatter: again at every update, in "
      + "the job that draws the frame.",
    exemptions:
      "Small literals, a bounded prefix, the cases that an enumeration lists of itself, a URL's query items, a "
      + "gradient's stops, what is only printed, what a static member is made of once, and closures that run on an "
      + "action instead of an update.",
    fires: """
      struct ProcessList: View {
        let processes: [ProcessRow]
        var body: some View {
          List { ForEach(processes.sorted { $0.load > $1.load }) { Text($0.name) } }   // sorted at every tick
        }
      }
      """,
    silent: """
      @Observable final class Processes { private(set) var byLoad: [ProcessRow] = [] }   // sorted when they change
      struct ProcessList: View {
        let model: Processes
        var body: some View { List { ForEach(model.byLoad) { Text($0.name) } } }
      }
      """,
    fix: "Compute it once, where what it depends on changes: in the model, or in a @concurrent function it awaits.",
    references: ["Documentation/Articles.md, 0.19"])

  static func findings(in program: Program) -> [Finding] {
    let builder = FindingBuilder(program, documentation)
    let shared = SinkFindings(program: program, builder: builder)
    let layout = program.layout
    var findings: [Finding] = []
    for job in shared.jobs(where: { !$0.isOffMainOnly }, isRoot: { index, _ in layout.isLayout(index) })
    where !shared.isOnce(job, from: job.roots[0]) {
      findings.append(finding(job, shared, reason: job.site.sink.reason))
    }
    for (index, function) in program.functions.enumerated() where program.isOwn(function) {
      for (number, event) in function.events.enumerated() {
        guard case .call(let call) = event.kind, program.ownTargets(of: call).isEmpty,
          let reason = ViewCost.reason(call, at: number, in: function, program)
        else { continue }
        let sink = Sink(
          pattern: CalleePattern(call.display), category: .heavy, condition: .always, confidence: .high, reason: reason)
        let site = SinkReach.Site(
          function: index, event: number, sink: sink, display: CalleePattern.normalised(call.display),
          location: event.location)
        let way = program.sinks.way(to: site)
        let roots = way.order.filter { layout.isLayout($0) }
        if roots.isEmpty || isBehindWrapper(way, from: roots[0], program) { continue }
        let job = SinkFindings.Job(site: site, way: way, roots: roots)
        if !shared.isOnce(job, from: roots[0]) { findings.append(finding(job, shared, reason: reason)) }
      }
    }
    return SinkFindings.unique(findings)
  }

  /// What a property wrapper does behind its accessor is its own affair: a view cannot compute that elsewhere.
  private static func isBehindWrapper(_ way: SinkReach.Way, from root: Int, _ program: Program) -> Bool {
    var current = root
    var steps = 0
    while let (_, callee) = way.down[current], steps < 40 {
      if program.functions[callee].display.contains(".wrappedValue.") { return true }
      current = callee
      steps += 1
    }
    return false
  }

  private static func finding(_ job: SinkFindings.Job, _ shared: SinkFindings, reason: String) -> Finding {
    let nearest = job.roots[0]
    let (steps, confidence) = shared.path(of: job, from: nearest)
    let type = Program.enclosingType(shared.program.functions[nearest].display) ?? "this view"
    return shared.builder.finding(
      about: nearest, at: shared.location(of: job, steps: steps), subject: job.site.display,
      message: "every update of \(type) reaches \(job.site.display): \(reason)",
      action: "compute it once, where what it depends on changes, and let the view show the result",
      path: steps, roots: shared.rootNames(job), severity: shared.isVague(job, from: nearest) ? .note : nil,
      confidence: confidence)
  }
}

/// Work that is cheap once and dear at every update.
enum ViewCost {
  private static let passes: [String: String] = [
    "sorted": "it sorts the whole collection", "sort": "it sorts the whole collection",
    "filter": "it passes over the whole collection",
  ]
  private static let transforms: Set<String> = [
    "map", "compactMap", "flatMap", "forEach", "reduce", "contains", "first",
  ]
  private static let textWork: Set<String> = [
    "lowercased", "uppercased", "capitalized", "folding", "replacingOccurrences", "applyingTransform",
    "localizedStandardContains", "localizedCaseInsensitiveContains", "components",
    "precomposedStringWithCanonicalMapping",
  ]
  private static let formatters: Set<String> = [
    "DateFormatter", "NumberFormatter", "ISO8601DateFormatter", "RelativeDateTimeFormatter", "ByteCountFormatter",
    "MeasurementFormatter", "DateComponentsFormatter", "DateIntervalFormatter", "PersonNameComponentsFormatter",
    "ListFormatter", "LengthFormatter", "EnergyFormatter", "MassFormatter",
  ]

  /// Why a call costs too much for a view, or nil.
  static func reason(_ call: Call, at event: Int, in function: FunctionFacts, _ program: Program) -> String? {
    let base = CalleePattern.normalised(call.display).prefix { $0 != "(" }
    let words = base.split(separator: ".").map(String.init)
    guard let name = words.last else { return nil }
    if name == "init", words.count > 1, formatters.contains(words[words.count - 2]) {
      return "making a formatter loads its locale's data"
    }
    if let reason = passes[name], isStored(call, in: function, program), !isOnlyPrinted(event, in: function) {
      return reason
    }
    if transforms.contains(name), isStored(call, in: function, program),
      call.arguments.flatMap(\.closure).contains(where: { worksOnText($0.function, program) })
    {
      return "it changes the text of every element"
    }
    return nil
  }

  /// Whether the result as a whole goes into a text: a message for a person, who reads a handful of things.
  private static func isOnlyPrinted(_ event: Int, in function: FunctionFacts) -> Bool {
    var uses: [Call] = []
    for other in function.events {
      if case .call(let call) = other.kind, call.arguments.contains(where: { $0.origins.contains(event: event) }) {
        uses.append(call)
      }
    }
    return !uses.isEmpty && uses.allSatisfy { $0.display.contains("DefaultStringInterpolation.appendInterpolation") }
  }

  private static func worksOnText(_ closure: String, _ program: Program) -> Bool {
    guard let body = program.function(named: closure) else { return false }
    return program.functions[body].events.contains { event in
      guard case .call(let call) = event.kind else { return false }
      let base = CalleePattern.normalised(call.display).prefix { $0 != "(" }
      return base.split(separator: ".").contains { textWork.contains(String($0)) }
    }
  }

  /// The stops of a gradient are a few by nature.
  private static func isHandful(_ name: Substring?) -> Bool { name?.lowercased().hasSuffix("stops") ?? false }

  /// A collection that somebody keeps, and all of it: not a literal, not a prefix, not a lazy view.
  private static func isStored(_ call: Call, in function: FunctionFacts, _ program: Program) -> Bool {
    guard let receiver = call.receiver, call.arguments.indices.contains(receiver) else { return false }
    if call.arguments[receiver].literal == LiteralText.list { return false }
    if isWrittenOut(call.arguments[receiver], in: function, program) { return false }
    var isStored = false
    for member in program.effects.expanded(call.arguments[receiver].origins, in: function) {
      guard member >= 0 else {
        if let parameter = function.parameter(of: member), isHandful(parameter.name[...]) { return false }
        isStored = true
        continue
      }
      if isFewByNature(function.events[Int(member)], in: function.module, program) { return false }
      switch function.events[Int(member)].kind {
      case .read(let place):
        if isHandful(place.member.split(separator: ".").last) { return false }
        isStored = true
      case .call(let inner):
        if inner.arguments.contains(where: { isWrittenOut($0, in: function, program) }) { return false }
        let name = CalleePattern.normalised(inner.display)
        if ["prefix(", ".suffix(", ".lazy", "allCases", ".dropFirst(", "split(", "components("].contains(where: {
          name.contains($0)
        }) {
          return false
        }
        if name.hasSuffix(".getter") || !program.ownTargets(of: inner).isEmpty { isStored = true }
      default: break
      }
    }
    return isStored
  }

  /// A constant of the view itself that is a list of literals: the compiler reads it as a part of `self`.
  private static func isWrittenOut(_ argument: Argument, in function: FunctionFacts, _ program: Program) -> Bool {
    guard let root = argument.root, root.hasPrefix("self."),
      let stored = program.type(of: function)?.stored(root.dropFirst("self.".count))
    else { return false }
    return !stored.isMutable && stored.initial == LiteralText.list
  }

  /// A list that stands in the source, `let tabs = ["all", "new"]`, what an enumeration lists of itself,
  /// `static let common: [Self]`, and a URL's query items.
  private static func isFewByNature(_ event: Event, in module: String, _ program: Program) -> Bool {
    var name: Substring
    switch event.kind {
    case .read(let place): name = place.member[...]
    case .call(let call) where call.display.hasSuffix(".getter"): name = call.display.dropLast(".getter".count)
    default: return false
    }
    if name.hasPrefix("static ") { name = name.dropFirst("static ".count) }
    guard let dot = name.lastIndex(of: ".") else { return false }
    let member = name[name.index(after: dot)...]
    if member == "queryItems" { return true }
    guard let type = program.declarations.type(String(name[..<dot]), in: module), let primary = type.primary else {
      return false
    }
    if let stored = type.stored(member), !stored.isMutable, stored.initial == LiteralText.list { return true }
    guard primary.kind == .enum else { return false }
    let own = ["Self", primary.name] + (primary.name.split(separator: ".").last.map { [String($0)] } ?? [])
    return type.members.contains { candidate in
      candidate.isStatic && candidate.name == member
        && own.contains { ["[\($0)]", "Set<\($0)>", "Array<\($0)>"].contains(candidate.type) }
    }
  }
}
