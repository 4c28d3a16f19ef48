/// Where isolation comes from, as the source says it: from the outlines that reading gave, or from files parsed on demand.
import Foundation
import MainstayFindings

final class SourceIsolationReasons: IsolationReasons {
  private let program: Program
  private let outlines: SourceOutlines

  init(_ program: Program, outlines: SourceOutlines) {
    self.program = program
    self.outlines = outlines
  }

  private func outline(_ file: String) -> SourceOutline? {
    program.ownFiles.contains(file) ? outlines.outline(of: file) : nil
  }

  func hasAttribute(_ name: String, on function: FunctionFacts) -> Bool {
    outline(function.location.file)?.declarations(around: function.location).first?.attributes.contains(name) ?? false
  }

  func reason(for function: FunctionFacts, default isolation: String?) -> String? {
    guard let outline = outline(function.location.file) else {
      return isolation == nil ? nil : "default of module \(function.module)"
    }
    if case .selfActor = function.isolation { return "the actor's own" }
    guard case .globalActor(let actor) = function.isolation else { return nil }
    let around = outline.declarations(around: function.location)
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
      let types = around[depth...].filter { $0.kind == .type || $0.kind == .extension }.map(\.name)
      if let reason = reason(of: declaration, named: types.reversed().joined(separator: "."), actor, function.module) {
        return reason
      }
    }
    return isolation == nil ? nil : "default of module \(function.module)"
  }

  /// What a type's conformances say, and its declaration, wherever that is.
  private func reason(
    of declaration: OutlinedDeclaration, named name: String, _ actor: String, _ module: String
  ) -> String? {
    for one in program.protocols(of: name, in: module).sorted() where isolates(one, actor, module) {
      return "protocol \(one)"
    }
    for one in declaration.inherited where isolates(one, actor, module) { return "protocol \(one)" }
    guard let type = program.declarations.type(name, in: module)?.primary else { return nil }
    if type.attributes.contains(actor) { return "attribute on \(declaration.name)" }
    for one in type.inherited {
      if isolates(one.name, actor, module) { return "protocol \(one.name)" }
      let base = program.declarations.type(one.name, in: module)?.primary
      if base?.kind == .class, base?.attributes.contains(actor) == true { return "inherited from \(one.name)" }
    }
    return nil
  }

  /// Framework protocols that isolate what conforms to them to the main actor.
  private static let mainActorProtocols: Set<String> = [
    "View", "SwiftUI.View", "App", "SwiftUI.App", "Scene", "SwiftUI.Scene", "ViewModifier", "UIApplicationDelegate",
    "NSApplicationDelegate", "UIViewController", "NSViewController", "UIView", "NSView", "Commands", "ButtonStyle",
  ]

  private func isolates(_ name: String, _ actor: String, _ module: String) -> Bool {
    if actor == "MainActor", SourceIsolationReasons.mainActorProtocols.contains(name) { return true }
    guard let type = program.declarations.type(name, in: module)?.primary else { return false }
    return type.kind == .protocol && type.attributes.contains(actor)
  }
}
