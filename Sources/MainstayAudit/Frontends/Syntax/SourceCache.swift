/// What the source alone said, kept between runs: an edit inside a body has one file read anew, not a package.
///
/// What a file declares depends on its text alone, and so does the key of its entry. Its functions depend on what all
/// files declare, too: with them stands a digest of that, which leaves out places and comments, or each edit would
/// change it.
import Foundation
import MainstayFindings

struct SourceCache: Sendable {
  private let entries: FactsCache

  init(_ entries: FactsCache) { self.entries = entries }

  struct Entry {
    var facts: FileFacts
    /// Of what all files declared when the functions were read.
    var digest: String
  }

  /// What everything that is kept of a file depends on, but for what others declare.
  static func key(_ text: String, file: String, module: String) -> String {
    var hash = ContentHash()
    hash.add("source \(FactsCodec.version) \(SILFrontend.ownIdentity)")
    hash.add(file)
    hash.add(module)
    hash.add(text)
    return hash.digest
  }

  /// What the sources of all modules declare, and what their settings are.
  static func digest(_ modules: [SourceModule], _ sources: [(module: Int, facts: SourceFacts)]) -> String {
    var hash = ContentHash()
    for module in modules {
      hash.add("\(module.name) \(module.defaultIsolation ?? "") \(module.isNonsendingByDefault)")
    }
    for (module, facts) in sources {
      hash.add("\(module) \(facts.file)")
      hash.add(facts)
    }
    return hash.digest
  }

  func entry(for key: String) -> Entry? {
    guard let bytes = entries.bytes(for: key), bytes.count >= ContentHash.length else { return nil }
    return bytes.withUnsafeBytes { bytes in
      FactsCodec.decode(UnsafeRawBufferPointer(rebasing: bytes.dropFirst(ContentHash.length))).map {
        Entry(facts: $0, digest: String(decoding: bytes.prefix(ContentHash.length), as: UTF8.self))
      }
    }
  }

  func store(_ entry: Entry, for key: String) {
    entries.store(Array(entry.digest.utf8) + FactsCodec.encode(entry.facts), for: key)
  }

  func keepOnly(_ keys: Set<String>) { entries.keepOnly(keys) }
}

extension ContentHash {
  fileprivate mutating func add(_ facts: SourceFacts) {
    add(facts.imports)
    for type in facts.types {
      add("\(type.name) \(type.kind.rawValue) \(type.outer ?? "") \(type.isLocal)")
      add(type.attributes)
      add(type.modifiers)
      for one in type.inherited {
        add(one.name)
        add(one.attributes)
      }
      for member in type.members { add(member) }
    }
    for member in facts.members { add(member) }
  }

  private mutating func add(_ member: MemberDeclaration) {
    add("\(member.name) \(member.kind.rawValue) \(member.isMutable) \(member.isStatic) \(member.isAsync)")
    add(member.type)
    add(member.labels)
    add(member.isolatedParameter ?? "")
    for parameter in member.parameters {
      add("\(parameter.hasDefault) \(parameter.runsDefault)")
      add(parameter.type)
    }
    add(member.runs)
    add(member.attributes)
    add(member.modifiers)
  }

  private mutating func add(_ words: [String]) {
    add("\(words.count)")
    for word in words { add(word) }
  }
}
