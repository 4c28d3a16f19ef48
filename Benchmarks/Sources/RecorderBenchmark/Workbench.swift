import Foundation

/// The compiled programs, the tool and its recorder, and ways to run them.
struct Workbench {
  let tool: String
  let recorder: String
  private let folder: URL
  private let programs: URL

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
    self.programs = programs
    let beside = URL(fileURLWithPath: tool).deletingLastPathComponent()
    recorder = beside.appending(path: "Mainstay_mainstay-cli.resources/libmainstay-recorder.so").path
    guard FileManager.default.isReadableFile(atPath: recorder) else {
      throw Failure(description: "no recorder at \(recorder): build it with 'swift build -c release'")
    }
    folder = FileManager.default.temporaryDirectory.appending(path: "mainstay-bench-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Compiles a program of `Programs/` when it is not there yet, and returns where it is.
  func build(_ name: String, _ options: [String] = ["-O", "-g"]) throws -> String {
    let output = path(([name] + options.filter { $0 != "-O" && $0 != "-g" }).joined())
    if !FileManager.default.fileExists(atPath: output) {
      _ = try run(["swiftc", "-swift-version", "6", "-parse-as-library", source(name), "-o", output] + options)
    }
    return output
  }

  func source(_ name: String) -> String { programs.appending(path: name + ".swift").path }

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
    return try run(command + [try build(name)])
  }

  /// Runs a command recorded, with its document under a name.
  func recorded(_ command: [String], as name: String, options: [String] = []) throws -> Output {
    try run([tool, "run", "--quiet", "--json", document(name)] + options + ["--"] + command)
  }

  /// Runs several at the same time.
  func recordedTogether(_ commands: [(name: String, command: [String])], options: [String]) throws -> [Output] {
    let running = try commands.map { name, command in
      try start([tool, "run", "--quiet", "--json", document(name)] + options + ["--"] + command)
    }
    return try running.map { try finish($0) }
  }

  private struct Running {
    let command: [String]
    let process: Process
    let output: Pipe
    let began: ContinuousClock.Instant
  }

  private func start(_ command: [String], environment: [String: String] = [:]) throws -> Running {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    let began = ContinuousClock.now
    try process.run()
    return Running(command: command, process: process, output: pipe, began: began)
  }

  private func finish(_ running: Running) throws -> Output {
    let data = running.output.fileHandleForReading.readDataToEndOfFile()
    running.process.waitUntilExit()
    let seconds = (ContinuousClock.now - running.began) / .seconds(1)
    guard running.process.terminationStatus == 0 else {
      throw Failure(
        description: "\(running.command.joined(separator: " ")) exited with \(running.process.terminationStatus)")
    }
    return Output(text: String(decoding: data, as: UTF8.self), seconds: seconds)
  }

  func run(_ command: [String], environment: [String: String] = [:]) throws -> Output {
    try finish(try start(command, environment: environment))
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
