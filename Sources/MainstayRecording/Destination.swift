import Foundation
import MainstayTrace

/// Where this process's recording is written, and how it is read: in a file that was asked for, or in one that has no
/// name any more and so goes away with the process, however that ends.
final class Destination: @unchecked Sendable {
  let path: String
  private let folder: String?
  /// Written once, before anybody else knows this object.
  private var descriptor: Int32 = -1

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

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Holds a file of ours open by itself, and takes its name away.
  func keepOpen() {
    guard folder != nil else { return }
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor >= 0 { remove() }
  }

  func remove() {
    unlink(path)
    if let folder { rmdir(folder) }
  }

  var readable: String { descriptor >= 0 ? "/proc/self/fd/\(descriptor)" : path }
}
