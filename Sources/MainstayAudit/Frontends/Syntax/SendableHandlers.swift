/// Handlers that Apple's frameworks declare `@Sendable` and call on whatever thread they have: no closure there inherits
/// the actor around it.
import SwiftSyntax

enum SendableHandlers {
  /// What asks a provider of data, the system's permission or a media framework, by the callee's last word and its first
  /// label; an empty label stands for none.
  private static let asking: [String: Set<String>] = [
    "loadItem": ["forTypeIdentifier"], "loadObject": ["ofClass"],
    "loadDataRepresentation": ["for", "forTypeIdentifier"],
    "loadFileRepresentation": ["for", "forTypeIdentifier"],
    "loadInPlaceFileRepresentation": ["forTypeIdentifier"], "loadTransferable": ["type"],
    "registerDataRepresentation": ["for", "forTypeIdentifier"],
    "registerFileRepresentation": ["for", "forTypeIdentifier"], "registerObject": ["ofClass"],
    "requestAuthorization": ["options", "for", "toShare", ""], "requestAccess": ["for", "to"],
    "requestFullAccessToEvents": [""], "requestFullAccessToReminders": [""],
    "requestRecordPermission": [""], "requestTrackingAuthorization": [""], "evaluatePolicy": ["_"],
    "getNotificationSettings": [""], "getPendingNotificationRequests": [""], "getDeliveredNotifications": [""],
    "exportAsynchronously": [""], "loadValuesAsynchronously": ["forKeys"],
    "generateCGImagesAsynchronously": ["forTimes"], "generateCGImageAsynchronously": ["for"],
  ]

  /// Members that keep such a handler.
  private static let members: Set<String> = [
    "terminationHandler", "readabilityHandler", "writeabilityHandler", "pathUpdateHandler", "stateUpdateHandler",
    "newConnectionHandler", "viabilityUpdateHandler", "betterPathUpdateHandler",
  ]

  /// The type of a member that is not declared here, as far as it says where what it keeps runs.
  static func type(ofMember name: String) -> String? { members.contains(name) ? "@Sendable () -> Void" : nil }

  /// Whether the closures of a call of something that is not declared here are such handlers.
  static func takes(_ node: FunctionCallExprSyntax, callee: String) -> Bool {
    let first = node.arguments.first { !$0.expression.is(ClosureExprSyntax.self) }
    if callee == "observe" { return first.map { isKey($0.expression) && $0.label == nil } ?? false }
    guard let labels = asking[callee] else { return false }
    return labels.contains(first.map { $0.label?.text ?? "_" } ?? "")
  }

  /// `\.rate`: a property that is observed by its key path.
  private static func isKey(_ expression: ExprSyntax) -> Bool { expression.is(KeyPathExprSyntax.self) }
}
