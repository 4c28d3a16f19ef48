/// What every suite has in common that opens windows.
import Testing

/// Every suite that opens windows is in an extension of this: one window at a time, on a screen of its own.
@Suite("The window", .serialized, .timeLimit(.minutes(10)))
enum OnScreen {}
