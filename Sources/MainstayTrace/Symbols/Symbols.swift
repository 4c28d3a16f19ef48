/// From addresses of a recorded process to named, placed functions: what a report calls once with all it has.

/// Resolves addresses of one process. Not `Sendable`: one owner, one pass over a recording.
///
/// Reads the images on disk and starts the symboliser at most twice for each image of a call to `resolve`.
public final class Symbols {
  /// Something that made names or lines worse than they could be. Each says what to do.
  public enum Problem: Hashable, Sendable, CustomStringConvertible {
    case image(ELFError)
    /// The file is not the one that was recorded: its symbols would be wrong, so none are used.
    case changed(path: String)
    case stripped(path: String)
    case withoutLines(path: String)
    case symbolizer(SymbolizerTool.Failure)
    case noSymbolizer

    public var description: String {
      switch self {
      case .image(let error): error.description
      case .changed(let path):
        "\(path) was built again since the recording: its functions are shown as addresses. Record again."
      case .stripped(let path): "\(path) is stripped: its functions are shown as addresses. Keep its symbols."
      case .withoutLines(let path): "\(path) has no line information. Build it with -g."
      case .symbolizer(let failure): failure.description
      case .noSymbolizer:
        "No llvm-symbolizer beside swift or on PATH: functions have no lines. "
          + "Set \(SymbolizerTool.environmentVariable) to the toolchain's."
      }
    }
  }

  private let modules: ModuleMap
  private let symbolizer: Symbolizer
  private let hasTool: Bool
  private let demangler = Demangler()
  private var images: [String: ELFImage?] = [:]
  private var names: [String: FunctionName] = [:]
  private var reported: Set<Problem> = []
  private var order: [Problem] = []

  public init(modules: ModuleMap, tool: SymbolizerTool?) {
    self.modules = modules
    symbolizer = Symbolizer(tool: tool)
    hasTool = tool != nil
  }

  /// What went wrong so far, in the order it was met, each once.
  public var problems: [Problem] { order + symbolizer.failures.map(Problem.symbolizer) }

  /// Resolves every address, in the order given.
  public func resolve(_ addresses: [(address: UInt64, kind: AddressKind)]) -> [ResolvedAddress] {
    let places = addresses.map { place(of: $0.address, $0.kind) }
    var frames: [Place: [Symbolizer.Frame]] = [:]
    let byImage = Dictionary(grouping: Set(places.compactMap(\.self))) { $0.image }
    for (path, inImage) in byImage.sorted(by: { $0.key < $1.key }) {
      guard let image = image(path) else { continue }
      note(image)
      for (place, found) in zip(inImage, symbolizer.frames(at: inImage.map(\.address), in: image)) {
        frames[place] = found
      }
    }
    let points = resumePoints(of: frames)
    return zip(addresses, places).map { asked, place in
      guard let place, let found = frames[place] else { return unresolved(asked.address, place: place) }
      let names = found.map { $0.symbol.map(name) }
      let physical = names.last.flatMap(\.self)
      let resolved = zip(found, names).enumerated().map { index, frame in
        ResolvedFrame(
          name: frame.1 ?? .unnamed("\(place.imageName)+0x\(String(place.address, radix: 16))"), file: frame.0.file,
          line: frame.0.line, column: frame.0.column, image: place.image, isInlined: index < found.count - 1)
      }
      let point = physical.flatMap { name in
        name.isThunk ? nil : name.resume.flatMap { points[Function(image: place.image, key: name.key)]?[$0.ordinal] }
      }
      return ResolvedAddress(address: asked.address, frames: resolved, resumePoint: point)
    }
  }

  /// Names the tasks made where calls return: for each task its return addresses, the innermost first
  /// (`swift_task_create` returns to the first).
  ///
  /// - Returns: the frame that wrote `Task {}` and the closure it gave, as far as either is known; nil when every
  ///   address is in the concurrency library's own code.
  public func creations(_ stacks: [[UInt64]]) -> [TaskCreation?] {
    _ = resolve(stacks.joined().map { ($0, .returnAddress) })  // one question for all; below it is in the cache
    return stacks.map(creation)
  }

  /// The same for one task. Each call may start the symboliser: use `creations` for many.
  public func creation(_ returnAddresses: [UInt64]) -> TaskCreation? {
    let resolved = resolve(returnAddresses.map { ($0, .returnAddress) })
    for (address, found) in zip(returnAddresses, resolved) {
      // `Task.init`, `addTask` and the like are compiled into the program: the first frame that is not theirs counts.
      guard let frame = found.frames.first(where: { !$0.name.isConcurrencyLibrary }), frame.name.kind != .unknown,
        let place = place(of: address, .exact), let image = image(place.image)
      else { continue }
      let closure = TaskClosure(image: image, demangler: demangler).closure(createdBefore: place.address)
      return TaskCreation(frame: frame, closure: closure)
    }
    return nil
  }

  // MARK: Places

  private struct Place: Hashable {
    let image: String
    let address: UInt64

    var imageName: Substring { image[(image.lastIndex(of: "/").map { image.index(after: $0) } ?? image.startIndex)...] }
  }

  /// Where to look an address up, as a virtual address of its image.
  private func place(of address: UInt64, _ kind: AddressKind) -> Place? {
    guard let location = modules.location(of: kind.lookup(address)) else { return nil }
    guard let image = image(location.path, expecting: location.buildID),
      let virtual = image.address(ofFileOffset: location.fileOffset)
    else { return nil }
    return Place(image: location.path, address: virtual)
  }

  private func image(_ path: String, expecting buildID: String? = nil) -> ELFImage? {
    if let known = images[path] { return known }
    var image: ELFImage?
    do throws(ELFError) {
      let read = try ELFImage(path: path)
      if let buildID, let found = read.buildID, buildID.lowercased() != found {
        report(.changed(path: path))
      } else {
        image = read
      }
    } catch {
      report(.image(error))
    }
    images[path] = .some(image)
    return image
  }

  private func note(_ image: ELFImage) {
    if !image.hasSymbolTable { report(.stripped(path: image.path)) }
    if !image.hasLineTable { report(.withoutLines(path: image.path)) } else if !hasTool { report(.noSymbolizer) }
  }

  private func report(_ problem: Problem) {
    if reported.insert(problem).inserted { order.append(problem) }
  }

  private func unresolved(_ address: UInt64, place: Place?) -> ResolvedAddress {
    let location = modules.location(of: address)
    let path = location?.path ?? ""
    let offset = String(location?.fileOffset ?? address, radix: 16)
    let image = path.split(separator: "/").last.map { "\($0)+" } ?? ""
    let frame = ResolvedFrame(
      name: .unnamed("\(image)0x\(offset)"), file: nil, line: 0, column: 0, image: path, isInlined: false)
    return ResolvedAddress(address: address, frames: [frame], resumePoint: nil)
  }

  private func name(_ symbol: String) -> FunctionName {
    if let known = names[symbol] { return known }
    let name = FunctionName(symbol: symbol, demangler: demangler)
    names[symbol] = name
    return name
  }

  // MARK: Resume points

  private struct Function: Hashable {
    let image: String
    let key: String
  }

  /// The awaits of every async function of which `frames` has a piece.
  private func resumePoints(of frames: [Place: [Symbolizer.Frame]]) -> [Function: ResumePoints] {
    var keys: [String: Set<String>] = [:]
    for (place, found) in frames {
      guard let symbol = found.last?.symbol else { continue }
      let name = MangledName(symbol: symbol)
      if name.resume != nil { keys[place.image, default: []].insert(name.key) }
    }
    var points: [Function: ResumePoints] = [:]
    for (path, wanted) in keys {
      guard let image = image(path) else { continue }
      let families = AsyncFamily.families(of: wanted, in: image)
      for (key, found) in ResumePoints.all(families, in: image, symbolizer: symbolizer) {
        points[Function(image: path, key: key)] = found
      }
    }
    return points
  }
}

extension ResumePoints {
  /// The points of several functions of one image, with one question to the symboliser for all of them.
  static func all(
    _ families: [String: AsyncFamily], in image: ELFImage, symbolizer: Symbolizer
  ) -> [String: ResumePoints] {
    let origins = families.mapValues { $0.origins(in: image) }
    let addresses = families.values.flatMap { family in
      family.pieces.map(\.symbol.address) + (family.entry.map { [$0.address] } ?? [])
    }
    let all = Array(Set(addresses + origins.values.flatMap { $0.map(\.address) })).sorted()
    // The outermost frame is the async function itself; what was inlined into it has awaits of its own.
    let frames = Dictionary(zip(all, symbolizer.frames(at: all, in: image)).map { ($0, $1.last) }) { first, _ in first }
    func place(_ address: UInt64) -> Place {
      let frame = frames[address].flatMap(\.self)
      return Place(file: frame?.file, line: frame?.line ?? 0, column: frame?.column ?? 0)
    }
    return Dictionary(
      uniqueKeysWithValues: families.map { key, family in
        let found = Dictionary(grouping: origins[key] ?? [], by: \.target)
        let pieces = family.pieces.map { piece in
          Piece(
            resume: piece.resume, firstLine: place(piece.symbol.address),
            origins: (found[piece.resume.ordinal] ?? []).map { ($0.piece, place($0.address)) })
        }
        let first = family.entry.map(\.address) ?? family.pieces.first?.symbol.address
        let declarationLine = first.flatMap { frames[$0].flatMap(\.self)?.declarationLine } ?? 0
        return (key, ResumePoints(declarationLine: declarationLine, pieces: pieces))
      })
  }
}
