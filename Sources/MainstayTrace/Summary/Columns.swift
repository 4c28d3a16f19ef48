/// Text in columns: what is too short is filled with spaces.
extension String {
  package func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
  package func paddedLeft(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}
