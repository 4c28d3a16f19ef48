/// Decodes JSON, either off the caller's actor or where it is called.
import Foundation

public enum ArticleDecoder {
  /// Decodes off the caller's actor, whichever that is.
  ///
  /// - Throws: `DecodingError`.
  @concurrent
  public static func decode<Value: Decodable & Sendable>(_ type: Value.Type, from data: Data) async throws -> Value {
    try decodeHere(type, from: data)
  }

  /// Decodes on the executor of the caller, and keeps it for all of that time: about 50 ms a megabyte.
  ///
  /// - Throws: `DecodingError`.
  public static func decodeHere<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    try JSONDecoder().decode(type, from: data)
  }

  /// What is wrong with the JSON, and where, in one clause.
  static func reason(of error: any Error, in data: Data) -> String {
    guard let error = error as? DecodingError else { return String(describing: error) }
    if let reason = syntaxError(in: data) { return "it is not valid JSON: \(reason)" }
    switch error {
    case .keyNotFound(let key, let context):
      return "\"\(key.stringValue)\" is missing" + place(context)
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      return lowercasedFirst(context.debugDescription) + place(context)
    @unknown default:
      return String(describing: error)
    }
  }

  /// What is no JSON, and around which character. On Linux the decoder does not tell, so a second reader has to.
  private static func syntaxError(in data: Data) -> String? {
    do {
      _ = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
      return nil
    } catch {
      return lowercasedFirst((error as NSError).userInfo["NSDebugDescription"] as? String ?? error.localizedDescription)
    }
  }

  private static func place(_ context: DecodingError.Context) -> String {
    guard !context.codingPath.isEmpty else { return "" }
    let path = context.codingPath.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }.joined()
    return " at \(path.drop { $0 == "." })"
  }

  private static func lowercasedFirst(_ sentence: String) -> String {
    var sentence = sentence
    if sentence.hasSuffix(".") { sentence.removeLast() }
    return sentence.prefix(1).lowercased() + sentence.dropFirst()
  }
}
