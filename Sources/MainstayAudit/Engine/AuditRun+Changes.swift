/// The findings of what changed since a revision.
import MainstayFindings

extension AuditRun {
  /// Findings that touch one of these files, all when there are none to choose by.
  func changed(_ findings: [Finding], in files: Set<String>?) -> [Finding] {
    guard let files else { return findings }
    return findings.filter { finding in
      files.contains(finding.location.file) || finding.path.contains { files.contains($0.location.file) }
    }
  }

  /// The package's files that changed since the revision that was asked for, committed or not; nil when none was.
  ///
  /// - Throws: `AuditFailure` that says what keeps git from knowing.
  func changedFiles() throws -> Set<String>? {
    guard let revision = options.changedSince else { return nil }
    guard CompilerProcess.find("git") != nil else {
      throw AuditFailure(
        kind: .usage, message: "--changed-since asks git, and there is none in PATH",
        advice: "install git, or leave --changed-since out")
    }
    guard answer(["rev-parse", "--is-inside-work-tree"]) != nil else {
      throw AuditFailure(
        kind: .usage, message: "'\(options.path)' is in no git repository, so nothing is known of what changed",
        advice: "leave --changed-since out")
    }
    guard !revision.isEmpty, !revision.hasPrefix("-"),
      answer(["rev-parse", "--verify", "--quiet", "\(revision)^{commit}"]) != nil
    else { throw unknown(revision) }
    // Names end with a zero byte: between line feeds git would put those that are no ASCII into quotes.
    guard let differing = answer(["diff", "--name-only", "--relative", "-z", revision, "--"]),
      let new = answer(["ls-files", "--others", "--exclude-standard", "-z"])
    else {
      throw AuditFailure(
        kind: .usage, message: "git cannot say what changed since '\(revision)'",
        advice: "see what it says: git diff --name-only \(revision)")
    }
    return Set((differing + new).split(separator: "\0").map(String.init))
  }

  private func unknown(_ revision: String) -> AuditFailure {
    let message = "there is no revision '\(revision)' in this repository"
    let isShallow = answer(["rev-parse", "--is-shallow-repository"])?.hasPrefix("true") == true
    return AuditFailure(
      kind: .usage, message: isShallow ? message + ": it is a shallow copy, which has only the newest" : message,
      advice: isShallow
        ? "fetch the others: git fetch --unshallow (where a checkout action made the copy, its depth is an option)"
        : "name a commit, a branch or a tag; those of a remote must be fetched first")
  }

  /// What git says of the package's folder; nil when it fails.
  private func answer(_ arguments: [String]) -> String? {
    let output = try? CompilerProcess.run("git", ["-C", package.root] + arguments, directory: package.root)
    return output.flatMap { $0.status == 0 ? $0.standardOutput : nil }
  }
}
