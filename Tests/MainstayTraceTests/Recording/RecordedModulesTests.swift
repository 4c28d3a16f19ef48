import Testing

@testable import MainstayTrace

@Suite("The modules of a recording")
struct RecordedModulesTests {
  @Test("are read with their build IDs, and spaces in their paths")
  func reading() {
    let map = ModuleMap(
      recorded: """
        7f0000000000-7f0000002000 1000 cafef00d /usr/lib/lib x.so
        555500000000-555500001000 0 - /opt/My App/bin/App

        """)
    #expect(map.mappings.map(\.path) == ["/opt/My App/bin/App", "/usr/lib/lib x.so"])
    #expect(map.mappings.map(\.buildID) == [nil, "cafef00d"])
    #expect(map.location(of: 0x7f00_0000_0010)?.fileOffset == 0x1010)
    #expect(map.path(near: 0x5555_0000_2000) == "/opt/My App/bin/App")
  }

  @Test("that are damaged are left out, the others stay")
  func damaged() {
    let map = ModuleMap(
      recorded: """
        not a line
        1000-2000 0 -
        g000-2000 0 - /no/number
        1000 0 - /no/range
        1000-2000-3000 0 - /two/ranges
        5000-4000 0 - /inverted
        ffffffffffffffffff-4000 0 - /too/large
        8000-9000 10 - /good
        """)
    #expect(map.mappings.map(\.path) == ["/good"])
    #expect(ModuleMap(recorded: "").mappings.isEmpty)
  }
}
