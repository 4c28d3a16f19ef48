import Testing

/// Expects a process that was ended on purpose to have said why on standard error.
func expectMessage(
  _ result: ExitTest.Result?, _ parts: String..., sourceLocation: SourceLocation = #_sourceLocation
) {
  let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  for part in parts {
    #expect(message.contains(part), "standard error was: \(message)", sourceLocation: sourceLocation)
  }
}
