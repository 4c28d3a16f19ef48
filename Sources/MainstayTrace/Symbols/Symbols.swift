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
    /// Names that the demangler did not survive.
    case unreadableNames(Int)

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
      case .unreadableNames(let count):
        (count == 1 ? "1 name ends" : "\(count) names end")
          + " the runtime's demangler and no compiler writes such: shown as the file has it. Build again without what "
          + "rewrites symbols."
      }
    }
  }

  private let modules: ModuleMap
  private let symbolizer: Symbolizer
  private let hasTool: Bool
  private let demangler = Demangler()
  private var images: [(path: String, image: ELFImage?)] = []
  private var indices: [String: Int] = [:]
  private var points: [Function: ResumePoints] = [:]
  private var names: [String: FunctionName] = [:]
  private var reported: Set<Problem> = []
  private var order: [Problem] = []

  public init(modules: ModuleMap, tool: SymbolizerTool?) {
    self.modules = modules
    symbolizer = Symbolizer(tool: tool)
    hasTool = tool != nil
  }

  /// What went wrong so far, in the order it was met, each once.
  public var problems: [Problem] {
    order + symbolizer.failures.map(Problem.symbolizer)
      + (demangler.faults > 0 ? [.unreadableNames(demangler.faults)] : [])
  }

  /// Resolves every address, in the order given.
  public func resolve(_ addresses: [(address: UInt64, kind: AddressKind)]) -> [ResolvedAddress] {
    let places = addresses.map { place(of: $0.address, $0.kind) }
    var frames: [Int: [UInt64: [Symbolizer.Frame]]] = [:]
    for (index, inImage) in Dictionary(grouping: places.compactMap(\.self), by: \.image).sorted(by: { $0.key < $1.key })
    {
      guard let image = images[index].image else { continue }
      note(image)
      let asked = Array(Set(inImage.map(\.address)))
      let found = symbolizer.frames(at: asked, in: image)
      frames[index] = Dictionary(uniqueKeysWithValues: zip(asked, found))
    }
    findResumePoints(of: frames)
    return zip(addresses, places).map { asked, place in
      guard let place, let found = frames[place.image]?[place.address] else { return unresolved(asked.address) }
      return ResolvedAddress(
        address: asked.address, frames: resolved(found, at: place), resumePoint: resumePoint(of: found, at: place))
    }
  }

  private func resolved(_ frames: [Symbolizer.Frame], at place: Place) -> [ResolvedFrame] {
    let path = images[place.image].path
    return frames.enumerated().map { index, frame in
      let known = frame.symbol.map(name)
      return ResolvedFrame(
        name: known ?? .unnamed("\(Self.file(path))+0x\(String(place.address, radix: 16))"), file: frame.file,
        line: frame.line > 0 ? frame.line : frame.declarationLine, column: frame.column, image: path,
        isInlined: index < frames.count - 1)
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
    var ofLibrary: TaskCreation?
    for (address, found) in zip(returnAddresses, resolved) {
      // `Task.init`, `addTask` and the like are compiled into the program: the first frame that is not theirs counts.
      let frames = found.frames.filter { !$0.name.isConcurrencyLibrary }
      guard let frame = frames.first(where: { !$0.name.isMainstayLibrary }) ?? frames.first,
        frame.name.kind != .unknown,
        let place = place(of: address, .exact), let image = images[place.image].image
      else { continue }
      let closure = TaskClosure(image: image, demangler: demangler).closure(createdBefore: place.address)
      let creation = TaskCreation(frame: frame, closure: closure)
      // `LatestTask.start` makes its task for whoever called it: that is further out, where the recording goes so far.
      guard frame.name.isMainstayLibrary else {
        return TaskCreation(frame: frame, closure: ofLibrary == nil ? closure : closure ?? ofLibrary?.closure)
      }
      ofLibrary = ofLibrary ?? creation
    }
    return ofLibrary
  }

  // MARK: Places

  /// A virtual address of an image, given by its index: paths are long to compare.
  private struct Place {
    let image: Int
    let address: UInt64
  }

  private static func file(_ path: String) -> Substring {
    path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...]
  }

  /// Where to look an address up, as a virtual address of its image.
  private func place(of address: UInt64, _ kind: AddressKind) -> Place? {
    guard let location = modules.location(of: kind.lookup(address)) else { return nil }
    let index = image(location.path, expecting: location.buildID)
    return images[index].image?.address(ofFileOffset: location.fileOffset).map { Place(image: index, address: $0) }
  }

  /// The index of an image, which is opened when it is met first.
  private func image(_ path: String, expecting buildID: String?) -> Int {
    if let known = indices[path] { return known }
    var image: ELFImage?
    if path == ELFImage.kernelCode {
      // Of another kernel's nothing is known, and nothing can be done.
      image = ELFImage.kernelImage().flatMap { buildID == nil || $0.buildID == buildID ? $0 : nil }
    } else {
      do throws(ELFError) { image = try read(path, expecting: buildID) } catch { report(.image(error)) }
    }
    images.append((path, image))
    indices[path] = images.count - 1
    return images.count - 1
  }

  private func read(_ path: String, expecting buildID: String?) throws(ELFError) -> ELFImage? {
    let read = try ELFImage(path: path)
    guard let buildID, let found = read.buildID, buildID.lowercased() != found else { return read }
    report(.changed(path: path))
    return nil
  }

  private func note(_ image: ELFImage) {
    guard image.path != ELFImage.kernelCode else { return }
    if !image.hasSymbolTable { report(.stripped(path: image.path)) }
    if !image.hasLineTable { report(.withoutLines(path: image.path)) } else if !hasTool { report(.noSymbolizer) }
  }

  private func report(_ problem: Problem) {
    if reported.insert(problem).inserted { order.append(problem) }
  }

  private func unresolved(_ address: UInt64) -> ResolvedAddress {
    let location = modules.location(of: address)
    let path = location?.path ?? ""
    let offset = String(location?.fileOffset ?? address, radix: 16)
    let display = path.isEmpty ? "0x\(offset)" : "\(Self.file(path))+0x\(offset)"
    let frame = ResolvedFrame(
      name: .unnamed(display), file: nil, line: 0, column: 0, image: path, isInlined: false)
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
    let image: Int
    let key: String
  }

  /// A thunk has none: its one await is nobody's.
  private func resumePoint(of frames: [Symbolizer.Frame], at place: Place) -> ResumePoint? {
    guard let name = frames.last?.symbol.map(name), let resume = name.resume, !name.isThunk else { return nil }
    return points[Function(image: place.image, key: name.key)]?[resume.ordinal]
  }

  /// Learns the awaits of every async function of which `frames` has a piece.
  private func findResumePoints(of frames: [Int: [UInt64: [Symbolizer.Frame]]]) {
    for (index, found) in frames.sorted(by: { $0.key < $1.key }) {
      guard let image = images[index].image else { continue }
      let names = Set(found.values.compactMap { $0.last?.symbol }).map(name)
      let keys = Set(names.filter { $0.resume != nil && !$0.isThunk }.map(\.key))
      let wanted = keys.filter { points[Function(image: index, key: $0)] == nil }
      guard !wanted.isEmpty else { continue }
      let families = AsyncFamily.families(of: wanted, in: image)
      for (key, found) in ResumePoints.all(families, in: image, symbolizer: symbolizer) {
        points[Function(image: index, key: key)] = found
      }
    }
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
