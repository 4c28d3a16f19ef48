/// Finds the instructions that take the address of a function or object: the code that hands out a resume function.

/// x86-64 compilers take an address in position-independent code with one instruction, `lea disp32(%rip), %reg`
/// (`REX.W 8d /r`, mod 00, rm 101). Other machines need two instructions that may lie apart: there, nothing is found and
/// callers say less rather than guess.
struct CodeReferences {
  /// One `lea`.
  struct Site: Hashable {
    /// The address of the instruction.
    let address: UInt64
    /// The address it takes.
    let target: UInt64
  }

  let image: ELFImage

  /// Every `lea` in the code `range` whose target satisfies `isTarget`, in order of address.
  ///
  /// - Complexity: O(length of the range); a range longer than 4 MB is cut, as no one function is that long.
  func sites(in range: Range<UInt64>, where isTarget: (UInt64) -> Bool) -> [Site] {
    guard image.machine == 62, !range.isEmpty else { return [] }
    let count = min(range.upperBound - range.lowerBound, 4 << 20)
    guard let code = image.bytes(at: range.lowerBound, count: count), code.count >= 7 else { return [] }
    var found: [Site] = []
    for at in 0...(code.count - 7) where code[at + 1] == 0x8d && code[at] & 0xf8 == 0x48 && code[at + 2] & 0xc7 == 5 {
      let address = range.lowerBound &+ UInt64(at)
      let displacement = Int64(code.littleEndian(Int32.self, at: at + 3))
      let target = address &+ 7 &+ UInt64(bitPattern: displacement)
      if isTarget(target) { found.append(Site(address: address, target: target)) }
    }
    return found
  }
}
