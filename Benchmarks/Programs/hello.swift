// Starts and ends: an async main that does nothing.
@main
struct Hello {
  static func main() async {}
}
