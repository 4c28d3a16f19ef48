import Foundation

/// The compiled programs, the tool and its recorder, and ways to run them.
struct Workbench {
  let tool: String
  let recorder: String
  private let folder: URL

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  struct Output {
    var text: String
    var seconds: Double

    /// Every number in what the program printed.
    var numbers: [Double] { text.split { $0.isWhitespace }.compactMap { Double($0) } }
  }

  init(tool: String, programs: URL) throws {
    self.tool = tool
    let beside = URL(fileURLWithPath: tool).deletingLastPathComponent()
    recorder = beside.appending(path: "Mainstay_mainstay-cli.resources/libmainstay-recorder.so").path
    guard FileManager.default.isReadableFile(atPath: recorder) else {
      throw Failure(description: "no recorder at \(recorder): build it with 'swift build -c release'")
    }
    folder = FileManager.default.temporaryDirectory.appending(path: "mainstay-bench-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for file in try FileManager.default.contentsOfDirectory(at: programs, includingPropertiesForKeys: nil)
    where file.pathExtension == "swift" {
      let name = file.deletingPathExtension().lastPathComponent
      _ = try run(["swiftc", "-O", "-g", "-parse-as-library", file.path, "-o", path(name)])
    }
  }

  func remove() { try? FileManager.default.removeItem(at: folder) }

  func path(_ name: String) -> String { folder.appending(path: name).path }

  /// Runs a program as it is, or recorded, on one processor or on all.
  func program(_ name: String, recording: String? = nil, memory: String = "64M", pinned: Bool = false) throws -> Output
  {
    var command = pinned ? ["taskset", "-c", "1"] : []
    if let recording {
      command += [
        tool, "run", "--quiet", "--memory", memory, "--recording", file(recording), "--json", document(recording), "--",
      ]
    }
    return try run(command + [path(name)])
  }

  func run(_ command: [String], environment: [String: String] = [:]) throws -> Output {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    let start = ContinuousClock.now
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    guard process.terminationStatus == 0 else {
      throw Failure(description: "\(command.joined(separator: " ")) exited with \(process.terminationStatus)")
    }
    return Output(text: String(decoding: data, as: UTF8.self), seconds: seconds)
  }

  /// Seconds from spawning a command to its end, spawned as cheaply as can be.
  func spawn(_ command: [String], environment: [String: String]) -> Double {
    var argv = command.map { strdup($0) } + [nil]
    var envp = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for pointer in argv + envp { free(pointer) } }
    var pid: pid_t = 0
    let start = ContinuousClock.now
    posix_spawn(&pid, command[0], nil, nil, &argv, &envp)
    var status: Int32 = 0
    waitpid(pid, &status, 0)
    return (ContinuousClock.now - start) / .seconds(1)
  }

  func file(_ recording: String) -> String { path(recording + ".recording") }
  private func document(_ recording: String) -> String { path(recording + ".json") }

  func summary(_ recording: String) throws -> [String: Any] {
    let data = try Data(contentsOf: URL(fileURLWithPath: document(recording)))
    return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
  }

  func size(_ recording: String) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: file(recording))[.size] as? Int ?? 0
  }
}
