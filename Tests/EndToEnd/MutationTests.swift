import Foundation
import MainstayTrace
import Testing

@Suite("A damaged recording", .timeLimit(.minutes(60)))
struct MutationTests {
  /// What is done to the bytes of a recording. The same number gives the same damage.
  struct Damage: CustomStringConvertible {
    enum Kind { case flip, fill, copy, cut }
    var kind: Kind
    var offset: Int
    var bytes: [UInt8] = []
    var description: String { "\(kind) of \(bytes.count) bytes at \(offset)" }

    init(seed: Int, size: Int, interesting: [Range<Int>]) {
      var dice = Dice(seed: UInt64(seed))
      let range = dice.next() % 8 == 0 ? 0..<size : interesting[Int(dice.next() % UInt64(interesting.count))]
      offset = range.lowerBound + Int(dice.next() % UInt64(range.count))
      let count = Int(dice.next() % 4 == 0 ? 1 + dice.next() % 64 : 1 << (dice.next() % 4))
      switch dice.next() % 8 {
      case 0:
        kind = .cut
        return
      case 1, 2:
        kind = .fill
        bytes = Array(repeating: dice.next() % 2 == 0 ? 0xff : 0, count: count)
      case 3:
        // A number near a limit, as it lies in memory.
        kind = .copy
        let numbers: [UInt64] = [
          .max, .max >> 1, 1 << 63, 1 << 32, (1 << 32) - 1, 1 << 16, 65535, 8192, 680, 681, 1, 0,
        ]
        let number = numbers[Int(dice.next() % UInt64(numbers.count))]
        bytes = withUnsafeBytes(of: number.littleEndian) { Array($0.prefix(dice.next() % 2 == 0 ? 8 : 4)) }
        offset -= offset % 4
      default:
        kind = .flip
        bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: dice.next()) }
      }
      bytes = Array(bytes.prefix(size - offset))
    }
  }

  @Test(
    "is summarised or refused with the offset, and never ends the reader: 2,048 kinds of damage",
    arguments: 0..<8)
  func damage(part: Int) async throws {
    let original = try await Self.recording.value
    let folder = try TestFolder.make()
    let file = try DamagedFile(original, path: "\(folder)/damaged")
    let interesting = Self.interesting(original)
    var (summaries, refusals) = (0, 0)
    for seed in part * 256..<(part + 1) * 256 {
      let damage = Damage(seed: seed, size: original.count, interesting: interesting)
      // Should the reader crash, this says on what.
      try "seed \(seed): \(damage)".write(toFile: "\(folder)/last", atomically: false, encoding: .utf8)
      try file.apply(damage)
      if let error = file.refusal() {
        refusals += 1
        #expect(namesPlace(error), "seed \(seed), \(damage): \(error)")
      } else {
        summaries += 1
      }
      try file.mend(damage)
    }
    #expect(summaries > 20 && refusals > 20, "\(summaries) were summarised, \(refusals) refused")
    #expect(file.refusal() == nil)
  }

  private func namesPlace(_ error: RecordingError) -> Bool {
    switch error {
    case .unfinished: true
    case .truncated: error.description.contains(" bytes ")
    default: error.description.contains("offset")
    }
  }

  /// A real recording with jobs, stalls, folded records and an open job. Its list of modules is taken out: symbols are
  /// looked up by other tests, and would be here once for each damage.
  private static let recording = Task {
    let program = try await FixtureProgram.named("Planted", .release)
    let file = "\(try TestFolder.make())/recording"
    _ = try await program.recorded(options: ["--recording", file, "--quiet"])
    var bytes = try Data(contentsOf: URL(filePath: file))
    let modules = try #require(bytes.range(of: Data(" \(program.path)\n".utf8)))
    var start = modules.lowerBound
    while start > 0 && bytes[start - 1] != 0 { start -= 1 }
    var end = modules.upperBound
    while end < bytes.count && bytes[end] != 0 { end += 1 }
    bytes.replaceSubrange(start..<end, with: Data(count: end - start))
    return bytes
  }

  /// Where something is written: most of a recording's tables are empty.
  private static func interesting(_ bytes: Data) -> [Range<Int>] {
    var ranges = [0..<480, 0..<480, 0..<480]
    let page = 256
    for start in stride(from: 480, to: bytes.count - page, by: page)
    where bytes[start..<start + page].contains(where: { $0 != 0 }) {
      ranges.append(start..<start + page)
    }
    return ranges
  }
}

/// A copy of a recording, damaged in place and mended.
private final class DamagedFile {
  private let original: Data
  private let path: String
  private let descriptor: Int32

  init(_ original: Data, path: String) throws {
    self.original = original
    self.path = path
    try original.write(to: URL(filePath: path))
    descriptor = open(path, O_RDWR)
    try #require(descriptor >= 0)
  }

  deinit { close(descriptor) }

  func apply(_ damage: MutationTests.Damage) throws {
    if damage.kind == .cut {
      try #require(ftruncate(descriptor, off_t(damage.offset)) == 0)
    } else {
      try write(damage.bytes, at: damage.offset)
    }
  }

  func mend(_ damage: MutationTests.Damage) throws {
    let end = damage.kind == .cut ? original.count : damage.offset + damage.bytes.count
    try write(Array(original[damage.offset..<end]), at: damage.offset)
  }

  /// Reads and summarises the file; the error when it is refused.
  func refusal() -> RecordingError? {
    do throws(RecordingError) {
      _ = RunSummary(try Recording(path: path))
      return nil
    } catch {
      return error
    }
  }

  private func write(_ bytes: [UInt8], at offset: Int) throws {
    try #require(pwrite(descriptor, bytes, bytes.count, off_t(offset)) == bytes.count)
  }
}

/// The same numbers every time.
private struct Dice: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x2545_f491_4f6c_dd1d }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }
}
