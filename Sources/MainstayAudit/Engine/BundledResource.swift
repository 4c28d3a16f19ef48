/// Files that a program brings with it: their author knows how large they are.
import MainstayFindings

enum BundledResource {
  private static let finders: Set<String> = ["url", "path", "resourceURL", "resourcePath"]

  /// Whether a sink reads or decodes a file of the bundle, which its own function has looked up.
  static func isInput(of site: SinkReach.Site, in program: Program) -> Bool {
    let function = program.functions[site.function]
    guard let call = function.call(at: site.event) else { return false }
    let inputs = call.arguments.indices.filter { $0 != call.receiver }.map { call.arguments[$0].origins }
    return inputs.contains { origins in
      program.effects.expanded(origins, in: function).contains {
        $0 >= 0 && function.call(at: Int($0)).map(isFinder) == true
      }
    }
  }

  /// `Bundle.main.url(forResource:withExtension:)` and its kin.
  private static func isFinder(_ call: Call) -> Bool {
    var words = CalleePattern.normalised(call.display).prefix { $0 != "(" }.split(separator: ".").map(String.init)
    if words.last == "getter" { words.removeLast() }
    return ["Bundle", "NSBundle"].contains(words.first) && words.last.map { finders.contains($0) } == true
  }
}
