import Foundation
import Testing

@testable import MainstayTrace

@Suite("A module map")
struct ModuleMapTests {
  private let text = """
    5555db400000-5555db402000 r--p 00000000 fe:00 1234                       /opt/My App/bin/App
    5555db402000-5555db409000 r-xp 00002000 fe:00 1234                       /opt/My App/bin/App
    7f0000000000-7f0000001000 rw-p 00000000 00:00 0
    7f0000001000-7f0000002000 r-xp 00010000 fe:00 99                         /lib/a\\012b\\x.so (deleted)
    7ffd00000000-7ffd00021000 rw-p 00000000 00:00 0                          [stack]
    not a line of that file
    zzzz-5555db402000 r--p 00000000 fe:00 1234 /x
    """

  @Test("reads file mappings from the kernel's text, with spaces, escapes and deleted files in their paths")
  func reading() {
    let map = ModuleMap(procMaps: text)
    #expect(map.mappings.map(\.path) == ["/opt/My App/bin/App", "/opt/My App/bin/App", "/lib/a\nb\\x.so"])
    #expect(map.mappings[2].fileOffset == 0x10000)
  }

  @Test("gives the file and offset behind an address, from the first byte of a mapping to its last")
  func locations() {
    let map = ModuleMap(procMaps: text)
    #expect(map.location(of: 0x5555_db40_2000)?.fileOffset == 0x2000)
    #expect(map.location(of: 0x5555_db40_8fff)?.fileOffset == 0x8fff)
    #expect(map.location(of: 0x5555_db40_9000) == nil)
    #expect(map.location(of: 0x5555_db3f_ffff) == nil)
    #expect(map.location(of: 0) == nil)
    #expect(map.location(of: .max) == nil)
    #expect(ModuleMap([]).location(of: 1) == nil)
  }

  @Test("drops empty and inverted ranges, and survives offsets that overflow")
  func damaged() {
    let map = ModuleMap([
      .init(start: 10, end: 10, fileOffset: 0, path: "/a"), .init(start: 20, end: 15, fileOffset: 0, path: "/b"),
      .init(start: 30, end: 40, fileOffset: .max, path: "/c"),
    ])
    #expect(map.mappings.map(\.path) == ["/c"])
    #expect(map.location(of: 30)?.fileOffset == .max)
    #expect(map.location(of: 31) == nil)
  }

  @Test("is the same whatever the order of its mappings")
  func order() {
    let map = ModuleMap(procMaps: text)
    #expect(ModuleMap(map.mappings.reversed()) == map)
  }
}
