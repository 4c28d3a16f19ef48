/// Writing a file that was named: by an option, or because it is a source that is edited.
import Foundation

package enum WrittenFile {
  /// Whether there is anything at a path, and whether that is a folder.
  package static func state(of path: String) -> (isThere: Bool, isFolder: Bool) {
    var isFolder: ObjCBool = false
    let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    return (isThere, isFolder.boolValue)
  }

  /// Writes a regular file whole or not at all, and a device, a pipe or a link as what it is.
  ///
  /// Whole or not at all puts a new file in the place of the old one: a link would no longer be one, and root would have a
  /// file for its `/dev/null`.
  package static func write(_ text: String, to path: String) throws {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    let mayReplace = attributes.map { $0[.type] as? FileAttributeType == .typeRegular } ?? true
    try text.write(toFile: path, atomically: mayReplace, encoding: .utf8)
  }
}
