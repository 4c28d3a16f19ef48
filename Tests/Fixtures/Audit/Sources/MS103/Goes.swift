/// Work that leaves, in the same forms.
import Foundation

@MainActor
final class QuietAlbum {
  var names: [String] = []

  /// A background task without anything heavy.
  func touch() {
    Task(priority: .background) { names.removeAll() }
  }

  func load(_ url: URL) {
    Task.detached { [weak self] in
      let text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
      await self?.accept(text)
      await MainActor.run { self?.names.append("done") }
    }
  }

  private func accept(_ text: String) { names.append(text) }

  /// A task that is not told to be in the background.
  func now(_ url: URL) {
    Task { names.append(await QuietAlbum.read(url)) }
  }

  @concurrent private static func read(_ url: URL) async -> String {
    (try? String(contentsOf: url, encoding: .utf8)) ?? ""
  }
}

/// Child tasks that do the work themselves and bring what comes out of it.
@MainActor
final class QuietGallery {
  var count = 0
  func add(_ size: Int) { count += size }

  func measure(_ urls: [URL]) {
    Task.detached {
      await withTaskGroup(of: Void.self) { group in
        for url in urls {
          group.addTask {
            let size = (try? Data(contentsOf: url).count) ?? 0
            await self.add(size)
          }
        }
      }
    }
  }
}
