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
      self = try JSONDecoder().decode(RunSummary.self, from: document)
    } catch let error as ReportError {
      throw error
    } catch {
      throw .damaged(name, AuditDocument.place(of: error))
    }
  }
}
