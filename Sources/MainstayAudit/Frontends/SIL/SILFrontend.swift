/// Reads modules through the compiler's SIL: emission in parallel, files that did not change from the cache.
import Foundation
import Synchronization

struct SILFrontend: Sendable {
  let toolchain: Toolchain
  let cache: FactsCache?
  /// How many compilers run at a time.
  let width: Int

  /// What came of one module.
  struct ModuleResult: Sendable {
    var files: [FileFacts] = []
    var failure: FrontendFailure?
  }

  struct Progress: Sendable {
    var emitted: Int
    var total: Int
  }

  private struct Unit: Sendable {
    var module: Int
    var source: String
    var key: String
    var size: Int
  }

  /// What every file's facts depend on, as one key a file, and the sizes of the files.
  struct Plan: Sendable {
    var keys: [[String]]
    var sizes: [String: Int]
  }

  func plan(_ modules: [SourceModule]) -> Plan {
    var contents: [String: Data] = [:]
    for module in modules {
      for source in module.sources where contents[source] == nil {
        contents[source] = FileManager.default.contents(atPath: source)
      }
    }
    let interfaces = ModuleInterfaces(of: modules, contents: contents)
    var keys: [[String]] = []
    for module in modules {
      let base = baseKey(module, interface: interfaces.digest(of: module.name))
      keys.append(
        module.sources.map { source in
          var hash = base
          hash.add(source)
          contents[source]?.withUnsafeBytes { hash.add($0) }
          return hash.digest
        })
    }
    return Plan(keys: keys, sizes: contents.mapValues(\.count))
  }

  /// Reads all modules at once, so that no core waits for the last file of a small one.
  ///
  /// - Parameter progress: called from any thread.
  func read(_ modules: [SourceModule], _ plan: Plan, progress: @Sendable (Progress) -> Void) -> [ModuleResult] {
    let keys = plan.keys
    let fileKeys = keys
    // From the cache what it holds, on every core.
    let slots = modules.indices.flatMap { module in modules[module].sources.indices.map { (module, $0) } }
    var facts = ConcurrentMap.results(of: slots.count, width: width) { index in
      cache?.facts(for: fileKeys[slots[index].0][slots[index].1])
    }
    var missing: [Unit] = []
    for (index, slot) in slots.enumerated() where facts[index] == nil && modules[slot.0].command != nil {
      let source = modules[slot.0].sources[slot.1]
      missing.append(
        Unit(module: slot.0, source: source, key: keys[slot.0][slot.1], size: plan.sizes[source] ?? 0))
    }
    let (read, failures) = emit(missing, of: modules, progress: progress)
    for (index, slot) in slots.enumerated() where facts[index] == nil { facts[index] = read[keys[slot.0][slot.1]] }
    cache?.keepOnly(Set(keys.joined()))
    var results = Array(repeating: ModuleResult(), count: modules.count)
    for (index, slot) in slots.enumerated() {
      if let file = facts[index] { results[slot.0].files.append(file) }
    }
    for (index, module) in modules.enumerated() {
      results[index].failure =
        failures[index]
        ?? (module.command == nil ? FrontendFailure(reason: "the build says nothing about this module") : nil)
    }
    return results
  }

  private func baseKey(_ module: SourceModule, interface: String) -> ContentHash {
    var hash = ContentHash()
    hash.add("facts \(FactsCodec.version)")
    hash.add(SILFrontend.ownIdentity)
    hash.add(toolchain.identity)
    hash.add(module.name)
    hash.add(interface)
    for argument in module.command?.arguments ?? [] { hash.add(argument) }
    for source in module.sources { hash.add(source) }
    return hash
  }

  /// Which build of this program reads: another one may read otherwise.
  static let ownIdentity: String = {
    var status = stat()
    guard stat("/proc/self/exe", &status) == 0 else { return "" }
    return "\(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
  }()

  // MARK: Emission

  private struct Batch: Sendable {
    var module: Int
    var units: [Unit]
    var size: Int
  }

  private func emit(
    _ units: [Unit], of modules: [SourceModule], progress: @Sendable (Progress) -> Void
  ) -> ([String: FileFacts], [Int: FrontendFailure]) {
    guard !units.isEmpty else { return ([:], [:]) }
    guard let directory = TemporaryDirectory() else {
      let failure = FrontendFailure(reason: "cannot create a temporary directory")
      return ([:], Dictionary(units.map { ($0.module, failure) }, uniquingKeysWith: { first, _ in first }))
    }
    defer { directory.remove() }
    let batches = batches(units)
    let state = Mutex(EmissionState())
    let indices = Set(units.map(\.module)).sorted()
    let invocations = invocations(indices, of: modules, state: state)
    let queue = EmissionQueue<EmittedFile>(batches: batches.count)
    DispatchQueue.concurrentPerform(iterations: min(width, units.count)) { _ in
      while let work = queue.next() {
        switch work {
        case .emit(let index):
          let batch = batches[index]
          var files: [EmittedFile] = []
          if let invocation = invocations[batch.module] {
            files = emit(batch, of: modules[batch.module], with: invocation, in: directory.path, state: state)
          }
          queue.finished(files)
          let emitted = state.withLock { state in
            state.emitted += batch.units.count
            return state.emitted
          }
          progress(Progress(emitted: emitted, total: units.count))
        case .read(let file): read(file, named: modules[file.unit.module].name, state: state)
        }
      }
    }
    return state.withLock { ($0.facts, $0.failures) }
  }

  private struct EmittedFile: Sendable {
    var unit: Unit
    var path: String
  }

  private struct EmissionState {
    var facts: [String: FileFacts] = [:]
    var failures: [Int: FrontendFailure] = [:]
    var emitted = 0
  }

  /// The front end's command line of each module, from the cache when the driver was asked before.
  private func invocations(
    _ indices: [Int], of modules: [SourceModule], state: borrowing Mutex<EmissionState>
  ) -> [Int: FrontendInvocation] {
    let found = Mutex<[Int: FrontendInvocation]>([:])
    let failed = Mutex<[Int: FrontendFailure]>([:])
    DispatchQueue.concurrentPerform(iterations: indices.count) { position in
      let index = indices[position]
      guard let command = modules[index].command else { return }
      var hash = ContentHash()
      hash.add(toolchain.identity)
      for argument in [command.compiler, command.directory] + SILEmitter.options + command.arguments {
        hash.add(argument)
      }
      let key = hash.digest + ".invocation"
      if let data = cache?.text(for: key),
        let invocation = try? JSONDecoder().decode(FrontendInvocation.self, from: data)
      {
        found.withLock { $0[index] = invocation }
        return
      }
      do {
        let invocation = try SILEmitter.invocation(for: command)
        if let data = try? JSONEncoder().encode(invocation) { cache?.store(data, for: key) }
        found.withLock { $0[index] = invocation }
      } catch let failure as FrontendFailure {
        failed.withLock { $0[index] = failure }
      } catch {
        failed.withLock { $0[index] = FrontendFailure(reason: error.localizedDescription) }
      }
    }
    let failures = failed.withLock { $0 }
    state.withLock { $0.failures.merge(failures) { first, _ in first } }
    return found.withLock { $0 }
  }

  /// Every process parses the whole module, and binds it, before it emits its files: as many processes as cores is
  /// least work, and enough. What one core has left to do when another is done is mostly reading, which all share.
  private func batches(_ units: [Unit]) -> [Batch] {
    var result: [Batch] = []
    let total = units.reduce(0) { $0 + $1.size + 2_000 }
    let target = max((total + width - 1) / width, 60_000)
    for module in Set(units.map(\.module)).sorted() {
      var batch = Batch(module: module, units: [], size: 0)
      for unit in units where unit.module == module {
        batch.units.append(unit)
        batch.size += unit.size + 2_000
        if batch.size >= target {
          result.append(batch)
          batch = Batch(module: module, units: [], size: 0)
        }
      }
      if !batch.units.isEmpty { result.append(batch) }
    }
    return result.sorted { ($1.size, $0.module) < ($0.size, $1.module) }
  }

  private func emit(
    _ batch: Batch, of module: SourceModule, with invocation: FrontendInvocation, in directory: String,
    state: borrowing Mutex<EmissionState>
  ) -> [EmittedFile] {
    guard let command = module.command else { return [] }
    let files = batch.units.map { EmittedFile(unit: $0, path: directory + "/" + $0.key + ".sil") }
    do {
      try SILEmitter.emit(
        files.map { ($0.unit.source, $0.path) }, of: module.sources, with: invocation, directory: command.directory)
      return files
    } catch {
      fail(batch.module, error, state: state)
      return []
    }
  }

  private func read(_ file: EmittedFile, named module: String, state: borrowing Mutex<EmissionState>) {
    do {
      guard let text = MappedFile(file.path) else {
        throw FrontendFailure(reason: "the compiler wrote no SIL for \(file.unit.source)")
      }
      unlink(file.path)
      var facts = try text.withBytes { try SILReader.read($0, module: module) }
      facts.declared = SourceTree.text(file.unit.source).map {
        var declared = DeclarationReader.readCompiled(text: $0, file: file.unit.source)
        declared.module = module
        return declared
      }
      cache?.store(facts, for: file.unit.key)
      state.withLock { $0.facts[file.unit.key] = facts }
    } catch {
      fail(file.unit.module, error, state: state)
    }
  }

  private func fail(_ module: Int, _ error: any Error, state: borrowing Mutex<EmissionState>) {
    let failure = error as? FrontendFailure ?? FrontendFailure(reason: "\(error)")
    state.withLock { state in
      // The first in the order of the text, so that the message does not depend on timing.
      if let known = state.failures[module], known.reason <= failure.reason { return }
      state.failures[module] = failure
    }
  }
}

/// A directory that nobody else can read, removed at the end.
private struct TemporaryDirectory {
  let path: String

  init?() {
    var template = Array((NSTemporaryDirectory() + "/mainstay-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    path = template.withUnsafeBufferPointer {
      String(decoding: $0.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }

  func remove() { try? FileManager.default.removeItem(atPath: path) }
}

/// A file's bytes without a copy.
final class MappedFile {
  private let bytes: UnsafeRawBufferPointer

  init?(_ path: String) {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_size > 0,
      let start = mmap(nil, Int(status.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED
    else { return nil }
    bytes = UnsafeRawBufferPointer(start: start, count: Int(status.st_size))
  }

  /// The bytes are there for as long as `body` runs.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try withExtendedLifetime(self) { try body(bytes) }
  }

  deinit {
    munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
  }
}
