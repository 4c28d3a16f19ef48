/// Numbers the awaits of an async function in source order and says which one each of its pieces goes on from.

/// What Swift 6.3.1 emits, found by compiling small programs with `-Onone -g`, `-O -g` and `-O`:
///
/// - Pieces are numbered through in layout order, `TQ` and `TY` together. An await is **not** one piece. On the main
///   actor, `await store.bump()` of a synchronous method of another actor gives two `TY`: the first runs *on the store*
///   and contains the call itself, the second is back on the main actor. An `await` of an async function gives a `TQ`
///   (on the callee's executor) and then a `TY`. A nonisolated caller has the `TQ` alone. A `try await` has one more
///   piece for the error. The first `TY` of an isolated function is the change to its own executor, before any
///   statement. Several awaits in one line, or in one expression, are as many as there are calls. `async let` suspends
///   where it is read, and once more at the closing brace of its scope. `for await` has one await, on the line of the
///   loop; `withTaskGroup` and `withCheckedContinuation` are one each (at `-O` up to five pieces).
/// - The **first line of a piece** is the await's for a `TQ`, but for a `TY` that comes back it is already that of the
///   next statement, and its column is 0. It cannot place a piece.
/// - The instruction that **hands out the piece's address** (the `lea` before the task is suspended or the callee
///   called) does have the await's line and column, at `-Onone -g` and at `-O -g`: the same that SIL gives for the
///   `apply` or `hop_to_executor`. Compiler-made loops (`for await`) have line 0 there; the `TY` that follows has it.
/// - At `-O` a callee's pieces are inlined into the caller's: the outermost frame of the instruction is what counts.
///   Unrolled loops repeat an await under the same line and column. Hops that nothing needs are gone, so an await can
///   be missing: numbers count the suspensions that were compiled.
/// - Without `-g` nothing can be placed. `-O` and `-Onone` number differently.
struct ResumePoints {
  /// A position in a source file; a line of 0 is unknown.
  struct Place: Hashable, Comparable {
    var file: String?
    var line: Int
    var column: Int

    static func < (a: Place, b: Place) -> Bool {
      (a.file ?? "", a.line, a.column) < (b.file ?? "", b.line, b.column)
    }
  }

  /// One piece, as found in an image.
  struct Piece {
    let resume: FunctionName.Resume
    /// The first line of its code in the async function itself.
    let firstLine: Place
    /// The instructions that hand out its address: in which piece (0 is the entry), and where in the source.
    let origins: [(piece: Int, place: Place)]
  }

  private let points: [Int: ResumePoint]

  /// - Parameters:
  ///   - declarationLine: the line of the function's declaration, 0 when unknown.
  ///   - pieces: all that the image has of one function.
  init(declarationLine: Int, pieces: [Piece]) {
    let places = Self.places(pieces)
    let start = Self.start(pieces, places: places, declarationLine: declarationLine)
    let awaits = Set(places.filter { $0.key != start }.values).sorted()
    var points: [Int: ResumePoint] = [:]
    for piece in pieces {
      let ordinal = piece.resume.ordinal
      let place = places[ordinal]
      let position: ResumePoint.Position
      if ordinal == start {
        position = .start
      } else if let place, let index = awaits.firstIndex(of: place) {
        let isOver = Self.isAtNextStatement(piece, place: place, declarationLine: declarationLine)
        let isWithin = !isOver && Self.leadsOnWithinAwait(piece, pieces: pieces, places: places)
        position = isWithin ? .within(await: index + 1) : .after(await: index + 1)
      } else {
        position = .unplaced(resume: ordinal)
      }
      points[ordinal] = ResumePoint(
        position: position, file: place?.file, line: place?.line ?? 0, column: place?.column ?? 0,
        awaits: awaits.count)
    }
    self.points = points
  }

  /// The point of the piece with an ordinal; `unplaced` when the image does not have it.
  subscript(ordinal: Int) -> ResumePoint {
    points[ordinal]
      ?? ResumePoint(position: .unplaced(resume: ordinal), file: nil, line: 0, column: 0, awaits: 0)
  }

  /// The await of each piece, by ordinal; pieces that nothing places are absent.
  private static func places(_ pieces: [Piece]) -> [Int: Place] {
    var places: [Int: Place] = [:]
    for piece in pieces {
      places[piece.resume.ordinal] = piece.origins.map(\.place).filter { $0.line > 0 }.min()
    }
    for piece in pieces where places[piece.resume.ordinal] == nil {
      // Compiler-made code: the hop back that this piece leads to belongs to the same await.
      let next = pieces.filter { other in
        other.resume.kind == .executorChange && other.origins.contains { $0.piece == piece.resume.ordinal }
      }
      let shared = next.compactMap { places[$0.resume.ordinal] }.filter {
        piece.resume.kind == .awaitReturn || $0.line == piece.firstLine.line
      }
      if let place = shared.min() {
        places[piece.resume.ordinal] = place
      } else if piece.firstLine.line > 0 {
        places[piece.resume.ordinal] = Place(file: piece.firstLine.file, line: piece.firstLine.line, column: 0)
      }
    }
    return places
  }

  /// The piece that only changes to the function's own executor: handed out by the entry, at the declaration itself, and
  /// the only one there. (A function inlined into itself hands it out elsewhere too. In a function of one line it could
  /// also be its only await; then nothing is lost by not numbering it.)
  private static func start(_ pieces: [Piece], places: [Int: Place], declarationLine: Int) -> Int? {
    guard declarationLine > 0 else { return nil }
    return pieces.first { piece in
      guard piece.resume.kind == .executorChange, let place = places[piece.resume.ordinal] else { return false }
      return place.line == declarationLine && piece.origins.contains { $0.piece == 0 && $0.place == place }
        && places.values.filter { $0 == place }.count == 1
    }?.resume.ordinal
  }

  /// Whether the first line of a piece is another statement's than the await's. At `-O` a piece may begin with code of
  /// an inlined callee, under that callee's line: lines outside the function say nothing.
  private static func isAtNextStatement(_ piece: Piece, place: Place, declarationLine: Int) -> Bool {
    piece.firstLine.file == place.file && piece.firstLine.line > declarationLine && piece.firstLine.line != place.line
  }

  /// Whether a piece suspends again for the await that it came from: it leads on to a piece of the same await. A piece
  /// that is also reached from elsewhere does not count: that is the next turn of a loop.
  private static func leadsOnWithinAwait(_ piece: Piece, pieces: [Piece], places: [Int: Place]) -> Bool {
    let ordinal = piece.resume.ordinal
    guard let place = places[ordinal] else { return false }
    return pieces.contains { other in
      other.resume.ordinal != ordinal && places[other.resume.ordinal] == place
        && other.origins.contains { $0.piece == ordinal }
        && other.origins.allSatisfy { places[$0.piece] == place }
    }
  }
}
