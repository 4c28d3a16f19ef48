/// Reads modules that no compiler can read here: what the source alone says, with low confidence.
import Foundation
import MainstayFindings
import SwiftParser
import SwiftSyntax
import Synchronization

struct SyntaxFrontend: Frontend {
  /// How many files are read at a time.
  var width = ProcessInfo.processInfo.activeProcessorCount
  var cache: SourceCache?

  func read(_ module: SourceModule) throws -> [FileFacts] {
    let files = read([module])[0]
    if files.allSatisfy({ $0.leftOut != nil }) { throw FrontendFailure(reason: "none of its sources can be read") }
    return files
  }

  private struct Slot: Sendable {
    var module: Int
    var file: String
  }

  /// A file's tree stays with what it declares until every declaration is known: parsing is what takes the time. Of a file
  /// that a former run read, the text is kept instead.
  private struct Parsed: @unchecked Sendable {
    // Trees are immutable; their nodes are not marked Sendable in the toolchain's interface.
    var tree: SourceFileSyntax?
    var text: String
    /// What the file says by itself.
    var own: FileFacts
    var declared: SourceFacts { own.declared ?? SourceFacts() }
    /// Its key in the cache.
    var key: String?
    /// Of what all files declared when its functions, which are in `own` then, were read.
    var digest: String?
  }

  /// Reads modules together, so that each knows the declarations of those that it imports.
  func read(_ modules: [SourceModule]) -> [[FileFacts]] {
    let slots = modules.indices.flatMap { module in modules[module].sources.map { Slot(module: module, file: $0) } }
    let parsed = Mutex<[Parsed?]>(Array(repeating: nil, count: slots.count))
    let leftOut = Mutex<[Int: String]>([:])
    DeepStack.perform(slots.count, width: width) { index in
      let slot = slots[index]
      do {
        let file = try parse(slot.file, of: modules[slot.module].name)
        parsed.withLock { $0[index] = file }
      } catch { leftOut.withLock { $0[index] = "\(slot.file) was left out: \(error)" } }
    }
    let files = parsed.withLock { $0 }
    let sources = zip(slots, files).compactMap { slot, file in file.map { (slot.module, $0.declared) } }
    let indexes = SyntaxFrontend.indexes(modules, sources)
    let digest = cache == nil ? "" : SourceCache.digest(modules, sources)
    let facts = Mutex<[FileFacts?]>(Array(repeating: nil, count: slots.count))
    DeepStack.perform(slots.count, width: width) { index in
      guard let file = files[index] else { return }
      let result = self.facts(of: file, indexes[slots[index].module], among: digest)
      facts.withLock { $0[index] = result }
    }
    cache?.keepOnly(Set(files.compactMap { $0?.key }))
    // Letting go of a deep tree recurses as far as walking it does.
    DeepStack.run { parsed.withLock { $0.removeAll() } }
    var results = modules.map { _ in [FileFacts]() }
    let reasons = leftOut.withLock { $0 }
    for (index, (slot, file)) in zip(slots, facts.withLock { $0 }).enumerated() {
      var file = file ?? FileFacts()
      file.leftOut = reasons[index]
      results[slot.module].append(file)
    }
    return results
  }

  /// - Throws: `FrontendFailure` when the file is left out.
  private func parse(_ file: String, of module: String) throws -> Parsed {
    let (text, isUTF8) = try SourceTree.read(file)
    let key = cache.map { _ in SourceCache.key(text, file: file, module: module) }
    if let key, let kept = cache?.entry(for: key), kept.facts.declared?.file == file {
      return Parsed(tree: nil, text: text, own: kept.facts, key: key, digest: kept.digest)
    }
    let tree = Parser.parse(source: text)
    let converter = SourceLocationConverter(fileName: file, tree: tree)
    var own = FileFacts()
    own.declared = DeclarationReader.read(tree, file: file, converter: converter)
    own.declared?.module = module
    own.outline = SourceSyntax.outline(tree, of: text)
    own.misread = isUTF8 ? ParseError.line(in: tree, converter).map { .doesNotParse(line: $0) } : .notUTF8
    // What could not be understood is looked at again: it is there to be mended.
    return Parsed(tree: tree, text: "", own: own, key: own.misread == nil ? key : nil)
  }

  private func facts(of file: Parsed, _ index: SyntaxModuleIndex, among digest: String) -> FileFacts {
    if file.digest == digest { return file.own }
    let tree = file.tree ?? Parser.parse(source: file.text)
    var facts = SyntaxFrontend.lowered(tree, file.declared, index)
    facts.declared = file.own.declared
    facts.outline = file.own.outline
    facts.misread = file.own.misread
    if let key = file.key { cache?.store(SourceCache.Entry(facts: facts, digest: digest), for: key) }
    return facts
  }

  /// One index a module: the types of all, then where each lives, then what each declares.
  static func indexes(_ modules: [SourceModule], _ sources: [(module: Int, facts: SourceFacts)]) -> [SyntaxModuleIndex]
  {
    var indexes = modules.map { module in
      SyntaxModuleIndex(
        module: module.name, fallback: module.defaultIsolation == "MainActor" ? .mainActor : .nonisolated,
        asyncFallback: module.isNonsendingByDefault ? .caller : .nonisolated)
    }
    for (module, source) in sources { indexes[module].addTypes(source) }
    let names = Dictionary(modules.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    // Imports that go in a circle do not compile; two rounds reach what is imported through another.
    for _ in 0..<2 {
      for index in indexes.indices { indexes[index].resolve() }
      let known = indexes
      for index in indexes.indices {
        let imports = Set(sources.lazy.filter { $0.module == index }.flatMap { $0.facts.imports })
        indexes[index].add(imports: imports.sorted().compactMap { names[$0] }.filter { $0 != index }.map { known[$0] })
      }
    }
    for (module, source) in sources { indexes[module].addStated(source) }
    for index in indexes.indices { indexes[index].resolve() }
    for (module, source) in sources { indexes[module].addMembers(source) }
    let known = indexes
    for index in indexes.indices {
      let imports = Set(sources.lazy.filter { $0.module == index }.flatMap { $0.facts.imports })
      indexes[index].refresh(imports.sorted().compactMap { names[$0] }.filter { $0 != index }.map { known[$0] })
    }
    return indexes
  }

  /// Who may answer a protocol's requirement or a call of an overridden method.
  private static func addDispatch(
    _ type: TypeDeclaration, of file: String, _ index: SyntaxModuleIndex, _ facts: inout FileFacts
  ) {
    let protocols = index.protocols(of: type.name)
    let ancestors = index.ancestors(of: type.name)
    for member in type.members {
      let name: String
      switch member.kind {
      case .function: name = member.name + member.labels
      case .computed, .stored, .subscripting: name = member.name + ".getter"
      case .initializer, .deinitializer: continue
      }
      let function = index.key("\(type.name).\(name)", in: file)
      for base in protocols where index.asks(base, for: member) {
        facts.witnesses.append(DispatchEntry(key: "\(base).\(name)", function: function))
      }
      // What the protocol's extension does for whoever does not do it.
      if type.kind == .extension, index.asks(type.name, for: member), index.relies(on: member, of: type.name) {
        facts.witnesses.append(DispatchEntry(key: "\(type.name).\(name)", function: function))
      }
      guard member.kind == .function else { continue }
      if member.modifiers.contains("override") {
        for base in ancestors { facts.methods.append(DispatchEntry(key: "#\(base).\(name)", function: function)) }
      }
      if index.type(type.name)?.overridden.contains(name) == true {
        facts.methods.append(DispatchEntry(key: "#\(type.name).\(name)", function: function))
      }
    }
  }

  /// The bodies of a file, in the light of what all files declare.
  private static func lowered(
    _ tree: SourceFileSyntax, _ declared: SourceFacts, _ index: SyntaxModuleIndex
  ) -> FileFacts {
    let converter = SourceLocationConverter(fileName: declared.file, tree: tree)
    let collector = SyntaxBodyCollector(declared, converter: converter, index: index)
    collector.walk(tree)
    var facts = FileFacts()
    facts.functions = collector.functions
    facts.types = declared.types.filter { !$0.inherited.isEmpty }.map {
      TypeFacts(name: $0.name, module: index.module, conformances: Set($0.inherited.map(\.name)))
    }
    for type in declared.types where type.kind != .protocol { addDispatch(type, of: declared.file, index, &facts) }
    return facts
  }
}
