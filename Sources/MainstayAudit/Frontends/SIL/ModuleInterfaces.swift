/// What a file's meaning depends on outside itself: the interfaces of its own module and of those it imports.
import Foundation

struct ModuleInterfaces: Sendable {
  private var digests: [String: String] = [:]

  /// - Parameters:
  ///   - modules: every module that will be read.
  ///   - contents: the bytes of their sources, by path.
  init(of modules: [SourceModule], contents: [String: Data]) {
    let names = Set(modules.map(\.name))
    var imports: [String: Set<String>] = [:]
    var own: [String: String] = [:]
    for module in modules {
      var found: Set<String> = []
      for source in module.sources {
        if let data = contents[source] { found.formUnion(ModuleInterfaces.imports(in: data)) }
      }
      imports[module.name] = found.intersection(names).subtracting([module.name])
      own[module.name] = ModuleInterfaces.digest(of: module, contents: contents)
    }
    for module in modules {
      var reached: Set<String> = [module.name]
      var work = [module.name]
      while let name = work.popLast() {
        for next in imports[name] ?? [] where reached.insert(next).inserted { work.append(next) }
      }
      var hash = ContentHash()
      for name in reached.sorted() {
        hash.add(name)
        hash.add(own[name] ?? "")
      }
      if let command = module.command {
        for line in ModuleInterfaces.foreign(command, except: names) { hash.add(line) }
      }
      digests[module.name] = hash.digest
    }
  }

  func digest(of module: String) -> String { digests[module] ?? "" }

  /// The module's own compiled interface; its sources when the build left none.
  private static func digest(of module: SourceModule, contents: [String: Data]) -> String {
    var hash = ContentHash()
    if let command = module.command {
      for directory in searchPaths(command) {
        let file = directory + "/" + module.name + ".swiftmodule"
        if let data = FileManager.default.contents(atPath: file) {
          data.withUnsafeBytes { hash.add($0) }
          return hash.digest
        }
      }
    }
    for source in module.sources {
      hash.add(source)
      contents[source]?.withUnsafeBytes { hash.add($0) }
    }
    return hash.digest
  }

  private static func searchPaths(_ command: CompileCommand) -> [String] {
    var paths: [String] = []
    for (index, word) in command.arguments.enumerated() {
      if word == "-I", index + 1 < command.arguments.count {
        paths.append(CompileCommand.absolute(command.arguments[index + 1], in: command.directory))
      } else if word.hasPrefix("-I"), word.count > 2 {
        paths.append(CompileCommand.absolute(String(word.dropFirst(2)), in: command.directory))
      }
    }
    return paths
  }

  /// Modules and headers of others, by size and date: they change rarely, and together.
  private static func foreign(_ command: CompileCommand, except names: Set<String>) -> [String] {
    var lines: [String] = []
    for directory in searchPaths(command) {
      guard let entries = try? FileManager.default.contentsOfDirectory(atPath: directory) else { continue }
      for entry in entries.sorted() {
        guard entry.hasSuffix(".swiftmodule") || entry.hasSuffix(".h") || entry.hasSuffix(".modulemap") else {
          continue
        }
        if entry.hasSuffix(".swiftmodule"), names.contains(String(entry.dropLast(".swiftmodule".count))) { continue }
        var status = stat()
        guard stat(directory + "/" + entry, &status) == 0 else { continue }
        lines.append("\(directory)/\(entry) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)")
      }
    }
    return lines
  }

  /// The modules that a source names in import declarations; a comment that looks like one costs nothing but time.
  static func imports(in data: Data) -> Set<String> {
    var found: Set<String> = []
    data.withUnsafeBytes { bytes in
      let text = SILText(bytes)
      var at = 0
      while let position = text.find("import ", in: at..<bytes.count) {
        at = position + 7
        var end = at
        while end < bytes.count, bytes[end] != 10, bytes[end] != 46, bytes[end] != 59 { end += 1 }
        let words = text.string(at..<min(end, at + 120)).split(separator: " ")
        if let name = words.last(where: { !$0.hasPrefix("//") }) { found.insert(String(name)) }
        if let name = words.first { found.insert(String(name)) }
      }
    }
    return found
  }
}
