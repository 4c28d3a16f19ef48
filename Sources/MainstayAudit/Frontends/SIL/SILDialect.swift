/// What we know of the SIL text of one toolchain family: instructions, spellings, and the versions they hold for.
///
/// SIL has no stability promise. Everything that depends on its spelling is here or in the reader beside it; another
/// toolchain family gets its own dialect once the golden tests hold for it.
enum SILDialect {
  /// Toolchain versions whose SIL this reader was checked against.
  static let supportedVersions = ["6.3", "6.2"]

  static func supports(version: String) -> Bool {
    supportedVersions.contains { version == $0 || version.hasPrefix($0 + ".") }
  }

  /// Instructions that carry meaning for the facts. The raw value is the spelling.
  enum Operation: String, CaseIterable {
    case apply, tryApply = "try_apply", beginApply = "begin_apply", endApply = "end_apply"
    case abortApply = "abort_apply", builtin
    case functionReference = "function_ref", dynamicFunctionReference = "dynamic_function_ref"
    case previousFunctionReference = "prev_dynamic_function_ref"
    case classMethod = "class_method", superMethod = "super_method"
    case objcMethod = "objc_method", objcSuperMethod = "objc_super_method"
    case witnessMethod = "witness_method"
    case keyPath = "keypath"
    case partialApply = "partial_apply", thinToThick = "thin_to_thick_function"
    case convertFunction = "convert_function", convertEscape = "convert_escape_to_noescape"
    case debugValue = "debug_value"
    case allocStack = "alloc_stack", allocBox = "alloc_box", projectBox = "project_box"
    case store, assign, copyAddress = "copy_addr", load, loadBorrow = "load_borrow"
    case storeBorrow = "store_borrow"
    case beginAccess = "begin_access", endAccess = "end_access"
    case refElementAddress = "ref_element_addr", refTailAddress = "ref_tail_addr"
    case structElementAddress = "struct_element_addr", tupleElementAddress = "tuple_element_addr"
    case structExtract = "struct_extract", globalAddress = "global_addr"
    case initBlockStorage = "init_block_storage_header", projectBlockStorage = "project_block_storage"
    case hop = "hop_to_executor"
    case integerLiteral = "integer_literal", floatLiteral = "float_literal", stringLiteral = "string_literal"
    case initExistentialAddress = "init_existential_addr"
    case enumeration = "enum", injectEnumAddress = "inject_enum_addr", structure = "struct"
    case branch = "br", conditionalBranch = "cond_br", switchEnum = "switch_enum"
    case switchEnumAddress = "switch_enum_addr", switchValue = "switch_value"
    case checkedCastBranch = "checked_cast_br", checkedCastAddressBranch = "checked_cast_addr_br"
    case dynamicMethodBranch = "dynamic_method_br", awaitContinuation = "await_async_continuation"
    case yield, loadWeak = "load_weak"
    /// Anything whose results depend on its operands and that does nothing else of interest.
    case other
    /// An instruction that this dialect does not list.
    case unknown
  }

  /// Instructions that pass values through, or that only manage memory and ownership.
  static let plain: Set<String> = [
    "address_to_pointer", "alloc_global", "alloc_pack", "alloc_pack_metadata", "alloc_ref", "alloc_ref_dynamic",
    "alloc_existential_box", "alloc_vector", "autorelease_value", "base_addr_for_offset", "begin_borrow",
    "begin_cow_mutation", "begin_dealloc_ref", "begin_unpaired_access", "bind_memory", "bridge_object_to_ref",
    "bridge_object_to_word", "checked_cast_value_br", "class_to_objc", "classify_bridge_object", "cond_fail",
    "copy_block", "copy_block_without_escaping", "copy_unmanaged_value", "copy_unowned_value", "copy_value",
    "copyable_to_moveonlywrapper", "copyable_to_moveonlywrapper_addr", "dealloc_box", "dealloc_existential_box",
    "dealloc_pack", "dealloc_pack_metadata", "dealloc_partial_ref", "dealloc_ref", "dealloc_stack",
    "dealloc_stack_ref", "debug_step", "deinit_existential_addr", "deinit_existential_value", "dereference_addr_borrow",
    "dereference_borrow", "destroy_addr", "destroy_not_escaped_closure", "destroy_value", "destructure_struct",
    "destructure_tuple", "differentiable_function", "differentiable_function_extract", "drop_deinit",
    "dynamic_pack_index", "end_borrow", "end_cow_mutation", "end_cow_mutation_addr", "end_init_let_ref",
    "end_lifetime", "end_unpaired_access", "existential_metatype", "explicit_copy_addr", "explicit_copy_value",
    "extend_lifetime", "extract_executor", "fix_lifetime", "function_extract_isolation", "get_async_continuation",
    "get_async_continuation_addr", "has_symbol", "hop_to_mainactor_if_needed", "ignored_use",
    "implicit_actor_to_opaque_isolation_cast", "implicitactor_to_opaqueisolation_cast",
    "increment_profiler_counter", "index_addr", "index_raw_pointer", "init_borrow_addr", "init_enum_data_addr",
    "init_existential_metatype", "init_existential_ref", "init_existential_value",
    "is_escaping_closure", "is_unique", "linear_function", "linear_function_extract",
    "load_unowned", "load_unmanaged", "make_addr_borrow", "make_borrow", "mark_dependence", "mark_dependence_addr",
    "mark_function_escape", "mark_uninitialized", "mark_unresolved_noncopyable_value",
    "mark_unresolved_move_addr", "mark_unresolved_reference_binding", "merge_isolation_region", "metatype",
    "move_value", "moveonlywrapper_to_copyable", "moveonlywrapper_to_copyable_addr", "moveonlywrapper_to_copyable_box",
    "objc_existential_metatype_to_object", "objc_metatype_to_object", "objc_protocol", "objc_to_thick_metatype",
    "object", "open_existential_addr", "open_existential_box", "open_existential_box_value",
    "open_existential_metatype", "open_existential_ref", "open_existential_value", "open_pack_element",
    "pack_element_get", "pack_element_set", "pack_length", "pack_pack_index", "pin", "pointer_to_address",
    "project_existential_box", "raw_pointer_to_ref", "ref_to_bridge_object", "ref_to_raw_pointer",
    "ref_to_unmanaged", "ref_to_unowned", "borrowed", "differentiability_witness_function",
    "mark_unresolved_non_copyable_value", "rebind_memory",
    "reborrow", "release_value", "release_value_addr", "replace_global",
    "retain_value", "retain_value_addr", "scalar_pack_index", "select_enum", "select_enum_addr", "set_deallocating",
    "specify_test", "store_unowned", "store_weak", "strong_copy_unmanaged_value", "strong_copy_unowned_value",
    "strong_copy_weak_value", "strong_release", "strong_retain", "strong_retain_unowned", "tail_addr",
    "thick_to_objc_metatype", "thunk", "tuple", "tuple_addr_constructor", "tuple_extract",
    "tuple_pack_element_addr", "tuple_pack_extract", "type_value", "unchecked_addr_cast", "unchecked_bitwise_cast",
    "unchecked_enum_data", "unchecked_ownership", "unchecked_ownership_conversion", "unchecked_ref_cast",
    "unchecked_ref_cast_addr", "unchecked_take_enum_data_addr", "unchecked_trivial_bit_cast",
    "unchecked_value_cast", "uncheckable_ref_cast", "unconditional_checked_cast", "unconditional_checked_cast_addr",
    "unmanaged_autorelease_value", "unmanaged_release_value", "unmanaged_retain_value", "unmanaged_to_ref",
    "unowned_release", "unowned_retain", "unowned_to_ref", "upcast", "value_metatype", "value_to_bridge_object",
    "vector", "vector_base_addr", "weak_copy_value", "unowned_copy_value", "unmanaged_copy_value",
    "assign_by_wrapper", "assign_or_init", "global_value", "hop_to_executor_if_needed", "borrowed_from",
    "return", "return_borrow", "throw", "throw_addr", "unwind", "unreachable",
  ]

  /// Instructions that let go of a value.
  static let releases: [StaticString] = [
    "destroy_value", "release_value", "strong_release", "fix_lifetime", "end_lifetime",
  ]

  /// Instructions that end a block without a successor.
  static let exits: Set<String> = ["return", "return_borrow", "throw", "throw_addr", "unwind", "unreachable"]

  /// The spelling after `// Isolation: `, and what it means.
  static func isolation(_ text: String) -> Isolation? {
    if text == "unspecified" { return .unknown }
    if text == "nonisolated" || text == "nonisolated_unsafe" || text == "@concurrent" || text == "concurrent" {
      return .nonisolated
    }
    if text == "caller_isolation_inheriting" { return .caller }
    if text == "erased" || text == "dynamic" { return .unknown }
    if text.hasPrefix("global_actor. type: ") {
      let type = text.dropFirst("global_actor. type: ".count)
      return .globalActor(String(type.split(separator: ".").last ?? type))
    }
    if text.hasPrefix("global_actor_unsafe") || text.hasPrefix("global_actor") { return .unknown }
    if text.hasPrefix("actor_instance. name: '") {
      let name = text.dropFirst("actor_instance. name: '".count).prefix { $0 != "'" }
      return name == "self" ? .selfActor : .parameter(String(name))
    }
    if text.hasPrefix("actor_instance") { return .parameter("?") }
    return nil
  }

  /// Symbols of modules whose properties are values of theirs, not state of the program we read.
  static let foreignPrefixes = [
    "$sS", "$ss", "$s10Foundation", "$s20FoundationEssentials", "$s8Dispatch", "$s15Synchronization",
    "$s12_Concurrency", "$s7Combine", "$s7SwiftUI", "$s11Observation",
  ]

  /// References that only a compiler-inserted executor check makes.
  static let executorChecks = ["_checkExpectedExecutor", "swift_task_reportUnexpectedExecutor"]

  /// Whether a function takes one that says where it runs: a `@MainActor` (`ScMYc`) or an `@isolated(any)` (`YAc`) closure.
  static func takesIsolatedFunction(symbol: String) -> Bool {
    let bytes = Array(symbol.utf8)
    var operators: [UInt8] = []
    var index = 0
    while index < bytes.count {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) else {
        operators.append(bytes[index])
        index += 1
        continue
      }
      // A name behind its length: what it is called says nothing.
      var count = 0
      while index < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]), count < 100_000 {
        count = count * 10 + Int(bytes[index] - UInt8(ascii: "0"))
        index += 1
      }
      operators.append(UInt8(ascii: " "))
      index += count
    }
    let text = String(decoding: operators, as: UTF8.self)
    return ["ScMYc", "YAc", "YAYTc"].contains { text.contains($0) }
  }

  /// The C name of an imported function: `sleep` for `$sSo5sleepys6UInt32VACFTo`, and for `sleep` itself.
  static func cName(symbol: String, display: String) -> String? {
    if !symbol.hasPrefix("$") { return symbol }
    guard symbol.hasPrefix("$sSo"), symbol.hasSuffix("FTo"), display.hasPrefix("@objc ") else { return nil }
    let digits = symbol.dropFirst(4).prefix { $0.isNumber }
    guard let count = Int(digits), count > 0 else { return nil }
    let name = symbol.dropFirst(4 + digits.count).prefix(count)
    return name.count == count ? String(name) : nil
  }
}
