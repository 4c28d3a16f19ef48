/// Main-actor jobs that reach a heavy or blocking call.
import Foundation
import MS101Core
import SwiftUI

@MainActor
final class CatalogueModel {
  var rows: [Row] = []
  var lines: [String] = []
  let store: any RowStore

  init(store: any RowStore) { self.store = store }

  /// Across a module.
  func show(_ data: Data) throws { rows = try CatalogueFile.parse(data) }

  /// Through a protocol requirement.
  func open(_ url: URL) { lines = store.rows(in: url) }
}

/// Two calls deep, in a loop over files.
@MainActor
final class Indexer {
  var index: [String: Int] = [:]

  func rebuild(_ files: [URL]) {
    for file in files { add(file) }
  }

  private func add(_ file: URL) {
    guard let text = read(file) else { return }
    index[file.path] = text.hashValue
  }

  private func read(_ file: URL) -> String? {
    try? String(contentsOf: file, encoding: .utf8)  // expect: main_actor_blocking
  }
}

/// A file read and a decode on one path are two findings; the pass over the samples is none.
@MainActor
final class Waveform {
  var peak = 0.0

  func load(_ url: URL) throws {
    let data = try Data(contentsOf: url)  // expect: main_actor_blocking
    let samples = try PropertyListDecoder().decode([Double].self, from: data)  // expect: main_actor_blocking
    for sample in samples { peak = max(peak, sample) }
  }
}

/// A subprocess in a loop: one finding, not one a turn.
@MainActor
final class Sessions {
  var names: [String] = []

  func refresh() throws {
    for name in names {
      let process = Process()
      process.arguments = [name]
      try process.run()
      process.waitUntilExit()  // expect: main_actor_blocking
    }
  }
}

/// The synchronous initialiser of an actor runs on whoever makes the actor.
actor FolderIndex {
  let files: [String]
  init(folder: String) {
    files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []  // expect: main_actor_blocking
  }
}

@MainActor
final class Library {
  var index: FolderIndex?
  func open(_ folder: String) { index = FolderIndex(folder: folder) }
}

/// So does the default argument of a call.
func scan(
  _ names: [String] = (try? FileManager.default.subpathsOfDirectory(atPath: ".")) ?? []  // expect: main_actor_blocking
) -> Int {
  names.count
}

@MainActor func countAll() -> Int { scan() }

/// A closure that does not escape runs at once.
@MainActor
func measure(_ urls: [URL]) -> [Int] {
  urls.map { url in
    (try? Data(contentsOf: url))?.count ?? 0  // expect: main_actor_blocking
  }
}

/// A plain task inherits the main actor, also from a button of a view.
struct ImportView: View {
  @State var count = 0

  var body: some View {
    Button("Import") {
      Task {
        let data = try? Data(contentsOf: URL(fileURLWithPath: "/tmp/import"))  // expect: main_actor_blocking
        count = data?.count ?? 0
      }
    }
  }
}

/// Waiting on the main actor.
@MainActor
func waitForDevice(_ ready: DispatchSemaphore) {
  ready.wait()  // expect: main_actor_blocking
  usleep(20_000)  // expect: main_actor_blocking
}

/// The initialiser of a global runs on whoever asks first.
enum Settings {
  static let text = (try? String(contentsOfFile: "/etc/hosts", encoding: .utf8)) ?? ""  // expect: main_actor_blocking
}

@MainActor func settingsLength() -> Int { Settings.text.count }

/// A property getter between the job and the read.
struct Document {
  var url: URL
  var bytes: Int { (try? Data(contentsOf: url).count) ?? 0 }  // expect: main_actor_blocking
}

@MainActor func size(of document: Document) -> Int { document.bytes }

/// A file of somebody's, not one of the streams that every program has.
@MainActor
func append(_ line: String, to log: FileHandle) {
  log.write(Data(line.utf8))  // expect: main_actor_blocking
}

/// Objects that are written out around a list of any length, and one that grows afterwards.
@MainActor
final class Announcements {
  var rows: [String] = []

  func announce(_ port: Int) -> Data? {
    try? JSONSerialization.data(withJSONObject: ["port": port, "rows": rows])  // expect: main_actor_blocking
  }

  func announceLater(_ port: Int) -> Data? {
    var object: [String: Any] = ["port": port]
    object["rows"] = rows
    return try? JSONSerialization.data(withJSONObject: object)  // expect: main_actor_blocking
  }

  func pass(_ object: [String: Any]) -> Data? {
    try? JSONSerialization.data(withJSONObject: object)  // expect: main_actor_blocking
  }
}

/// A pattern that a person gives, and one for each line.
@MainActor
func matches(_ pattern: String, in lines: [String]) throws -> Int {
  _ = try NSRegularExpression(pattern: pattern, options: [])  // expect: main_actor_blocking
  var count = 0
  for line in lines {
    let tag = try NSRegularExpression(pattern: "#[a-z]+", options: [])  // expect: main_actor_blocking
    count += tag.numberOfMatches(in: line, range: NSRange(location: 0, length: 1))
  }
  return count
}

/// Coded, and coded once more to look better: one piece of work.
@MainActor
func pretty(_ notes: [String]) throws -> Data {
  let data = try JSONEncoder().encode(notes)  // expect: main_actor_blocking
  let object = try JSONSerialization.jsonObject(with: data)
  return try JSONSerialization.data(withJSONObject: object, options: [.prettyPrinted])
}
