import Foundation
import MainstayTrace

/// What `mainstay doctor PROGRAM` says of a program from its file alone: it is never run.
enum DoctorProgram {
  static func section(_ name: String, _ environment: [String: String]) -> DoctorSection {
    DoctorSection(title: name, findings: findings(name, environment))
  }

  private static func findings(_ name: String, _ environment: [String: String]) -> [DoctorSection.Finding] {
    let path: String
    do {
      path = try Program([name], environment: environment).path
    } catch {
      return [.fatal("file", "cannot be run: \(error)", do: "Name a program that can be executed.")]
    }
    guard let image = try? ELFImage(path: path) else { return [notAnImage(path)] }
    guard image.machine == 62 else {
      return [
        .fatal("machine", "it is not built for x86-64", do: "Build it for this machine: recording needs x86-64.")
      ]
    }
    var findings: [DoctorSection.Finding] = [.fine("machine", "x86-64")]
    if let obstacle = loading(path, image) { return findings + [obstacle] }
    findings.append(runtime(image))
    if findings.contains(where: { $0.weight == .fatal }) { return findings }
    if !image.symbols(withPrefix: "__tsan_init").isEmpty {
      findings.append(
        .fatal(
          "sanitizer", "it is built with ThreadSanitizer, which needs the same hooks",
          do: "Record a build without -sanitize=thread."))
    }
    findings.append(names(image))
    return findings
  }

  private static func notAnImage(_ path: String) -> DoctorSection.Finding {
    let start = FileHandle(forReadingAtPath: path).flatMap { try? $0.read(upToCount: 2) }
    if start == Data("#!".utf8) {
      return .nothing(
        "file", "a script: it is not recorded, the Swift programs that it starts are",
        do: "Look at those with 'mainstay doctor PROGRAM', and describe one with 'mainstay run --only NAME'.")
    }
    return .fatal("file", "no ELF program of 64 bits", do: "Name an executable that was built for Linux on x86-64.")
  }

  /// What keeps any library from being preloaded.
  private static func loading(_ path: String, _ image: ELFImage) -> DoctorSection.Finding? {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & (S_ISUID | S_ISGID) != 0 || hasCapabilities(path) {
      return .fatal(
        "loading", "it changes who it runs as (setuid, setgid or capabilities), so the loader preloads nothing",
        do: "Record a copy without these rights.")
    }
    guard image.sections.contains(where: { $0.name == ".interp" }) else {
      return .fatal(
        "loading", "it is linked statically as a whole, so no library can be loaded into it",
        do: "Build it without -static-executable.")
    }
    return nil
  }

  private static func hasCapabilities(_ path: String) -> Bool {
    typealias Attribute =
      @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer?, Int) -> Int
    // By name: the C library's module for Swift leaves it out.
    guard let symbol = dlsym(nil, "getxattr") else { return false }
    return unsafeBitCast(symbol, to: Attribute.self)(path, "security.capability", nil, 0) > 0
  }

  private static func runtime(_ image: ELFImage) -> DoctorSection.Finding {
    let libraries = image.neededLibraries
    if let library = libraries.first(where: { $0.hasPrefix("libswift_Concurrency.so") }) {
      return .fine("runtime", "loads \(library)")
    }
    let isSwift = image.sections.contains { $0.name.hasPrefix("swift5_") }
    if libraries.contains(where: { $0.hasPrefix("libswiftCore.so") }) {
      return .less(
        "runtime", "a Swift program that does not load the concurrency runtime itself",
        do: "It is recorded when one of its libraries does; 'mainstay run' says so.")
    }
    guard isSwift else {
      return .nothing(
        "runtime", "not a Swift program, as far as its file says: nothing is seen of it itself",
        do: "It is recorded when a library of it uses Swift concurrency; of the programs that it starts, name one with "
          + "'mainstay run --only NAME'.")
    }
    guard image.hasSymbolTable else {
      return .fatal(
        "runtime", "its Swift runtime is linked statically and stripped",
        do: "Build it without -static-stdlib, or keep its symbols.")
    }
    return .less(
      "runtime",
      "linked statically: jobs, their lengths and waits are seen; where tasks are made, blocks of the main queue, why a "
        + "task suspends and exact ends are not",
      do: "Build it without -static-stdlib to see them too.")
  }

  private static func names(_ image: ELFImage) -> DoctorSection.Finding {
    if image.hasLineTable { return .fine("names", "functions with file and line") }
    if image.hasSymbolTable {
      return .less("names", "functions without file and line", do: "Build it with -g (the debug configuration does).")
    }
    return .less(
      "names",
      "stripped: functions are shown as places in the file; lengths, waits and the names of actors are exact all the same",
      do: "Keep its symbols, and build it with -g, to see what and where.")
  }
}
