/// An actor that tests call a known number of times.
public actor Oven {
  private var loaves = 0

  public init() {}

  public func bake() -> Int {
    loaves += 1
    return loaves
  }
}
