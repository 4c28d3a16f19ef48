import CMainstayTrace

/// The rows that a summary adds up: executors, functions, hops, sites of tasks, interleavings.
extension RunSummary {
  static func executors(_ recording: Recording, _ tally: Tally, _ naming: Naming) -> [Executor] {
    var queueMax = Array(repeating: 0, count: recording.executorTypes.count)
    for executor in recording.executors where executor.ready != 0 && Int(executor.type) < queueMax.count {
      queueMax[Int(executor.type)] = max(queueMax[Int(executor.type)], Int(executor.queue_max))
    }
    var byName: [String: (Executor, Histogram, UInt64)] = [:]
    for (index, type) in recording.executorTypes.enumerated() {
      let use = tally.executors[index]
      guard use.use.count > 0 else { continue }
      let name = executorName(recording, index)
      let kind: Executor.Kind =
        switch type.kind {
        case MAINSTAY_EXECUTOR_POOL: .pool
        case MAINSTAY_EXECUTOR_MAIN: .mainActor
        case MAINSTAY_EXECUTOR_CUSTOM: .customExecutor
        default: naming.globalActors.contains(name) ? .globalActor : .actor
        }
      // Specialisations of one generic actor have metadata of their own and one name.
      let key = "\(kind) \(name)"
      var entry = byName[key] ?? (Executor(name: name, kind: kind), Histogram(), 0)
      entry.0.instances += type.instances
      entry.0.jobs += use.use.count
      entry.0.busySeconds += recording.clock.seconds(use.use.ticks)
      entry.0.worstMilliseconds = max(entry.0.worstMilliseconds, recording.clock.milliseconds(use.use.worst))
      entry.0.queueMax = max(entry.0.queueMax, queueMax[index])
      entry.1.add(use.waits)
      entry.2 = max(entry.2, use.worstWait)
      byName[key] = entry
    }
    return byName.values.map { executor, waits, worst in
      var executor = executor
      executor.waitP50Milliseconds = recording.clock.milliseconds(waits.percentile(0.5, worst: worst))
      executor.waitP99Milliseconds = recording.clock.milliseconds(waits.percentile(0.99, worst: worst))
      return executor
    }.sorted { ($0.order, $1.busySeconds, $0.name) < ($1.order, $0.busySeconds, $1.name) }
  }

  static func functions(_ recording: Recording, _ tally: Tally, _ naming: Naming) -> [Function] {
    var merged: [Function.Identity: Function] = [:]
    for (key, use) in tally.functions {
      let recorded = recording.functions[key.function]
      let name = naming.name(recorded.address, origin: key.origin)
      let executor = recorded.isBlock ? "main queue" : executorName(recording, recorded.executorType)
      let identity = Function.Identity(
        key: name.key, function: name.function, line: name.line, resume: name.resume, executor: executor)
      var entry = merged[identity] ?? Function(name, executor: executor)
      entry.jobs += use.count
      entry.totalMilliseconds += recording.clock.milliseconds(use.ticks)
      entry.worstMilliseconds = max(entry.worstMilliseconds, recording.clock.milliseconds(use.worst))
      merged[identity] = entry
    }
    return merged.sorted { ($1.value.totalMilliseconds, $0.key.text) < ($0.value.totalMilliseconds, $1.key.text) }
      .map(\.value)
  }

  static func hops(_ recording: Recording, _ tally: Tally, _ naming: Naming) -> [Hop] {
    var found: [TaskHistory.Pair: Hop] = [:]
    for (key, count) in tally.history.hops {
      var hop =
        found[key.pair]
        ?? Hop(
          from: executorName(recording, key.pair.from), to: executorName(recording, key.pair.to), count: 0,
          perSecondMax: tally.history.hopsPerSecond[key.pair]?.values.max() ?? 0, sites: [])
      let name = naming[recording.functions[key.function].address]
      hop.count += count
      hop.sites.append(Hop.Site(function: name.function, file: name.file, line: name.line, count: count))
      found[key.pair] = hop
    }
    return found.values.map { hop in
      var hop = hop
      hop.sites.sort { ($1.count, $0.function, $0.line) < ($0.count, $1.function, $1.line) }
      return hop
    }.sorted { ($1.count, $0.from, $0.to) < ($0.count, $1.from, $1.to) }
  }

  /// Where tasks were made, the most first. Sites on one line are one.
  static func creations(_ history: TaskHistory, _ naming: Naming) -> [Tasks.Site] {
    var merged: [Place: [UInt64: Int]] = [:]
    for (origin, seconds) in history.creations {
      guard let site = naming.origin(origin)?.site else { continue }
      merged[site, default: [:]].merge(seconds, uniquingKeysWith: +)
    }
    return merged.map { site, seconds in
      Tasks.Site(
        function: site.function, file: site.file, line: site.line, count: seconds.values.reduce(0, +),
        perSecondMax: seconds.values.max() ?? 0)
    }.sorted { ($1.count, $0.file, $0.line, $0.function) < ($0.count, $1.file, $1.line, $1.function) }
  }

  static func interleavings(
    _ recording: Recording, _ history: TaskHistory, _ naming: Naming
  ) -> [Interleaving] {
    var merged: [Interleaving: Int] = [:]
    for (key, count) in history.interleavings {
      var suspended = naming[recording.functions[key.function].address]
      if suspended.isLibrary {
        // Its own await is no decision of the program's; the one around it may be.
        guard key.resumes < recording.functions.count,
          naming[recording.functions[key.resumes].address].key == suspended.key
        else { continue }
        suspended = naming[key.waiting]
        guard !suspended.isLibrary, !suspended.key.isEmpty else { continue }
      }
      let by = naming[recording.functions[key.by].address]
      let interleaving = Interleaving(
        executor: executorName(recording, key.executorType), suspended: suspended.function, file: suspended.file,
        line: suspended.line, resume: suspended.resume, by: by.function, count: 0, path: suspended.path,
        key: suspended.key)
      merged[interleaving, default: 0] += count
    }
    return merged.map { interleaving, count in
      var interleaving = interleaving
      interleaving.count = count
      return interleaving
    }.sorted {
      ($1.count, $0.executor, $0.suspended, $0.line, $0.by + $0.key)
        < ($0.count, $1.executor, $1.suspended, $1.line, $1.by + $1.key)
    }
  }
}

extension RunSummary.Executor {
  init(name: String, kind: Kind) {
    self.init(
      name: name, kind: kind, instances: 0, jobs: 0, busySeconds: 0, worstMilliseconds: 0, waitP50Milliseconds: 0,
      waitP99Milliseconds: 0, queueMax: 0)
  }

  /// The main actor first, the pool last.
  var order: Int { kind == .mainActor ? 0 : kind == .pool ? 2 : 1 }
}

extension RunSummary.Function {
  struct Identity: Hashable {
    var key: String
    var function: String
    var line: Int
    var resume: Int?
    var executor: String

    /// What orders functions with the same time, so that output does not depend on a dictionary's order.
    var text: String { "\(function) \(line) \(resume ?? 0) \(executor) \(key)" }
  }

  init(_ name: Naming.Name, executor: String) {
    self.init(
      function: name.function, executor: executor, file: name.file, line: name.line, resume: name.resume, jobs: 0,
      totalMilliseconds: 0, worstMilliseconds: 0, path: name.path, key: name.key, position: name.position)
  }
}
