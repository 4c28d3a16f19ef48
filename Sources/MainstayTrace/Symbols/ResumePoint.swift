/// Where in its source an async function goes on when a job begins: "after await 2".

/// One piece of an async function, placed among its awaits.
public struct ResumePoint: Hashable, Sendable {
  public enum Position: Hashable, Sendable {
    /// The function has changed to its own executor and runs from its first statement.
    case start
    /// Within await `n`: the callee runs here without a function of its own (a synchronous method of an actor, called
    /// from outside), or the task is on its way back.
    case within(await: Int)
    /// Await `n` is over and the statements after it run.
    case after(await: Int)
    /// There is no debug information: the piece's ordinal is all that is known.
    case unplaced(resume: Int)
  }

  public let position: Position
  /// The file of the await; nil when unknown. With `line` and `column` it is the suspension that SIL names.
  public let file: String?
  /// The line of the await's call (not of the word `await`), from 1; 0 when unknown.
  public let line: Int
  /// Its column, from 1; 0 when unknown.
  public let column: Int
  /// How many suspensions the compiler kept in this function.
  public let awaits: Int

  /// `after await 2`, `in await 2`, `resume 3`; empty at the start of the function.
  public var label: String {
    switch position {
    case .start: ""
    case .within(let number): "in await \(number)"
    case .after(let number): "after await \(number)"
    case .unplaced(let resume): "resume \(resume)"
    }
  }

  /// The number of the await; nil at the start and without debug information.
  public var awaitNumber: Int? {
    switch position {
    case .within(let number), .after(let number): number
    case .start, .unplaced: nil
    }
  }
}
