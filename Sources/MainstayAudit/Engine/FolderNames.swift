/// The names in a folder: Foundation replaces what of them is no UTF-8, and so names what is not there.
import Foundation

struct FolderNames {
  /// In the order of their letters.
  private(set) var spelled: [String] = []
  /// Those that are no UTF-8, with replacements where it is none: for a person, no file has that name.
  private(set) var unspelled: [String] = []

  /// Nil when the folder may not be looked into.
  init?(_ folder: String) {
    guard let stream = opendir(folder) else { return nil }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        let name = bytes.prefix { $0 != 0 }
        if let text = String(validating: name, as: UTF8.self) {
          if text != ".", text != ".." { spelled.append(text) }
        } else {
          unspelled.append(String(decoding: name, as: UTF8.self))
        }
      }
    }
    spelled.sort()
    unspelled.sort()
  }
}
