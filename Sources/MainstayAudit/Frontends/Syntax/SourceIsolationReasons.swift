/// Where isolation comes from, read from the source on demand: only files that hold a finding are parsed.
import Foundation
import MainstayFindings

final class SourceIsolationReasons: IsolationReasons {
  private let program: Program
  private var parsed: [String: SourceSyntax] = [:]

  init(_ program: Program) { self.program = program }

  /// How many files were parsed so far.
  var filesParsed: Int { parsed.count }

  private func syntax(_ file: String) -> SourceSyntax? {
    if let known = parsed[file] { return known }
    guard program.ownFiles.contains(file), let text = try? String(contentsOfFile: file, encoding: .utf8) else {
      return nil
    }
    let syntax = SourceSyntax(text: text)
    parsed[file] = syntax
    return syntax
  }

  func hasAttribute(_ name: String, on function: FunctionFacts) -> Bool {
    syntax(function.location.file)?.declarations(around: function.location).first?.attributes.contains(name) ?? false
  }

  func reason(for function: FunctionFacts, default isolation: String?) -> String? {
    guard let syntax = syntax(function.location.file) else {
      return isolation == nil ? nil : "default of module \(function.module)"
    }
    if case .selfActor = function.isolation { return "the actor's own" }
    guard case .globalActor(let actor) = function.isolation else { return nil }
    let around = syntax.declarations(around: function.location)
    for (depth, declaration) in around.enumerated() {
      if declaration.attributes.contains(actor) {
        if depth == 0 { return "attribute on its declaration" }
        switch declaration.kind {
        case .closure: return "attribute on the closure around it"
        case .function, .variable: return "inherited from \(declaration.name)"
        case .type, .protocol: return "attribute on \(declaration.name)"
        case .extension: return "attribute on its extension of \(declaration.name)"
        }
      }
      if declaration.modifiers.contains("nonisolated") { break }
      guard declaration.kind == .type || declaration.kind == .extension else { continue }
      for name in program.protocols(of: declaration.name).sorted() where isolates(name, actor) {
        return "protocol \(name)"
      }
      for name in declaration.inherited where isolates(name, actor) { return "protocol \(name)" }
      if let reason = reasonElsewhere(declaration.name, actor) { return reason }
    }
    return isolation == nil ? nil : "default of module \(function.module)"
  }

  /// Framework protocols that isolate what conforms to them to the main actor.
  private static let mainActorProtocols: Set<String> = [
    "View", "SwiftUI.View", "App", "SwiftUI.App", "Scene", "SwiftUI.Scene", "ViewModifier", "UIApplicationDelegate",
    "NSApplicationDelegate", "UIViewController", "NSViewController", "UIView", "NSView", "Commands", "ButtonStyle",
  ]

  private func isolates(_ name: String, _ actor: String) -> Bool {
    if actor == "MainActor", SourceIsolationReasons.mainActorProtocols.contains(name) { return true }
    return parsed.values.contains { syntax in
      syntax.declarations.contains { $0.kind == .protocol && $0.name == name && $0.attributes.contains(actor) }
    }
  }

  /// An extension takes the isolation of a type that may be declared in another file; only parsed files are asked.
  private func reasonElsewhere(_ type: String, _ actor: String) -> String? {
    for (_, syntax) in parsed.sorted(by: { $0.key < $1.key }) {
      for declaration in syntax.declarations where declaration.kind == .type && declaration.name == type {
        if declaration.attributes.contains(actor) { return "attribute on \(type)" }
        for name in declaration.inherited where SourceIsolationReasons.mainActorProtocols.contains(name) {
          return "protocol \(name)"
        }
      }
    }
    return nil
  }
}
