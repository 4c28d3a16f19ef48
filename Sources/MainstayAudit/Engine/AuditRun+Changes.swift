/// The findings of what changed since a revision.
import MainstayFindings

extension AuditRun {
  func changed(_ findings: [Finding]) throws -> [Finding] {
    guard let revision = options.changedSince else { return findings }
    guard !revision.hasPrefix("-"), let git = CompilerProcess.find("git"),
      let output = try? CompilerProcess.run(
        git, ["-C", package.root, "diff", "--name-only", "--relative", revision, "--"], directory: package.root)
    else {
      throw AuditFailure(
        kind: .usage, message: "git cannot be asked what changed since '\(revision)'",
        advice: "install git, and name a revision of this repository")
    }
    if output.status != 0 {
      let reason = output.standardError.split(separator: "\n").first.map { ": \($0)" } ?? ""
      throw AuditFailure(
        kind: .usage, message: "git does not know what changed since '\(revision)'\(reason)",
        advice: "name a revision of this repository; a shallow copy has few: git fetch --unshallow")
    }
    var files = Set(output.standardOutput.split(separator: "\n").map(String.init))
    if let fresh = try? CompilerProcess.run(
      git, ["-C", package.root, "ls-files", "--others", "--exclude-standard"], directory: package.root)
    {
      files.formUnion(fresh.standardOutput.split(separator: "\n").map(String.init))
    }
    return findings.filter { finding in
      files.contains(finding.location.file) || finding.path.contains { files.contains($0.location.file) }
    }
  }
}
