import Testing

@testable import MainstayTrace

@Suite("A function's name")
struct FunctionNameTests {
  private let demangler = Demangler()

  private func name(_ symbol: String) -> FunctionName { FunctionName(symbol: symbol, demangler: demangler) }

  /// Symbol, kind (`*`: only a thunk that leads there) and name of declarations in `Names.swift`.
  private static let table = """
    $s5Names3lpgoiyAA3VecVAD_ADtF function <+>(_:_:)
    $s5Names3AppV5$mainyyYaKFZ function App.$main()
    $s5Names3AppV4mainyyYaKFZ function App.main()
    $sSa5NamesSiRszlE5totalSiyF function Array.total()
    $s5Names3BoxC5InnerV3getxyF function Box.Inner.get()
    $s5Names3BoxC5InnerV1tAEyx_Gx_tcfC initializer Box.Inner.init(t:)
    $s5Names3BoxC5InnerV1txvM accessor Box.Inner.t.modify
    $s5Names3BoxC4KindO4nameSSyF function Box.Kind.name()
    $s5Names3BoxCfD deinitializer Box.deinit
    $s5Names3BoxCyACyxGxcfC initializer Box.init(_:)
    $s5Names3BoxC3mapyACyqd__Gqd__xXEs8SendableRd__lF function Box.map(_:)
    $s5Names3BoxCAASiRszrlE3sum4withSiACySiG_tF function Box.sum(with:)
    $s5Names3BoxC1vxvs accessor Box.v.setter
    $s5Names7ClampedV12wrappedValueSivW accessor Clamped.wrappedValue.didset
    $s5Names2DBC6sharedACvau accessor DB.shared
    $s5Names2DBC15unownedExecutorScevg accessor DB.unownedExecutor.getter
    $s5Names2DBCScAAAScA15unownedExecutorScevgTW accessor* DB.unownedExecutor.getter
    $sSD5NamesSSRszSiRs_rlE4bumpyySSF function Dictionary.bump(_:)
    $s5Names6Hidden33_B013DBE28D578E39D51ACA840C05BD96LLV2goyS2iF function Hidden.go(_:)
    $s5Names7LoadingPAAE5twiceySiSSYaF function Loading.twice(_:)
    $s5Names11SearchModelC4loadySiSSYaF5LocalL_VAFycfC initializer Local.init() in SearchModel.load(_:)
    $s5Names11SearchModelC4loadySiSSYaF5LocalL_V3runSiyF function Local.run() in SearchModel.load(_:)
    $s5Names11SearchModelC4loadySiSSYaF5LocalL_V1zSivg accessor Local.z.getter in SearchModel.load(_:)
    $s5Names9NamespaceO4DeepO7DeepestC7defaultyyF function Namespace.Deep.Deepest.default()
    $s5Names9NamespaceO4DeepO7DeepestC6repeat2inySi_tF function Namespace.Deep.Deepest.repeat(in:)
    $sSq5NamesE5orDieyxSSF function Optional.orDie(_:)
    $s5Names11SearchModelC9asyncPropSivg accessor SearchModel.asyncProp.getter
    $s5Names11SearchModelC4bodySaySiGvg accessor SearchModel.body.getter
    $s5Names11SearchModelCfD deinitializer SearchModel.deinit
    $s5Names11SearchModelC11descriptionSSvg accessor SearchModel.description.getter
    $s5Names11SearchModelCs23CustomStringConvertibleAAsADP11descriptionSSvgTW accessor* SearchModel.description.getter
    $s5Names11SearchModelC7genericySixxQpRvzlF function SearchModel.generic(_:)
    $s5Names11SearchModelC2idACSi_tcfC initializer SearchModel.init(id:)
    $s5Names11SearchModelC3urlACSg20FoundationEssentials3URLV_tKcfC initializer SearchModel.init(url:)
    $s5Names11SearchModelC13isolatedParamyyScA_pSgYiYaF function SearchModel.isolatedParam(_:)
    $s5Names11SearchModelC4loadySiSSYaF function SearchModel.load(_:)
    $s5Names11SearchModelCAA7LoadingA2aDP4loadySiSSYaFTW function* SearchModel.load(_:)
    $s5Names11SearchModelC8positionSdvg accessor SearchModel.position.getter
    $s5Names11SearchModelC4rateSdvM accessor SearchModel.rate.modify
    $s5Names11SearchModelCAA7LoadingA2aDP4rateSdvMTW accessor* SearchModel.rate.modify
    $s5Names11SearchModelC7rethrowyyyyKXEKF function SearchModel.rethrow(_:)
    $s5Names11SearchModelC4someQryF function SearchModel.some()
    $s5Names11SearchModelC5takes_3anySix_AA7Loading_ptSTRzSi7ElementRtzlF function SearchModel.takes(_:any:)
    $s5Names11SearchModelC5typedyyScEYKF function SearchModel.typed()
    $s5Names11SearchModelC11withDefault1a1bS2i_SStF function SearchModel.withDefault(a:b:)
    $s5Names5ShapeV10CodingKeys33_B013DBE28D578E39D51ACA840C05BD96LLO11stringValueSSvg accessor Shape.CodingKeys.stringValue.getter
    $s5Names5ShapeV10CodingKeys33_B013DBE28D578E39D51ACA840C05BD96LLOs0C3KeyAAsAGP11stringValueSSvgTW accessor* Shape.CodingKeys.stringValue.getter
    $s5Names5ShapeV6encode2toys7Encoder_p_tKF function Shape.encode(to:)
    $s5Names5ShapeVSEAASE6encode2toys7Encoder_p_tKFTW function* Shape.encode(to:)
    $s5Names5ShapeV4fromACs7Decoder_p_tKcfC initializer Shape.init(from:)
    $s5Names5ShapeVSeAASe4fromxs7Decoder_p_tKcfCTW initializer* Shape.init(from:)
    $s5Names5StoreC4bump2byS2i_tF function Store.bump(by:)
    $s5Names5StoreC2hiyyF function Store.hi()
    $s5Names5StoreCySiSScig accessor Store.subscript(_:).getter
    $sSS5NamesE5shoutSSvg accessor String.shout.getter
    $s5Names3VecV6cachedSdvg accessor Vec.cached.getter
    $s5Names3VecV14callAsFunctionyS2iF function Vec.callAsFunction(_:)
    $s5Names3VecV8labelled1a2fnS2i1x_Si1yt_S2iXEtF function Vec.labelled(a:fn:)
    $s5Names3VecV5scale2by_ySd_SdtF function Vec.scale(by:_:)
    $s5Names3VecV6secret33_B013DBE28D578E39D51ACA840C05BD96LLSiyF function Vec.secret()
    $s5Names3VecVySdSicis accessor Vec.subscript(_:).setter
    $s5Names3VecV3row3colSdSi_Sitcig accessor Vec.subscript(row:col:).getter
    $s5Names3VecV5tupleyS2i_Sit_tF function Vec.tuple(_:)
    $s5Names3VecV6tuple2yS2i_SitF function Vec.tuple2(_:_:)
    $s5Names3VecV4unitySiyt_tF function Vec.unit(_:)
    $s5Names3VecV8variadic_5namedySid_SiztF function Vec.variadic(_:named:)
    $s5Names3VecV7watchedSivw accessor Vec.watched.willset
    $s5Names7WrappedC6$levelSivg accessor Wrapped.$level.getter
    $s5Names7WrappedC6_level33_B013DBE28D578E39D51ACA840C05BD96LLAA7ClampedVvg accessor Wrapped._level.getter
    $sSa5NamesSiRszlE5totalSiyFS2icfU_ closure closure 1 in Array.total()
    $s5Names11SearchModelC4bodySaySiGvgS2iXEfU_ closure closure 1 in SearchModel.body
    $s5Names3VecV6cachedSdvgSdyXEfU_ closure closure 1 in Vec.cached
    $s5Names11SearchModelC4loadySiSSYaFS2iXEfU_S2iXEfU_ closure closure 1 in closure 1 in SearchModel.load(_:)
    $s5Names11SearchModelC4loadySiSSYaFS2iXEfU_S2iXEfU_TA closure* closure 1 in closure 1 in SearchModel.load(_:)
    $s5Names3AppV4mainyyYaKFZySicAA11SearchModelCcfU3_ySicfU_ closure closure 1 in closure 5 in App.main()
    $s5Names11globalValueSaySiGvpfiS2iXEfU_ closure closure 1 in globalValue
    $s5Names11SearchModelC12queryChangedyySSFyyYacfU0_ closure closure 2 in SearchModel.queryChanged(_:)
    $s5Names11SearchModelC12queryChangedyySSFyyYacfU0_TA closure* closure 2 in SearchModel.queryChanged(_:)
    $s5Names11SearchModelC11withDefault1a1bS2i_SStFfA0_ defaultArgument default argument 1 of SearchModel.withDefault(a:b:)
    $s5Names3VecV5scale2by_ySd_SdtFfA0_ defaultArgument default argument 1 of Vec.scale(by:_:)
    $s5Names8exportedys5Int32VADF function exported(_:)
    $s5Names11globalValueSaySiGvau accessor globalValue
    $s5Names11SearchModelC4loadySiSSYaF6helperL__5scaleS2i_SitF localFunction helper(_:scale:) in SearchModel.load(_:)
    $s5Names8hiddenFn33_B013DBE28D578E39D51ACA840C05BD96LL1aS2i_tF function hiddenFn(a:)
    $s5Names3AppV4mainyyYaKFZS2i_SitYbcfu_ implicitClosure implicit closure 1 in App.main()
    $s5Names3AppV4mainyyYaKFZSiyYacfu1_ implicitClosure implicit closure 3 in App.main()
    $s5Names3AppV4mainyyYaKFZSiyYacfu1_TA implicitClosure* implicit closure 3 in App.main()
    $s5Names11SearchModelC8positionSdvpfi initialValue initial value of SearchModel.position
    $s5Names11globalValue_WZ initialValue initial value of globalValue
    $s5Names11SearchModelC4loadySiSSYaF5laterL_yS2iYaF localFunction later(_:) in SearchModel.load(_:)
    $s5Names4onDBSiyYaF function onDB()
    $s5Names7WrappedC5levelSivpfF initialValue property wrapper of Wrapped.level
    $s5Names2DBC6sharedACvgZ accessor static DB.shared.getter
    $s5Names2DBCs11GlobalActorAAsADP6shared0D4TypeQzvgZTW accessor* static DB.shared.getter
    $s5Names6Hidden33_B013DBE28D578E39D51ACA840C05BD96LLV2styyFZ function static Hidden.st()
    $s5Names9NamespaceO4DeepO7DeepestC7counterSivsZ accessor static Namespace.Deep.Deepest.counter.setter
    $s5Names11SearchModelC4make2idACXDSi_tFZ function static SearchModel.make(id:)
    $s5Names11SearchModelCAA7LoadingA2aDP4make2idxSi_tFZTW function* static SearchModel.make(id:)
    $s5Names3VecV1poiyA2C_ACtFZ function static Vec.+(_:_:)
    $s5Names3VecV1sopyA2CFZ function static Vec.-(_:)
    $s5Names3VecV2leoiySbAC_ACtFZ function static Vec.<=(_:_:)
    $s5Names3VecV2eeoiySbAC_ACtFZ function static Vec.==(_:_:)
    $s5Names3VecVySiSScigZ accessor static Vec.subscript(_:).getter
    $s5Names7useAutoyS2iyXKF function useAuto(_:)
    $s5Names2ttoPyAA3VecVADF function ~~(_:)
    $s5Names004dchaoiySbAA3VecV_ADtF function ≈≈(_:_:)
    $s5Names0031rawnamewithspaces_tqaeeCHJAHiuaSiyF function `raw name with spaces`()
    """

  @Test("is what a Swift developer would write", arguments: table.split(separator: "\n").map(String.init))
  func golden(row: String) throws {
    let fields = row.split(separator: " ", maxSplits: 2).map(String.init)
    let name = name(fields[0])
    #expect(name.display == fields[2])
    #expect("\(name.kind)\(name.isThunk ? "*" : "")" == fields[1])
    #expect(name.resume == nil && name.key == fields[0])
  }

  @Test("table speaks of symbols that the compiler makes")
  func goldenIsReal() throws {
    let image = try CompiledProgram.named("Names", .debug).image
    let symbols = Set(image.symbols(withPrefix: "$s").map(\.name))
    let rows = Self.table.split(separator: "\n").map { $0.split(separator: " ")[0] }
    #expect(rows.count >= 60)
    #expect(rows.filter { !symbols.contains(String($0)) } == [])
  }

  @Test("is known for every function of a program", arguments: [CompiledProgram.Build.debug, .withoutLines])
  func everything(build: CompiledProgram.Build) throws {
    for program in ["Names", "Awaits", "Tasks"] {
      let image = try CompiledProgram.named(program, build).image
      let names = image.functions { _ in true }.map { name($0.name) }
      #expect(names.count > 50)
      #expect(names.filter { $0.kind == .unknown }.map(\.display) == [])
      #expect(names.allSatisfy { !$0.display.isEmpty && !$0.display.contains("Swift.") })
    }
  }

  @Test("has the module, the type and the declaration around it")
  func parts() {
    let method = name("$s5Names9NamespaceO4DeepO7DeepestC6repeat2inySi_tF")
    #expect(method.module == "Names" && method.type == "Namespace.Deep.Deepest" && method.enclosing == nil)
    let closure = name("$s5Names11SearchModelC4loadySiSSYaFS2iXEfU_S2iXEfU_")
    #expect(closure.enclosing == "closure 1 in SearchModel.load(_:)" && closure.type == "SearchModel")
    #expect(closure.module == "Names")
    let inExtension = name("$sSa5NamesSiRszlE5totalSiyF")
    #expect(inExtension.module == "Names" && inExtension.type == "Array")
    let witness = name("$s5Names11SearchModelCAA7LoadingA2aDP4loadySiSSYaFTW")
    #expect(witness.module == "Names" && witness.type == "SearchModel" && witness.isThunk)
    let global = name("$s5Names11globalValue_WZ")
    #expect(global.module == "Names" && global.display == "initial value of globalValue")
    let defaulted = name("$s5Names3VecV5scale2by_ySd_SdtFfA0_")
    #expect(defaulted.enclosing == "Vec.scale(by:_:)")
    let member = name("$s5Names11SearchModelC4loadySiSSYaF5LocalL_V3runSiyF")
    #expect(member.type == "Local" && member.enclosing == "SearchModel.load(_:)")
  }

  @Test("has one key for every piece of an async function, and the piece's ordinal")
  func pieces() {
    let key = "$s5Names11SearchModelC4loadySiSSYaF"
    #expect(name(key).resume == nil)
    #expect(name(key + "TY0_").resume == .init(ordinal: 1, kind: .executorChange))
    #expect(name(key + "TQ13_").resume == .init(ordinal: 14, kind: .awaitReturn))
    #expect(name(key + "TY2_.cold").resume == .init(ordinal: 3, kind: .executorChange))
    for suffix in ["", "TY0_", "TQ13_", "TY2_.cold", ".resume.0", ".llvm.77"] {
      #expect(name(key + suffix).key == key && name(key + suffix).sourceKey == key)
      #expect(name(key + suffix).display == "SearchModel.load(_:)")
    }
    // The 42nd forwarder of a name is a function of its own.
    let forwarder = name("$sIetH_yts5Error_pIegHrzo_TRTA.42TQ0_")
    #expect(forwarder.key == "$sIetH_yts5Error_pIegHrzo_TRTA.42")
    #expect(forwarder.resume?.ordinal == 1 && forwarder.kind == .thunk && forwarder.isThunk)
    #expect(name("async_MainTQ0_").key == "async_Main" && name("async_MainTQ0_").isThunk)
  }

  @Test(
    "leads back to the name in source through specialisations and forwarders",
    arguments: [
      ("$s6shapes3AppV4mainyyYaKFZTf4d_nTQ20_", "$s6shapes3AppV4mainyyYaKFZ", "App.main()"),
      ("$s2tc5StoreC4kickyyFyyYacfU_TATQ0_", "$s2tc5StoreC4kickyyFyyYacfU_", "closure 1 in Store.kick()"),
      ("$s2tc5StoreC4kickyyFyyYacfU_TATu", "$s2tc5StoreC4kickyyFyyYacfU_", "closure 1 in Store.kick()"),
      (
        "$ss10_NativeSetV6resize8capacityySi_tF5Names5ShapeV_Tg5", "$ss10_NativeSetV6resize8capacityySi_tF",
        "_NativeSet.resize(capacity:)"
      ),
      ("$s5Names11SearchModelC2idACSi_tcfCTm", "$s5Names11SearchModelC2idACSi_tcfC", "SearchModel.init(id:)"),
      (
        "$sShyShyxGqd__nc7ElementQyd__RszSTRd__lufC5Names5ShapeV_SayAFGTt0g5Tf4g_n",
        "$sShyShyxGqd__nc7ElementQyd__RszSTRd__lufC", "Set.init(_:)"
      ),
    ])
  func source(symbol: String, key: String, display: String) {
    #expect(name(symbol).sourceKey == key)
    #expect(name(symbol).display == display)
  }

  @Test("of a shared thunk says that it names nothing")
  func thunks() {
    let thunk = name("$sxIeAgHr_xs5Error_pIegHrzo_s8SendableRzs5NeverORs_r0_lTRTA.103")
    #expect(thunk.display == "reabstraction thunk" && thunk.kind == .thunk && thunk.isThunk)
  }

  @Test("of C and C++ stays in their words")
  func foreign() {
    #expect(name("sqlite3_step").display == "sqlite3_step")
    #expect(name("sqlite3_step.cold").display == "sqlite3_step")
    #expect(name("_ZN5swift11TaskContext3runEi").display == "swift::TaskContext::run(int)")
    #expect(name("sqlite3_step").kind == .foreign && name("__swift_memcpy9_8").kind == .compilerGenerated)
  }

  @Test(
    "of a damaged image is harmless", arguments: ["$s\u{1b}[31m", "a\u{7}b", "$s", "", "_Z", "$s5NamesTY9999999999_"])
  func damaged(symbol: String) {
    let name = name(symbol)
    #expect(name.display.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    #expect(name.kind == .unknown || name.kind == .foreign)
  }

  @Test("of a text too long to read is its beginning")
  func long() {
    let name = DemangledName(String(repeating: "(", count: 100_000))
    #expect(name.kind == .unknown && name.display.count == 121)
  }

  @Test("is found for names damaged anywhere, or is shown as it is")
  func mutations() {
    var random = SeededGenerator(state: 7)
    for row in Self.table.split(separator: "\n") {
      let text = DemangledText(text: demangler.demangle(String(row.split(separator: " ")[0])) ?? "")
      for _ in 0..<20 {
        // The demangler's text and not the symbol: a wrong symbol is the runtime's affair.
        var damaged = Array(text)
        let byte = Array("()<>[]{}`.:# ->@".utf8).randomElement(using: &random) ?? 0
        damaged[Int.random(in: 0..<damaged.count, using: &random)] = byte
        let cut = damaged.prefix(Int.random(in: 0...damaged.count, using: &random))
        for text in [damaged, Array(cut)] {
          #expect(DemangledName(String(decoding: text, as: UTF8.self)).display.utf8.count <= 3 * text.count + 64)
        }
      }
    }
  }
}
