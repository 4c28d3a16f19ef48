/// JSON written by hand: the order of keys is fixed, so that the same result is the same bytes.
enum JSONText {
  indirect enum Value {
    case string(String)
    case number(Int)
    case bool(Bool)
    case null
    case array([Value])
    case object([(String, Value)])
  }

  static func text(_ value: Value) -> String {
    var out = ""
    write(value, indent: 0, to: &out)
    return out + "\n"
  }

  private static func write(_ value: Value, indent: Int, to out: inout String) {
    switch value {
    case .string(let text): out += quoted(text)
    case .number(let number): out += String(number)
    case .bool(let flag): out += flag ? "true" : "false"
    case .null: out += "null"
    case .array(let values):
      if values.isEmpty {
        out += "[]"
        return
      }
      out += "["
      for (index, element) in values.enumerated() {
        out += index == 0 ? "\n" : ",\n"
        out += String(repeating: "  ", count: indent + 1)
        write(element, indent: indent + 1, to: &out)
      }
      out += "\n" + String(repeating: "  ", count: indent) + "]"
    case .object(let members):
      if members.isEmpty {
        out += "{}"
        return
      }
      let isFlat = members.count <= 4 && members.allSatisfy { isScalar($0.1) }
      out += "{"
      for (index, member) in members.enumerated() {
        if isFlat {
          out += index == 0 ? "" : ", "
        } else {
          out += (index == 0 ? "\n" : ",\n") + String(repeating: "  ", count: indent + 1)
        }
        out += quoted(member.0) + ": "
        write(member.1, indent: indent + 1, to: &out)
      }
      out += isFlat ? "}" : "\n" + String(repeating: "  ", count: indent) + "}"
    }
  }

  private static func isScalar(_ value: Value) -> Bool {
    switch value {
    case .array, .object: false
    case .string, .number, .bool, .null: true
    }
  }

  static func quoted(_ text: String) -> String {
    var out = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": out += "\\\""
      case "\\": out += "\\\\"
      case "\n": out += "\\n"
      case "\r": out += "\\r"
      case "\t": out += "\\t"
      default:
        if scalar.value < 0x20 {
          let digits = String(scalar.value, radix: 16)
          out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        } else {
          out.unicodeScalars.append(scalar)
        }
      }
    }
    return out + "\""
  }
}
