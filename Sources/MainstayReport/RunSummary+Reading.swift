/// A run's document, read back.
import Foundation
import MainstayTrace

extension RunSummary {
  /// - Parameter name: what to call the document in an error.
  /// - Throws: `ReportError` when the bytes are no document `mainstay.run/1`.
  public init(document: Data, name: String) throws(ReportError) {
    struct Schema: Decodable { var schema: String? }
    do {
      let schema = try JSONDecoder().decode(Schema.self, from: document).schema
      guard schema == "mainstay.run/1" else { throw ReportError.notARun(name, schema: schema) }
      let whole = AddedFields.completed(try JSONSerialization.jsonObject(with: document))
      self = try JSONDecoder().decode(RunSummary.self, from: JSONSerialization.data(withJSONObject: whole))
    } catch let error as ReportError {
      throw error
    } catch {
      throw .damaged(name, AuditDocument.place(of: error))
    }
  }
}

/// Fields that `mainstay.run/1` got after its first version: what their absence means in a document of an earlier one.
private enum AddedFields {
  private static var place: [String: Any] { ["path": ""] }

  /// By the name of the field that holds the object, or the list of objects.
  private static var defaults: [String: [String: Any]] {
    [
      "functions": ["resume": NSNull(), "path": "", "key": "", "position": ""],
      "stalls": [
        "createdAt": NSNull(), "inheritedFrom": NSNull(), "asyncCallers": [Any](), "samples": [Any](),
        "resume": NSNull(), "position": "", "path": "", "key": "", "open": false,
      ],
      "samples": ["atMilliseconds": 0], "blockers": ["atMilliseconds": 0],
      "createdAt": place, "asyncCallers": place, "frames": place,
      "interleavings": ["resume": NSNull(), "path": "", "key": ""],
      "tasks": ["pendingContinuations": [Any](), "sites": [Any]()],
      "boundaries": ["kind": "asserted", "file": "", "line": 0],
    ]
  }

  static func completed(_ document: Any) -> Any { completed(document, under: "", defaults) }

  private static func completed(_ value: Any, under name: String, _ defaults: [String: [String: Any]]) -> Any {
    if let list = value as? [Any] { return list.map { completed($0, under: name, defaults) } }
    guard let object = value as? [String: Any] else { return value }
    return object.merging(defaults[name] ?? [:]) { given, _ in given }
      .reduce(into: [String: Any]()) { $0[$1.key] = completed($1.value, under: $1.key, defaults) }
  }
}
