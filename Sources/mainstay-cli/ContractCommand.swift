/// `mainstay contract`: what boundaries rely on, pinned to the declarations on the other side.
import Foundation
import MainstayAudit
import MainstayFindings

struct ContractCommand: Command {
  static let name = "contract"
  static let summary = "pin, check or list what boundaries rely on"
  static let help = """
    USAGE: mainstay contract list|check|pin [PATH] [FILE#SYMBOL…]

    A contract is a comment: // mainstay:contract <file>#<symbol> <digest>
    The file is Swift, Kotlin or C, named from the package's directory or from the
    file that holds the comment; the symbol is spelled Type.member or
    Type.member(labels:). The digest changes with the declaration, not with its
    comments, spaces or lines.

      list     every contract, and how it stands
      check    only those that do not hold
      pin      write the digest of contracts that have none; of those named on the
               command line in any case

    Exit status: 0, 2 a contract changed or is not pinned (check), 3 bad usage, 4 a
    contract names what is not there, or a source cannot be read.
    """

  private enum Verb: String { case list, check, pin }
  private let verb: Verb
  private let path: String
  private let named: [String]

  init(arguments: [String]) throws {
    guard let first = arguments.first, let verb = Verb(rawValue: first) else {
      throw UsageError("say list, check or pin")
    }
    self.verb = verb
    var rest = Arguments(Array(arguments.dropFirst()))
    var paths: [String] = []
    var named: [String] = []
    while let word = try rest.next() {
      switch word {
      case .option(let option): throw Arguments.unknown(option)
      case .operand(let name) where name.contains("#"): named.append(name)
      case .operand(let path): paths.append(path)
      }
    }
    guard paths.count <= 1 else { throw UsageError("one path at a time, not \(paths.count)") }
    path = paths.first ?? "."
    self.named = named
  }

  func run() throws -> ExitStatus {
    try AuditCommand.answering {
      var contracts = try Contracts.list(in: path)
      for name in named where !contracts.contains(where: { $0.target.text == name }) {
        AuditCommand.report("there is no contract with '\(name)' in \(path); 'mainstay contract list' shows them")
        return .usage
      }
      if !named.isEmpty { contracts = contracts.filter { named.contains($0.target.text) } }
      if verb == .pin {
        let due = contracts.filter { $0.current != nil && (!named.isEmpty || $0.standing == .unpinned) }
        for contract in try Contracts.pin(due) {
          Console.output("\(place(contract)): pinned to \(contract.target.text) \(contract.current ?? "")")
        }
        contracts = try Contracts.list(in: path).filter { named.isEmpty || named.contains($0.target.text) }
      }
      var status = ExitStatus.success
      for contract in contracts {
        if verb == .list || contract.standing != .holds { Console.output("\(place(contract)): \(standing(contract))") }
        switch contract.standing {
        case .broken: status = .notObserved
        case .changed, .unpinned: if status == .success, verb == .check { status = .findings }
        case .holds: break
        }
      }
      for sentence in Contracts.unread(in: path) {
        AuditCommand.report(sentence)
        status = .notObserved
      }
      if contracts.isEmpty, status == .success { AuditCommand.report("there are no contracts in \(path)") }
      return status
    }
  }

  /// From the working directory where the package lies below it, from the package otherwise: as findings are.
  private func place(_ contract: Contract) -> String {
    let root = Contracts.root(of: path) + "/"
    let file = contract.location.file
    let inner = file.hasPrefix(root) ? AuditResult.folder(ofPackage: path) + file.dropFirst(root.count) : file
    return "\(inner):\(contract.location.line)"
  }

  private func standing(_ contract: Contract) -> String {
    let name = contract.target.text
    switch contract.standing {
    case .holds: return "\(name) is as it was pinned"
    case .unpinned: return "\(name) is not pinned; pin it with: mainstay contract pin \(path)"
    case .changed:
      return "\(name) changed since it was pinned; read it again, then: mainstay contract pin \(path) '\(name)'"
    case .broken(let reason): return reason
    }
  }
}
