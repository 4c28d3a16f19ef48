import Foundation
import MainstayTrace

/// What `mainstay doctor` says of the Swift toolchain that is found here.
enum DoctorToolchain {
  static func section(_ environment: [String: String]) -> DoctorSection {
    DoctorSection(title: "Toolchain", findings: [swift(environment), symbolizer(environment)])
  }

  private static func swift(_ environment: [String: String]) -> DoctorSection.Finding {
    guard let path = find("swift", environment) else {
      return .less(
        "swift", "not on PATH: names are shown as the linker has them",
        do: "Put the bin folder of a Swift 6.3 toolchain on PATH.")
    }
    guard let version = firstLine(of: path, ["--version"]) else {
      return .less("swift", "\(path) does not say its version", do: "Try it: '\(path) --version' must print one.")
    }
    return .fine("swift", "\(version), \(path)")
  }

  private static func symbolizer(_ environment: [String: String]) -> DoctorSection.Finding {
    guard let tool = SymbolizerTool.find(environment: environment) else {
      return .less(
        "symboliser", "llvm-symbolizer is neither beside swift nor on PATH: functions have no file and line",
        do: "Name it in \(SymbolizerTool.environmentVariable), or put the toolchain's bin folder on PATH.")
    }
    guard firstLine(of: tool.path, ["--version"]) != nil else {
      return .less(
        "symboliser", "\(tool.path) could not be started: functions have no file and line",
        do: "Set \(SymbolizerTool.environmentVariable) to the toolchain's llvm-symbolizer, or unset it.")
    }
    return .fine("symboliser", tool.path)
  }

  private static func find(_ name: String, _ environment: [String: String]) -> String? {
    (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }

  private static func firstLine(of path: String, _ arguments: [String]) -> String? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return nil }
    return text.split(separator: "\n").first.map(String.init)
  }
}

/// What `mainstay doctor` says of the kernel and the processor.
enum DoctorKernel {
  static func section() -> DoctorSection {
    DoctorSection(title: "System", findings: [clock(), systemCalls(), memory()])
  }

  private static func clock() -> DoctorSection.Finding {
    let flags =
      (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?
      .split(separator: "\n").first { $0.hasPrefix("flags") }?.split(separator: " ") ?? []
    guard flags.contains("nonstop_tsc"), flags.contains("constant_tsc") else {
      // The recorder asks the processor itself: what the probe says counts.
      return .less(
        "clock", "the kernel does not say that the time stamp counter is constant",
        do: "When the probe below is not recorded for it, record on another machine, or tell the hypervisor to pass "
          + "the invariant TSC on.")
    }
    return .fine("clock", "constant time stamp counter")
  }

  private static func systemCalls() -> DoctorSection.Finding {
    guard let text = try? String(contentsOfFile: "/proc/thread-self/syscall", encoding: .utf8), !text.isEmpty else {
      return .less(
        "system calls", "/proc/self/task/…/syscall cannot be read: stalls that are blocked show no stack",
        do: "Use a kernel with CONFIG_HAVE_ARCH_TRACEHOOK, and let the container read /proc.")
    }
    return .fine("system calls", "visible: a blocked thread shows what it is blocked in")
  }

  private typealias ReadMemory =
    @convention(c) (pid_t, UnsafePointer<iovec>, UInt, UnsafePointer<iovec>, UInt, UInt) -> Int

  private static func memory() -> DoctorSection.Finding {
    // By name: the C library's module for Swift leaves it out.
    let readMemory = dlsym(nil, "process_vm_readv").map { unsafeBitCast($0, to: ReadMemory.self) }
    let source: [UInt64] = [0x6d61_696e_7374_6179]
    var copy: [UInt64] = [0]
    let read = source.withUnsafeBytes { from in
      copy.withUnsafeMutableBytes { to in
        var local = iovec(iov_base: to.baseAddress, iov_len: 8)
        var remote = iovec(iov_base: UnsafeMutableRawPointer(mutating: from.baseAddress), iov_len: 8)
        return readMemory?(getpid(), &local, 1, &remote, 1, 0) ?? -1
      }
    }
    guard read == 8, copy == source else {
      return .less(
        "stacks", "process_vm_readv is not permitted: stalls that are blocked show no stack",
        do: "Allow it in the container's seccomp profile.")
    }
    return .fine("stacks", "readable: process_vm_readv is permitted")
  }
}
