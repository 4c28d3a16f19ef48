import Foundation
import MainstayTrace

/// What `mainstay doctor` says of recording itself, after it has really recorded something: `DoctorProbe`.
enum DoctorRecording {
  static func sections(_ environment: [String: String]) -> [DoctorSection] {
    var recorder = DoctorSection(title: "Recorder", findings: [])
    let preload: Preload
    do {
      preload = try Preload(environment: environment)
    } catch {
      let lines = error.description.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      recorder.findings.append(
        .fatal("library", lines.dropLast().joined(separator: " "), do: lines.last ?? "Build it again."))
      return [recorder]
    }
    recorder.findings.append(.fine("library", preload.path))
    do {
      let events = try probe(preload, environment)
      let runtime = events.runtimeLibrary ?? "linked into the executable"
      recorder.findings.append(.fine("runtime", "\(runtime), layout \(events.layout) recognised"))
      return [recorder, section(events)]
    } catch {
      recorder.findings.append(
        .fatal("probe", "a short program of our own could not be recorded: \(error.what)", do: error.action))
      return [recorder]
    }
  }

  private struct Failure: Error {
    let what: String
    let action: String
  }

  private static func probe(
    _ preload: Preload, _ environment: [String: String]
  ) throws(Failure) -> RecordedEvents {
    do {
      let options = try RunOptions(arguments: ["--", DoctorProbe.name])
      let workspace = try RunWorkspace(options)
      defer { workspace.remove() }
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      process.arguments = [DoctorProbe.name]
      process.environment = try preload.environment(environment, in: workspace, options: options)
      process.standardOutput = FileHandle.nullDevice
      process.standardInput = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      let member = ProcessTree(list: workspace.processes).members.first { $0.pid == Int(process.processIdentifier) }
      guard let member else {
        throw Failure(
          what: "the recorder was not loaded into it",
          action: "Try 'LD_PRELOAD=\(preload.path) /bin/true': the loader says why. A file system mounted noexec, or "
            + "rules of SELinux or AppArmor, keep libraries out.")
      }
      guard let recording = member.recording else {
        throw Failure(
          what: "it \(member.reason ?? "left no recording")",
          action: "Build and record with the Swift 6.3 toolchain, on x86-64 hardware with a constant clock, and set "
            + "TMPDIR to a folder with room.")
      }
      guard process.terminationReason == .exit, process.terminationStatus == 0 else {
        throw Failure(
          what:
            "it ended with status \(process.terminationStatus)\(process.terminationReason == .exit ? "" : " (signal)")",
          action: "Please report this together with the whole output of 'mainstay doctor'.")
      }
      return RecordedEvents(try Recording(path: recording))
    } catch let failure as Failure {
      throw failure
    } catch let problem as Preload.Unnameable {
      throw Failure(what: "\(problem)", action: "Set TMPDIR to a folder without spaces and colons in its path.")
    } catch {
      throw Failure(what: "\(error)", action: "Free or name a folder for temporary files in TMPDIR, and try again.")
    }
  }

  private static func section(_ events: RecordedEvents) -> DoctorSection {
    DoctorSection(
      title: "Events",
      findings: RecordedEvents.Kind.allCases.map { kind in
        if events.seen.contains(kind) { return .fine(kind.rawValue, "seen") }
        if events.impossible.contains(kind) {
          let missing = events.missing.isEmpty ? "what shows it" : events.missing
          return .less(
            kind.rawValue, "not seen, because the runtime lacks \(missing)",
            do: "Record with the runtime of an unmodified Swift 6.3 toolchain, linked dynamically.")
        }
        switch kind {
        case .running:
          return .less(
            kind.rawValue, "not seen, because no signal (SIGPROF) reached the thread in time",
            do: "Try again on a machine with a free processor; do not start mainstay with SIGPROF blocked or ignored.")
        case .blocked:
          return .less(
            kind.rawValue, "not seen, because the thread's system call or stack could not be read",
            do: "See System above; on a busy machine, try again.")
        default:
          return .less(
            kind.rawValue, "not seen, although the runtime has what shows it",
            do: "Treat its figures as unknown, and report this with the output of 'swift --version'.")
        }
      })
  }
}
