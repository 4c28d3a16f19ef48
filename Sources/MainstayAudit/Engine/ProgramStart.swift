/// What a program does once, from its top to its end or to its loop: nobody else waits for the main actor then.
import MainstayFindings

final class ProgramStart {
  private let program: Program
  private var known: [Int: Bool] = [:]
  /// Modules that are programs: others may call what is public in a library.
  private let programs: Set<String>
  /// Those of them without a task or an async function: there is no other job that could wait.
  private let sequential: Set<String>
  /// Those that look at their arguments: commands by their own making.
  private let asked: Set<String>
  /// Modules that draw on a screen of their own.
  private let shown: Set<String>

  init(_ program: Program) {
    self.program = program
    var programs: Set<String> = []
    for function in program.functions where function.location.file.hasSuffix("/main.swift") || function.isEntry {
      programs.insert(function.module)
    }
    for source in program.declarations.sources where source.types.contains(where: { $0.attributes.contains("main") }) {
      programs.insert(source.module)
    }
    self.programs = programs
    asked = programs.intersection(
      program.functions.lazy.filter { programs.contains($0.module) && ProgramStart.looksAtArguments($0) }.map(\.module))
    shown = Set(
      program.declarations.sources.lazy.filter { !ProgramStart.screens.isDisjoint(with: $0.imports) }.map(\.module))
    sequential = programs.subtracting(
      program.functions.lazy.filter { programs.contains($0.module) && ProgramStart.isConcurrent($0) }.map(\.module))
  }

  /// Whether the function's program has no task: whatever its top level waits for, nobody waits for that.
  func isSequential(_ index: Int) -> Bool { sequential.contains(program.functions[index].module) }

  private static let screens: Set<String> = [
    "SwiftUI", "UIKit", "AppKit", "Cocoa", "WatchKit", "SpriteKit", "SceneKit", "Gtk", "Adwaita", "Qt",
  ]

  /// Whether the function is a part of a command that has neither a task nor a screen: nobody waits for its main thread,
  /// whatever runs there, the blocks of its main queue included.
  func isPlainCommand(_ index: Int) -> Bool {
    let module = program.functions[index].module
    return sequential.contains(module) && asked.contains(module) && !shown.contains(module)
  }

  private static func looksAtArguments(_ function: FunctionFacts) -> Bool {
    function.events.contains { event in
      switch event.kind {
      case .call(let call): call.display.contains("CommandLine.arguments")
      case .read(let place): place.root == "CommandLine" || place.member.contains("CommandLine.arguments")
      default: false
      }
    }
  }

  private static func isConcurrent(_ function: FunctionFacts) -> Bool {
    function.isAsync
      || function.events.contains { event in
        if case .call(let call) = event.kind { Spawn(call) != nil } else { false }
      }
  }

  /// Whether a function runs for nobody but the top level of a program without tasks, or for a command without objects,
  /// and not in a loop that waits for what happens next.
  func isPart(_ index: Int) -> Bool { isPart(index, depth: 0) }

  private func isPart(_ index: Int, depth: Int) -> Bool {
    if let known = known[index] { return known }
    let function = program.functions[index]
    guard depth < 40, programs.contains(function.module),
      sequential.contains(function.module) || !isObjects(function)
    else { return false }
    // Whoever calls itself is not kept out by that.
    known[index] = true
    let result = isTop(function) || isCalledByParts(index, depth)
    known[index] = result
    return result
  }

  /// The top level, a command, and whatever starts the main thread's loop itself.
  private func isTop(_ function: FunctionFacts) -> Bool {
    if isCommand(function) || function.isEntry && asked.contains(function.module) { return true }
    guard sequential.contains(function.module) else { return false }
    return function.isEntry
      || !function.isClosure
        && function.events.contains { event in
          guard case .call(let call) = event.kind else { return false }
          return CalleePattern.normalised(call.display) == "RunLoop.run()" && isMainLoop(call, in: function)
        }
  }

  /// Whether a function works on an object, which others may hold, too.
  private func isObjects(_ function: FunctionFacts) -> Bool {
    guard !function.isClosure, !function.display.hasPrefix("static "),
      let name = Program.enclosingType(function.display),
      let kind = program.declarations.type(name, in: function.module)?.primary?.kind
    else { return false }
    return kind == .class || kind == .actor
  }

  private func isMainLoop(_ call: Call, in function: FunctionFacts) -> Bool {
    if call.receiverRoot?.hasSuffix("RunLoop.main") == true { return true }
    guard let receiver = call.receiver, call.arguments.indices.contains(receiver) else { return false }
    return call.arguments[receiver].origins.members.contains { member in
      member >= 0 && function.call(at: Int(member))?.display.hasSuffix("RunLoop.main.getter") == true
    }
  }

  private static let commands: Set<String> = ["ParsableCommand", "AsyncParsableCommand"]

  private func isCommand(_ function: FunctionFacts) -> Bool {
    guard function.display.hasSuffix(".run()"), let type = Program.enclosingType(function.display) else { return false }
    return !program.protocols(of: type, in: function.module).isDisjoint(with: ProgramStart.commands)
      || program.declarations.type(type, in: function.module)?.inherited.contains {
        ProgramStart.commands.contains($0.name)
      } == true
  }

  private func isCalledByParts(_ index: Int, _ depth: Int) -> Bool {
    let function = program.functions[index]
    let creators = program.creators[index] ?? []
    if function.isClosure {
      return !creators.isEmpty
        && creators.allSatisfy { creator in
          guard let call = program.functions[creator.function].call(at: creator.event), Spawn(call) == nil,
            call.arguments.flatMap(\.closure).allSatisfy({ $0.function != function.name || !$0.escapes })
          else { return false }
          return isPart(creator.function, depth: depth + 1)
        }
    }
    guard creators.isEmpty else { return false }
    let callers = (program.callers[index] ?? []).filter { $0.function != index }
    if callers.isEmpty {
      // The top level's own calls are no function's where no compiler says so.
      return function.source == .syntax
        && (sequential.contains(function.module) || function.parameters.contains { $0.name == "arguments" })
        && Program.enclosingType(function.display) == nil
        && function.location.file.hasSuffix("/main.swift")
    }
    return callers.allSatisfy { isPart($0.function, depth: depth + 1) && !waitsForMore($0.function, at: $0.event) }
  }

  /// Whether a call is made in each turn of a loop that waits for the next thing to happen.
  private func waitsForMore(_ index: Int, at event: Int) -> Bool {
    let function = program.functions[index]
    guard function.isAsync else { return false }
    let flow = ControlFlow(function)
    let block = flow.block(of: event)
    guard flow.loopBlocks.contains(block) else { return false }
    let loop = flow.loop(around: block)
    if EndlessLoop(in: function, program)?.blocks.contains(block) == true { return true }
    return loop.contains { inner in
      function.blocks[inner].events.contains { number in
        guard let call = function.call(at: number), call.suspends else { return false }
        let name = CalleePattern.normalised(call.display).prefix { $0 != "(" }
        return name == "next" || name.hasSuffix(".next")
      }
    }
  }
}
