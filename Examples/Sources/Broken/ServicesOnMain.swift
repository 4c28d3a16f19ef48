/// MISTAKE: services on the main actor, because that annotation was at hand. Their files are read where frames are drawn.
import Foundation

/// What was paid.
@MainActor
public final class PaymentService {
  private struct Payment: Codable {
    var amount: Int64
  }
  private let folder: URL

  public init(folder: URL) { self.folder = folder }

  public func total() throws -> Int64 {
    let data = try Data(contentsOf: folder.appending(path: "payments.json"))
    return try JSONDecoder().decode([Payment].self, from: data).reduce(0) { $0 + $1.amount }
  }
}

/// What is in stock.
@MainActor
public final class InventoryManager {
  private let folder: URL

  public init(folder: URL) { self.folder = folder }

  public func stock() throws -> [String: Int] {
    try JSONDecoder().decode(
      [String: Int].self, from: Data(contentsOf: folder.appending(path: "stock.json")))
  }
}
