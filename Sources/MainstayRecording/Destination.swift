import Foundation
import MainstayTrace
import Synchronization

/// Where this process's recording is written, and how it is read: in a file that was asked for, or in one that has no
/// name any more and so goes away with the process, however that ends.
final class Destination: Sendable {
  let path: String
  private let folder: String?
  /// The open file, or -1.
  private let descriptor = Atomic<Int32>(-1)

  init(_ file: String?) throws(Recording.Failure) {
    do throws(RecordingPlace.Problem) {
      if let file {
        folder = nil
        path = RecordingPlace.absolute(file)
        try RecordingPlace.makeRoom(path)
      } else {
        let made = try RecordingPlace.privateFolder(environment: ProcessInfo.processInfo.environment)
        folder = made
        path = "\(made)/recording"
      }
    } catch {
      switch error {
      case .exists(let path): throw .exists(path: path)
      case .unwritable(let path, let reason): throw .cannotWrite(path: path, reason: reason)
      }
    }
  }

  deinit {
    let file = descriptor.load(ordering: .acquiring)
    if file >= 0 { close(file) }
  }

  /// Holds a file of ours open by itself, and takes its name away.
  func keepOpen() {
    guard folder != nil else { return }
    let file = open(path, O_RDONLY | O_CLOEXEC)
    descriptor.store(file, ordering: .releasing)
    if file >= 0 { remove() }
  }

  func remove() {
    unlink(path)
    if let folder { rmdir(folder) }
  }

  var readable: String {
    let file = descriptor.load(ordering: .acquiring)
    return file >= 0 ? "/proc/self/fd/\(file)" : path
  }
}
