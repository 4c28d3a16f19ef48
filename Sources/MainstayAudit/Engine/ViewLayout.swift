/// Which functions run whenever a view is laid out: its body, its initialiser, and the closures that build its content.
import MainstayFindings

final class ViewLayout {
  private let program: Program
  private let protocols: Set<String>
  private var known: [Int: Bool] = [:]

  init(_ program: Program) {
    self.program = program
    var names: Set<String> = [
      "View", "SwiftUI.View", "ViewModifier", "SwiftUI.ViewModifier", "ButtonStyle", "LabelStyle",
    ]
    for name in program.configuration.views {
      names.insert(name)
      if let last = name.split(separator: ".").last { names.insert(String(last)) }
    }
    protocols = names
  }

  func isView(_ type: String, in module: String) -> Bool {
    if !program.protocols(of: type, in: module).isDisjoint(with: protocols) { return true }
    return program.declarations.type(type, in: module)?.inherited.contains { protocols.contains($0.name) } ?? false
  }

  /// Whether a function runs at every update of a view.
  func isLayout(_ index: Int) -> Bool { isLayout(index, depth: 0) }

  private func isLayout(_ index: Int, depth: Int) -> Bool {
    if let known = known[index] { return known }
    guard depth < 12 else { return false }
    known[index] = false
    let function = program.functions[index]
    var result = false
    if !function.isAsync, !function.flags.contains(.isThunk) {
      if function.isClosure {
        result = (program.creators[index] ?? []).contains { creator in
          guard let call = program.functions[creator.function].call(at: creator.event), buildsContent(call),
            !isAction(function, of: call)
          else { return false }
          return isLayout(creator.function, depth: depth + 1)
        }
      } else if let type = Program.enclosingType(function.display), isView(type, in: function.module) {
        let display = function.display
        result =
          display.hasSuffix(".body.getter") || display.hasSuffix(".body(content:)")
          || display.hasSuffix(".makeBody(configuration:)")
          || function.flags.contains(.isInitializer) && !display.contains(".init(from:")
      }
    }
    known[index] = result
    return result
  }

  private static let containers: Set<String> = [
    "List", "ForEach", "VStack", "HStack", "ZStack", "LazyVStack", "LazyHStack", "LazyVGrid", "LazyHGrid", "Group",
    "Section", "Form", "ScrollView", "NavigationView", "NavigationStack", "NavigationSplitView", "NavigationLink",
    "GeometryReader", "TabView", "Grid", "GridRow", "Table", "TableColumn", "DisclosureGroup", "OutlineGroup",
    "ScrollViewReader", "TimelineView", "ViewThatFits", "GroupBox", "ControlGroup", "Menu", "AnyView", "Label",
    "overlay", "background", "safeAreaInset", "toolbar", "sheet", "popover", "fullScreenCover", "contextMenu", "mask",
  ]

  /// `Button { act() } label: { … }`, `sheet(onDismiss: { … }, content: { … })`: some closures of a call that makes a view
  /// are what an act of a person runs.
  private func isAction(_ closure: FunctionFacts, of call: Call) -> Bool {
    let name = CalleePattern.normalised(call.display)
    let base = name.prefix { $0 != "(" }
    let closures = call.arguments.flatMap(\.closure).map(\.function)
    if base.split(separator: ".").contains("Button") { return closures.first == closure.name }
    let labels = name.dropFirst(base.count + 1).split(separator: ":").filter { ViewLayout.takesClosure($0) }
    guard let position = closures.firstIndex(of: closure.name) else { return false }
    // `Menu { … } label: { … } primaryAction: { … }`: the first one behind the parentheses has no label.
    let labelled = position - (closures.count - labels.count)
    return labels.indices.contains(labelled) && !ViewLayout.contents.contains(String(labels[labelled]))
  }

  private static let contents: Set<String> = ["content", "rowContent", "label", "header", "footer"]

  private static func takesClosure(_ label: Substring) -> Bool {
    contents.contains(String(label)) || ["action", "perform", "primaryAction"].contains(label)
      || label.hasPrefix("on") && label.dropFirst(2).first?.isUppercase == true
  }

  /// A call whose closure makes a part of the view, now or before the next frame.
  private func buildsContent(_ call: Call) -> Bool {
    let name = CalleePattern.normalised(call.display)
    let base = name.prefix { $0 != "(" }
    // `Group.init`, `View.overlay`; not `Group.onAppear`.
    let words = base.split(separator: ".")
    if let maker = words.last == "init" ? words.dropLast().last : words.last,
      ViewLayout.containers.contains(String(maker))
    {
      return true
    }
    guard !name.contains("action:"), !name.contains("perform:") else { return false }
    return ["content:", "rowContent:", "label:", "header:", "footer:", "@ViewBuilder"].contains { name.contains($0) }
  }
}
