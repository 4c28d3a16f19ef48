import Bakery
import XCTest

final class OvenXCTests: XCTestCase {
  @MainActor
  func testBakes() async {
    let oven = Oven()
    var loaves = 0
    for _ in 0..<30 { loaves = await oven.bake() }
    XCTAssertEqual(loaves, 30)
  }
}
