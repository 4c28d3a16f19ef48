import Bakery
import Testing

@Test @MainActor
func bakes() async {
  let oven = Oven()
  var loaves = 0
  for _ in 0..<20 { loaves = await oven.bake() }
  #expect(loaves == 20)
}
