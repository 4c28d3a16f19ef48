// Declarations of every shape that has a mangled name of its own. `FunctionNameTests` compiles this as module `Names`.

import Foundation

public protocol Loading {
  func load(_ q: String) async -> Int; var rate: Double { get set }; static func make(id: Int) -> Self
}
public extension Loading { func twice(_ q: String) async -> Int { await load(q) + load(q) } }

public struct Vec {
  var x: Double; var y: Double
  static func + (a: Vec, b: Vec) -> Vec { Vec(x: a.x + b.x, y: a.y + b.y) }
  static prefix func - (a: Vec) -> Vec { Vec(x: -a.x, y: -a.y) }
  static func <= (a: Vec, b: Vec) -> Bool { a.x <= b.x }
  static func == (a: Vec, b: Vec) -> Bool { a.x == b.x }
  subscript(i: Int) -> Double {
    get { i == 0 ? x : y }
    set { x = newValue }
  }
  subscript(row row: Int, col c: Int) -> Double { x + Double(row + c) }
  static subscript(name: String) -> Int { name.count }
  mutating func scale(by f: Double, _ g: Double = 2) { x *= f * g; y *= f }
  var length: Double { (x * x + y * y).squareRoot() }
  lazy var cached: Double = { x + y }()
  var watched: Int = 0 {
    willSet { print(newValue) }
    didSet { print(oldValue) }
  }
  func tuple(_ t: (Int, Int)) -> Int { t.0 }
  func tuple2(_ a: Int, _ b: Int) -> Int { a + b }
  func unit(_ v: Void) -> Int { 1 }
  func labelled(a t: (x: Int, y: Int), fn: (_ q: Int) -> Int) -> Int { fn(t.x) }
  func variadic(_ v: Int..., named n: inout Int) { n = v.count }
  func none() {}
  func callAsFunction(_ x: Int) -> Int { x }
}
infix operator <+>
func <+> (a: Vec, b: Vec) -> Vec { a + b }
postfix operator ~~
postfix func ~~ (a: Vec) -> Vec { a }
func ≈≈ (a: Vec, b: Vec) -> Bool { true }
infix operator ≈≈

public final class Box<T: Sendable>: @unchecked Sendable {
  var v: T
  init(_ v: T) { self.v = v }
  func map<U>(_ f: (T) -> U) -> Box<U> { Box<U>(f(v)) }
  struct Inner { var t: T; func get() -> T { t } }
  enum Kind {
    case a(Int), b
    func name() -> String { "x" }
  }
  deinit { print("bye") }
}
extension Box where T == Int { func sum(with o: Box<Int>) -> Int { v + o.v } }
extension Array where Element == Int {
  func total() -> Int { let f = { (x: Int) in x + 1 }; return map(f).reduce(0, +) }
}
extension Optional { func orDie(_ m: String) -> Wrapped { self ?? { fatalError(m) }() } }
extension String { var shout: String { uppercased() } }
extension Dictionary where Key == String, Value == Int { mutating func bump(_ k: String) { self[k, default: 0] += 1 } }

private struct Hidden { func go(_ n: Int) -> Int { n }; fileprivate static func st() {} }
private func hiddenFn(a: Int) -> Int { Hidden().go(a) }
fileprivate extension Vec { func secret() -> Int { 1 } }

@MainActor final class SearchModel: @MainActor Loading, CustomStringConvertible {
  nonisolated let id = 3
  var position = 0.0
  var rate: Double = 1
  required init(id: Int) { position = Double(id) }
  convenience init?(url: URL) throws { guard url.isFileURL else { return nil }; self.init(id: 1) }
  static func make(id: Int) -> Self { Self(id: id) }
  func load(_ q: String) async -> Int {
    func helper(_ a: Int, scale: Int) -> Int { a * scale + q.count }
    func later(_ a: Int) async -> Int { await Task.yield(); return a + q.count }
    struct Local { var z = 0; func run() -> Int { z } }
    let l = Local().run()
    let fs = [1, 2].map { a in [a].map { b in b + a + l }.count }
    return helper(fs[0], scale: 3) + (await later(2))
  }
  nonisolated var description: String { "m" }
  func queryChanged(_ q: String) { Task { _ = await self.load(q) }; Task.detached { _ = await self.load(q) } }
  var body: [Int] { [1, 2, 3].map { $0 + 1 }.filter { $0 > id } }
  var asyncProp: Int { get async throws { await Task.yield(); return id } }
  func withDefault(a: Int = Int.random(in: 0...3), b: String = "x".uppercased()) -> Int { a + b.count }
  func rethrow(_ f: () throws -> Void) rethrows { try f() }
  func typed() throws(CancellationError) { throw CancellationError() }
  isolated deinit { position = 0 }
  func isolatedParam(_ a: isolated (any Actor)? = #isolation) async {}
  func generic<each P>(_ p: repeat each P) -> Int { 0 }
  func some() -> some Sequence<Int> { [1] }
  func takes(_ s: some Sequence<Int>, any: any Loading) -> Int { s.reduce(0, +) }
}
actor Store {
  var n = 0
  func bump(by k: Int) -> Int { n += k; return n }
  nonisolated func hi() {}
  static let shared = Store()
  subscript(k: String) -> Int { n + k.count }
}
let globalValue: [Int] = [1, 2, 3].map { $0 * 2 }
@globalActor actor DB { static let shared = DB() }
@DB func onDB() async -> Int { 1 }
enum Namespace {
  enum Deep {
    final class Deepest {
      static var counter: Int {
        get { 3 }
        set { print(newValue) }
      }; func `default`() {}; func `repeat`(`in` x: Int) {}
    }
  }
}
func `raw name with spaces`() -> Int { 3 }
@_cdecl("exported_c") func exported(_ x: Int32) -> Int32 { x }
func useAuto(_ a: @autoclosure () -> Int) -> Int { a() }
@propertyWrapper struct Clamped {
  var wrappedValue: Int { didSet { wrappedValue = min(wrappedValue, 10) } };
  init(wrappedValue: Int) { self.wrappedValue = wrappedValue }; var projectedValue: Int { 3 }
}
final class Wrapped: NSObject { @Clamped var level: Int = 3; func tapped(_ sender: Any) {} }
func inoutClosure(_ f: @escaping @Sendable (Int) async throws -> Void) -> @Sendable (Int) async throws -> Void { f }
struct Shape: Equatable, Hashable, Codable { var name: String; var n: Int }
enum Err: Error { case bad(code: Int), worse }

@main struct App {
  static func main() async throws {
    let m = SearchModel.make(id: 2)
    let v = Vec(x: 1, y: 2) + Vec(x: 1, y: 3)
    var w = v; w.scale(by: 3); w[0] = 3; var n = 3; w.variadic(1, 2, named: &n); w.watched = 3
    print(
      w.cached, w.length, (-w).x, w <= v, w == v, w[row: 1, col: 2], Vec["a"], w.tuple((1, 2)), w.tuple2(1, 2),
      w.unit(()), w.labelled(a: (1, 2), fn: { $0 + 1 }), w(3), (w <+> v).x, (w~~).x, w ≈≈ v, w.secret())
    let b = Box(3);
    print(
      b.map { $0 + 1 }.sum(with: b), [1].total(), Optional(1).orDie("x"), "x".shout, Box.Inner(t: 3).get(),
      Box<Int>.Kind.b.name())
    var d = ["a": 1]; d.bump("a"); print(d, hiddenFn(a: 3), globalValue)
    Hidden.st()
    print(
      await m.load("x"), await m.twice("y"), m.description, await m.body, try await m.asyncProp, await m.withDefault())
    await m.queryChanged("z"); try await m.rethrow {}; await m.isolatedParam();
    print(await m.generic(1, 2), await m.some().reduce(0, +), await m.takes([1], any: m))
    let s = Store(); print(await s.bump(by: 3), await s["x"], await onDB(), await Store.shared.bump(by: 1)); s.hi()
    Namespace.Deep.Deepest.counter += 1; Namespace.Deep.Deepest().default(); Namespace.Deep.Deepest().repeat(in: 3);
    print(`raw name with spaces`(), exported(3), useAuto(n + 1))
    let wr = Wrapped(); wr.level = 30; wr.tapped(1); print(wr.level)
    let f = inoutClosure { print($0) }; try await f(3)
    let kp = \Vec.length; print(v[keyPath: kp], try SearchModel(url: URL(fileURLWithPath: "/x")) as Any)
    print(Set([Shape(name: "x", n: 3)]), try JSONEncoder().encode(Shape(name: "x", n: 1)))
    async let q = s.bump(by: 9); print(await q)
    let fn: (SearchModel) -> (Int) -> Void = { m in { x in print(x) } }; fn(m)(3)
    let method = s.hi; method()
    do { try m.typed2() } catch { print(error) }
  }
}
extension SearchModel { nonisolated func typed2() throws { throw Err.bad(code: 3) } }
