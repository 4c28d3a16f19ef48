import Foundation

/// A program whose input, output and signals somebody else handles. Its first argument says what it does.
@main
struct PassThrough {
  @MainActor
  static func main() async {
    await Task.yield()
    switch CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : "" {
    case "echo":
      while let line = readLine(strippingNewline: false) {
        print(line, terminator: "")
        await Task.yield()
      }
    case "arguments":
      for argument in CommandLine.arguments.dropFirst() { print(argument) }
    case "flood":
      let chunk = Data((0..<65536).map { UInt8(truncatingIfNeeded: $0 &* 31) })
      for _ in 0..<800 {
        FileHandle.standardOutput.write(chunk)
        await Task.yield()
      }
    case "screen":
      // Takes the terminal over when told to, as editors do, and gives it back: each step when something is typed.
      _ = readLine()
      var settings = termios()
      tcgetattr(STDIN_FILENO, &settings)
      var raw = settings
      cfmakeraw(&raw)
      tcsetattr(STDIN_FILENO, TCSANOW, &raw)
      for text in ["no lines", "\u{1b}[?1049h\u{1b}[2Jwhole screen", "\u{1b}[H.", "\u{1b}[?1049l"] {
        text.withCString { _ = write(STDOUT_FILENO, $0, strlen($0)) }
        var byte: UInt8 = 0
        _ = read(STDIN_FILENO, &byte, 1)
      }
      tcsetattr(STDIN_FILENO, TCSANOW, &settings)
      print("left the screen")
    case "signal":
      for number in [SIGTERM, SIGINT, SIGHUP, SIGUSR1] {
        signal(number) { number in
          var text = Array("got \(number)\n".utf8)
          write(STDOUT_FILENO, &text, text.count)
          _exit(40 + number)
        }
      }
      print("ready")
      fflush(nil)
      while true { pause() }
    default: exit(64)
    }
  }
}
