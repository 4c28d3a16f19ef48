/// Where declarations run, as far as attributes, inheritance, the types around them and the module's default say.
import MainstayFindings

extension SyntaxModuleIndex {
  static let mainActorNames: Set<String> = [
    "View", "App", "Scene", "ViewModifier", "Commands", "ButtonStyle", "PrimitiveButtonStyle", "ToggleStyle",
    "LabelStyle", "PreviewProvider", "Widget", "UIViewRepresentable", "UIViewControllerRepresentable",
    "NSViewRepresentable", "NSViewControllerRepresentable", "UIApplicationDelegate", "UIWindowSceneDelegate",
    "UISceneDelegate", "NSApplicationDelegate", "NSWindowDelegate", "UIViewController", "UINavigationController",
    "UITabBarController", "UITableViewController", "UICollectionViewController", "UIHostingController", "UIView",
    "UIControl", "UIButton", "UILabel", "UITableViewCell", "UICollectionViewCell", "UIWindow", "UIResponder",
    "NSViewController", "NSView", "NSWindow", "NSWindowController", "NSResponder", "NSControl", "UITableViewDelegate",
    "UITableViewDataSource", "UICollectionViewDelegate", "UICollectionViewDataSource", "UITextFieldDelegate",
    "UIScrollViewDelegate", "UIGestureRecognizer", "UIInputView", "UIInputViewController",
  ]

  func isolation(of name: String, depth: Int) -> Isolation? {
    guard let type = type(name), depth < 16 else { return nil }
    // Found out where it is declared.
    if types[name] == nil || type.isForeign, let known = type.isolation { return known }
    if type.kind == .actor { return .selfActor }
    if type.kind == .protocol, type.inherited.contains(where: { ["Actor", "DistributedActor"].contains($0) }) {
      return .selfActor
    }
    if let stated = stated(type.attributes, type.modifiers, isAsync: false) { return stated }
    guard type.isDeclared else { return nil }
    for base in type.inherited {
      if SyntaxModuleIndex.mainActorNames.contains(SyntaxModuleIndex.lastName(base)),
        self.type(base)?.isDeclared != true
      {
        return .mainActor
      }
      guard self.type(base)?.isDeclared == true else { continue }
      switch isolation(of: base, depth: depth + 1) {
      case .globalActor(let actor)? where !isDefault(base, actor): return .globalActor(actor)
      case .selfActor? where type.kind == .protocol: return .selfActor
      default: break
      }
    }
    guard fallback.isActor, types[name] != nil, !type.isForeign,
      type.kind != .protocol || !type.inherited.contains("Sendable")
    else {
      return nil
    }
    // What must be usable anywhere is left alone by the default.
    if type.inherited.contains(where: { leavesAlone($0, depth: 0) }) { return .nonisolated }
    return fallback
  }

  /// An inherited type whose isolation is only the default of its module passes nothing on to a protocol's conformer.
  private func isDefault(_ name: String, _ actor: String) -> Bool {
    guard let type = type(name), type.kind == .protocol else { return false }
    return stated(type.attributes, type.modifiers, isAsync: false) == nil
      && !type.inherited.contains { SyntaxModuleIndex.mainActorNames.contains(SyntaxModuleIndex.lastName($0)) }
      && !type.inherited.contains { self.type($0)?.attributes.contains(actor) == true }
  }

  private func leavesAlone(_ name: String, depth: Int) -> Bool {
    if ["CodingKey", "SendableMetatype"].contains(name) { return true }
    guard depth < 8, let type = type(name), type.kind == .protocol else { return false }
    return type.inherited.contains { $0 == "Sendable" || leavesAlone($0, depth: depth + 1) }
  }

  /// The isolation that attributes and modifiers state, or nil when they say nothing.
  func stated(_ attributes: [String], _ modifiers: [String], isAsync: Bool) -> Isolation? {
    if attributes.contains("concurrent") { return .nonisolated }
    if modifiers.contains("nonisolated(nonsending)") { return isAsync ? .caller : .nonisolated }
    if modifiers.contains(where: { $0.hasPrefix("nonisolated") }) { return isAsync ? asyncFallback : .nonisolated }
    for name in attributes {
      let last = SyntaxModuleIndex.lastName(name)
      if globalActors.contains(last) { return .globalActor(last) }
      // Declared in a package that is not read here.
      if last.hasSuffix("Actor"), last.count > 5, type(last) == nil { return .globalActor(last) }
    }
    return nil
  }

  /// Where a member, or a declaration at the top of a file, runs.
  ///
  /// - Parameters:
  ///   - container: the declaration that holds it: a type or one of its extensions.
  func isolation(of member: MemberDeclaration, in container: TypeDeclaration?) -> Isolation {
    if let parameter = member.isolatedParameter { return isolation(to: parameter, member) }
    if member.kind == .deinitializer {
      return member.modifiers.contains("isolated")
        ? container.flatMap { type($0.name)?.isolation } ?? .nonisolated : .nonisolated
    }
    if let stated = stated(member.attributes, member.modifiers, isAsync: member.isAsync) { return stated }
    if isEntryPoint(member, of: container) { return .mainActor }
    let plain: Isolation = member.isAsync ? asyncFallback : .nonisolated
    guard let container else { return fallback.isActor ? fallback : plain }
    if let inherited = requirement(member, of: container) { return inherited }
    if container.kind == .extension,
      let stated = stated(container.attributes, container.modifiers, isAsync: member.isAsync)
    {
      return stated
    }
    switch type(container.name)?.isolation {
    case .selfActor?:
      // An actor's synchronous initialiser and its static members run on whoever calls them.
      if member.isStatic { return plain }
      return member.kind == .initializer && !member.isAsync ? .nonisolated : .selfActor
    case .nonisolated?: return plain
    case let isolation?: return isolation
    case nil: break
    }
    let holder = type(container.name)
    if holder?.isDeclared != true || holder?.isForeign == true, fallback.isActor, container.kind == .extension {
      return fallback
    }
    if container.name == "Actor" { return .selfActor }
    return fallback.isActor && type(container.name)?.isolation == nil && types[container.name] == nil ? fallback : plain
  }

  /// `main()` of the type that is marked `@main`: what the program begins with.
  private func isEntryPoint(_ member: MemberDeclaration, of container: TypeDeclaration?) -> Bool {
    guard member.isStatic, member.name == "main", member.labels == "()", let container else { return false }
    return type(container.name)?.attributes.contains("main") == true
  }

  /// `isolated MainActor` is the main actor, any other type an actor that is passed.
  private func isolation(to parameter: String, _ member: MemberDeclaration) -> Isolation {
    if parameter == "?" { return .caller }
    for one in member.parameters where one.type.hasPrefix("isolated ") {
      let type = SyntaxModuleIndex.bare(one.type)
      if globalActors.contains(type) { return .globalActor(type) }
    }
    return .parameter(parameter)
  }

  /// The isolation that a protocol's requirement or an overridden method states, when this declaration conforms.
  private func requirement(_ member: MemberDeclaration, of container: TypeDeclaration) -> Isolation? {
    let key = member.name + member.labels
    for base in container.inherited {
      guard let type = type(base.name) else { continue }
      if let stated = type.stated[key], type.kind == .protocol || member.modifiers.contains("override") {
        return stated
      }
    }
    return nil
  }
}
