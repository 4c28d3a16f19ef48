/// The `mainstay` that was built beside these tests, and the package that it is to look at.
import Foundation

/// The examples are a package of their own: they run the tool, and do not link it.
public enum BuiltTool {
  /// Where this was built: `Examples/.build`, or a folder in it.
  public static let scratch: String = {
    let tests =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    return URL(filePath: tests).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
  }()

  /// The folder of programs and objects that belong to these tests.
  public static let products: String = {
    let tests =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    return URL(filePath: tests).deletingLastPathComponent().path
  }()

  public static let examples = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../..").standardizedFileURL.path

  /// From the package that this one is in; `MAINSTAY_TOOL` names another.
  public static var path: String? {
    let own = ProcessInfo.processInfo.environment["MAINSTAY_TOOL"]
    let beside = scratch.replacing("/Examples/.build", with: "/.build")
    let package = URL(filePath: examples).deletingLastPathComponent().appending(path: ".build").path
    return [own, beside + "/debug/mainstay", package + "/debug/mainstay"].compactMap(\.self).first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }

  /// Where everything is to be tested, a tool that is not there is a failure.
  public static var isHere: Bool { path != nil || ProcessInfo.processInfo.environment["CI"] == "true" }

  public static let absence = "the tool is not built; make test builds it first"
}
