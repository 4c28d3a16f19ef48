/// A synchronous function of a framework that the configuration says is blocking, and one that it says is not.
import Dispatch

struct VisionRequest: Sendable {
  func perform(_ image: Int) -> Int { image }
}

func recognise(_ images: [Int], _ request: VisionRequest) async -> Int {
  await withTaskGroup(of: Int.self) { group in
    for image in images {
      group.addTask { request.perform(image) }  // expect: async_blocking
    }
    return await group.reduce(0, +)
  }
}

struct MemoryDevice: Sendable {
  let ready: DispatchSemaphore
  func wait() {}
}

func settle(_ device: MemoryDevice) async { device.wait() }
