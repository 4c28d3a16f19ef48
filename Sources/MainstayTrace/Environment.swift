import Foundation

/// The environment variables that Mainstay reads and sets: the one place that names them. Documentation/Environment.md
/// describes each.
public enum Environment {
  /// What this process was started with.
  public static let variables = ProcessInfo.processInfo.environment

  /// Set for a recorded program, read by the recorder.
  public static let recording = "MAINSTAY_RECORDING"
  public static let parent = "MAINSTAY_PARENT"
  public static let processes = "MAINSTAY_PROCESSES"
  public static let memory = "MAINSTAY_MEMORY"
  public static let frame = "MAINSTAY_FRAME"
  public static let budget = "MAINSTAY_BUDGET"
  /// Read by the tool: the preload library, when it is not beside it.
  public static let recorder = "MAINSTAY_RECORDER"
  /// Read by the tool: llvm-symbolizer, when it is not beside swift or on PATH.
  public static let symbolizer = SymbolizerTool.environmentVariable
}
