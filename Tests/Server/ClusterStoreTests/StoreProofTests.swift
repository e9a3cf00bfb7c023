import Dispatch
import MemoryStore
import Testing
import WidgetBytes
import WidgetRegistry
import WidgetSurroundings
import WidgetTestSupport

@testable import ClusterStore

/// A store of archives in memory, which may be stopped at any step.
private final class MarkedMemory: MarkedStore {
    struct State: Sendable {
        var mark: String?
        var blobs: Set<Digest> = []
        var trouble: StoreTrouble?
        /// The questions that are answered before there is trouble; `nil`: all.
        var answers: Int?
        var asked = 0
        /// Questions that have come, and true while they are not answered at all.
        var come = 0
        /// The next questions without an answer.
        var silences = 0
        var isHeld = false
        /// Met by writes alone.
        var writeTrouble: StoreTrouble?
    }

    let state: Observed<State>

    init(_ blobs: [Digest] = [], mark: String? = nil) { state = Observed(State(mark: mark, blobs: Set(blobs))) }

    private func asking<Value>(_ body: (inout State) -> Value) throws(StoreTrouble) -> Value {
        state.withLock { $0.come += 1 }
        _ = state.reaches { !$0.isHeld }
        let answer: Result<Value, StoreTrouble> = state.withLock { state in
            state.asked += 1
            if let trouble = state.trouble { return .failure(trouble) }
            if state.silences > 0 {
                state.silences -= 1
                return .failure(.silent("it slept"))
            }
            if let answers = state.answers, state.asked > answers { return .failure(.silent("it stopped")) }
            return .success(body(&state))
        }
        return try answer.get()
    }

    func mark() throws(StoreTrouble) -> String? { try asking { $0.mark } }

    func setMark(_ text: String) throws(StoreTrouble) {
        if let trouble = state.value.writeTrouble { throw trouble }
        try asking { $0.mark = text }
    }

    func holdsWhole(_ blob: StoredBlob) throws(StoreTrouble) -> Bool { try asking { $0.blobs.contains(blob.digest) } }
}

/// A catalog in memory with a tie, whose steps fail as well.
private final class TiedMemory: TiedCatalog {
    struct State: Sendable {
        var tie: StoreTie?
        /// The questions about the tie that are answered before there is trouble; `nil`: all.
        var answers: Int?
    }

    let state = Observed(State())
    private let making = Guarded(false)
    private let shown = Guarded<(@Sendable () -> String)?>(nil)
    private let catalog = MemoryCatalog()

    /// The text that a row about the process would have now.
    var row: String? { shown.withLock { $0 }?() }

    init(_ blobs: [Digest]) throws {
        try catalog.write { editor, _ throws(RegistryError) in
            let bundle = try editor.insertBundle("com.example.clock", name: "Clock")
            for (number, digest) in blobs.enumerated() {
                let release = Release(
                    bundleIdentifier: "com.example.clock", key: "1.\(number)~1", shortVersion: "1.\(number)",
                    build: "1",
                    name: "Clock", digest: digest, contentDigest: digest, byteCount: 100 + number, published: 0,
                    publishedBy: "ci", isSnapshot: false)
                _ = try editor.insert(
                    ReleaseRecord(release, ofBundle: bundle), ReleaseDocuments(files: [1], report: [1]))
            }
        }
    }

    private func asking<Value>(_ body: (inout State) -> Value) throws(RegistryError) -> Value {
        let answer: Result<Value, RegistryError> = state.withLock { state in
            if let answers = state.answers {
                guard answers > 0 else { return .failure(.unavailable(CatalogFailure("it stopped"))) }
                state.answers = answers - 1
            }
            return .success(body(&state))
        }
        return try answer.get()
    }

    func tie() throws(RegistryError) -> StoreTie? { try asking { $0.tie } }

    func renameTie(_ name: String) throws(RegistryError) {
        try asking { $0.tie = StoreTie(name: name, isSettled: false) }
    }

    func settleTie(_ name: String) throws(RegistryError) {
        try asking { state in if state.tie?.name == name { state.tie?.isSettled = true } }
    }

    func makingTie(_ body: () -> Void) throws(RegistryError) { making.withLock { _ in body() } }

    func showStore(_ state: @escaping @Sendable () -> String) { shown.withLock { $0 = state } }

    func othersReachStore(laterBy pause: Duration, than ago: Duration) -> Bool { false }

    // MARK: The rest

    func read<Value>(_ body: (any CatalogReader) throws(RegistryError) -> Value) throws(RegistryError) -> Value {
        try catalog.read(body)
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any CatalogEditor, inout [RegistryChange]) throws(RegistryError) -> Value
    ) throws(RegistryError) -> Value { try catalog.write(body) }

    func follow(_ observer: @escaping @Sendable ([RegistryChange]) -> Void) {}

    func complaints() throws(RegistryError) -> [String] { [] }

    func lastRun(of task: HousekeepingTask) -> Int64? { nil }

    func noteRun(of task: HousekeepingTask, at time: Int64) {}
}

/// Goal: nothing is kept in a store that is not the catalog's, and the right one is always found. Method: stores and catalogs in
/// memory, in every pairing, stopped after every step.
@Suite struct `A store of archives and its catalog` {
    private static let own = (1...5).map { Digest.sha256([UInt8($0)]) }.compactMap { $0 }
    private static let others = (6...9).map { Digest.sha256([UInt8($0)]) }.compactMap { $0 }

    private func proof(_ store: MarkedMemory, _ catalog: TiedMemory, seed: UInt64 = 1) -> StoreProof {
        StoreProof(store, catalog, SeededChance(seed: seed))
    }

    private func isProven(_ store: MarkedMemory, _ catalog: TiedMemory, seed: UInt64 = 1) -> Bool {
        (try? proof(store, catalog, seed: seed).run(isFirst: true)) != nil
    }

    @Test func `An empty catalog ties the store that it finds, and no other one is taken afterwards`() throws {
        let (catalog, store) = (try TiedMemory([]), MarkedMemory())
        #expect(isProven(store, catalog) && isProven(store, catalog))
        #expect(catalog.state.withLock { $0.tie?.isSettled } == true)
        for _ in 1...2 {
            #expect(
                throws: StoreProofError.another(
                    "the store of archives has no mark of a registry, and that of this catalog has one")
            ) {
                try proof(MarkedMemory(), catalog).run(isFirst: true)
            }
            #expect(throws: StoreProofError.another("the store of archives is tied to another catalog")) {
                try proof(store, TiedMemory([])).run(isFirst: true)
            }
        }
    }

    @Test(arguments: [true, false])
    func `An older catalog is taken over where one of its archives is, in both orders`(isRightFirst: Bool) throws {
        let catalog = try TiedMemory(Self.own)
        let (right, wrong) = (MarkedMemory([Self.own[4]]), MarkedMemory(Self.others))
        // The smallest three are looked for.
        right.state.withLock { _ = $0.blobs.insert(Self.own[1]) }
        for _ in 1...2 {
            if isRightFirst { #expect(isProven(right, catalog)) }
            #expect(!isProven(wrong, catalog) && wrong.state.withLock { $0.mark } == nil)
            #expect(isProven(right, catalog))
        }
    }

    @Test func `A store that refuses or is silent proves nothing, and changes nothing`() throws {
        for trouble in [StoreTrouble.refused("403"), .silent("gone")] {
            let (catalog, store) = (try TiedMemory([]), MarkedMemory())
            store.state.withLock { $0.trouble = trouble }
            #expect(throws: StoreProofError.store(trouble)) { try proof(store, catalog).run(isFirst: true) }
            #expect(catalog.state.withLock { $0.tie } == nil)
        }
    }

    @Test func `Archives that were moved are compared before their new store is tied`() throws {
        let (catalog, store) = (try TiedMemory(Self.own), MarkedMemory(Self.own))
        #expect(isProven(store, catalog))
        let moved = MarkedMemory(Array(Self.own.dropFirst()))
        #expect(throws: StoreProofError.self) { try proof(moved, catalog).adopt() }
        #expect(throws: StoreProofError.self) { try proof(moved, TiedMemory([])).adopt() }
        #expect(moved.state.withLock { $0.mark } == nil)
        moved.state.withLock { _ = $0.blobs.insert(Self.own[0]) }
        #expect(try proof(moved, catalog, seed: 2).adopt() == 5)
        #expect(isProven(moved, catalog) && !isProven(store, catalog))
    }

    @Test func `Of two stores with which one catalog begins at once, one is its own`() throws {
        for seed in UInt64(0)..<40 {
            let (catalog, stores) = (try TiedMemory([]), [MarkedMemory(), MarkedMemory()])
            DispatchQueue.concurrentPerform(iterations: 4) { number in
                _ = isProven(stores[number % 2], catalog, seed: seed * 10 + UInt64(number))
            }
            #expect(stores.count { isProven($0, catalog) } == 1)
        }
    }

    @Test func `A look says what a start would, and writes nothing`() throws {
        let (catalog, store) = (try TiedMemory(Self.own), MarkedMemory(Self.own))
        #expect(try proof(store, catalog).look().contains("not tied"))
        #expect(store.state.withLock { $0.mark } == nil && catalog.state.withLock { $0.tie } == nil)
        #expect(throws: StoreProofError.self) { try proof(MarkedMemory(), catalog).look() }
        #expect(isProven(store, catalog))
        #expect(try proof(store, catalog).look() == "the one of this catalog")
        #expect(throws: StoreProofError.self) { try proof(MarkedMemory(Self.own), catalog).look() }
    }

    /// The law: two catalogs, and stores of which each has the archives of one or of none; any of them begins at any time and
    /// ends after any step. A store is never proven to be that of two catalogs, nor one without a catalog's archives that of a
    /// catalog with archives; and a catalog whose store has its archives and is not another's always gets it in the end.
    @Test func `After an end at any step a store is that of one catalog, and a catalog finds its own`() throws {
        for seed in UInt64(0)..<2_000 {
            let chance = SeededChance(seed: seed)
            func draw(_ count: UInt64) -> Int { Int(chance.next() % count) }
            let contents = [draw(2) == 0 ? [] : Self.own, draw(2) == 0 ? [] : Self.others]
            let catalogs = try contents.map { try TiedMemory($0) }
            let stores = [MarkedMemory(contents[0]), MarkedMemory(contents[1]), MarkedMemory()]
            var proven: [Int: Set<Int>] = [:]
            for step in 0..<12 {
                let (c, s) = (draw(2), draw(3))
                let (catalog, store) = (catalogs[c], stores[s])
                let cut = draw(8)
                if draw(3) == 0 {
                    store.state.withLock { $0.answers = $0.asked + cut }
                } else if draw(3) == 0 {
                    catalog.state.withLock { $0.answers = cut }
                }
                if isProven(store, catalog, seed: seed &* 100 &+ UInt64(step)) { proven[s, default: []].insert(c) }
                store.state.withLock { $0.answers = nil }
                catalog.state.withLock { $0.answers = nil }
            }
            for c in 0...1 {
                let held = stores.indices.filter { isProven(stores[$0], catalogs[c], seed: seed &* 7 &+ 5) }
                #expect(held.count <= 1, "seed \(seed): catalog \(c) has stores \(held)")
            }
            for (s, owners) in proven {
                #expect(owners.count == 1, "seed \(seed): store \(s) is that of both catalogs")
                for c in owners where !contents[c].isEmpty { #expect(s == c, "seed \(seed)") }
            }
            for c in 0...1 where !contents[c].isEmpty {
                // An empty catalog may have tied a store before: then its archives have to be moved, or it was
                // begun with by mistake.
                guard proven[c]?.contains(1 - c) != true,
                    stores[c].state.withLock({ $0.mark }).map({ mark in
                        catalogs[c].state.withLock { $0.tie }.map { mark.contains($0.name) } ?? false
                    }) ?? true
                else { continue }
                #expect(isProven(stores[c], catalogs[c], seed: seed &+ 77), "seed \(seed): catalog \(c)")
            }
        }
    }
}

/// Goal: a trouble of the store is named in time, and for what it is. Method: a watch by a clock that the test moves, over a
/// store in memory.
@Suite struct `A watch of a store of archives` {
    private let clock = ManualClock()
    private let store = MarkedMemory()
    private let catalog: TiedMemory
    private let watch: StoreWatch
    private let heard = Observed<[StoreTrouble?]>([])

    init() throws {
        catalog = try TiedMemory([])
        watch = StoreWatch(store, catalog, in: World(clock: clock)) {}
        #expect(watch.begin() == nil && watch.isProven && watch.trouble == nil)
        watch.follow { [heard] trouble in heard.withLock { $0.append(trouble) } }
    }

    /// Returns when the watch rests, and no question is under way.
    private func rests() async {
        let next = clock.now + .seconds(3)
        await clock.waits { $0 == [next] }
    }

    /// Has looks happen, and those that follow at once.
    private func looks(_ count: Int = 1) async {
        for _ in 0..<count {
            await rests()
            clock.advance(by: .seconds(3))
        }
        await rests()
    }

    @Test func `A refusal, a silence and their ends are noted, and the store stays the catalog's`() async {
        for trouble in [StoreTrouble.refused("403"), .silent("gone")] {
            store.state.withLock { $0.trouble = trouble }
            await looks()
            #expect(watch.trouble == trouble && watch.isProven && catalog.row == trouble.reason)
            store.state.withLock { $0.trouble = nil }
            await looks()
            #expect(watch.trouble == nil && catalog.row == "ok")
        }
        #expect(heard.value == [.refused("403"), nil, .silent("gone"), nil])
        watch.end()
    }

    @Test func `Another mark, or none, closes the store until its own is back`() async {
        let mark = store.state.value.mark
        for (other, words) in [("widgetd registry x\n", "tied to another"), (nil, "no mark")] {
            store.state.withLock { $0.mark = other }
            await looks()
            #expect(!watch.isProven && catalog.row?.contains(words) == true)
            store.state.withLock { $0.mark = mark }
            await looks()
            #expect(watch.isProven && watch.trouble == nil)
        }
        watch.end()
    }

    @Test func `One question without an answer makes no trouble`() async {
        let asked = store.state.value.asked
        await rests()
        store.state.withLock { $0.silences = 1 }
        await looks()
        // It was asked once more at once.
        #expect(store.state.value.asked == asked + 2)
        #expect(watch.trouble == nil && watch.isProven && heard.value.isEmpty && catalog.row == "ok")
        watch.end()
    }

    @Test func `A question that hangs is a trouble while it does, for others as well`() async {
        await rests()
        let come = store.state.value.come
        store.state.withLock { $0.isHeld = true }
        clock.advance(by: .seconds(3))
        await store.state.becomes { $0.come > come }
        let end = clock.now + .seconds(8)
        await clock.waits { $0 == [end] }
        #expect(watch.trouble == nil)
        clock.advance(by: .seconds(8))
        let trouble = StoreTrouble.silent("a question to it was not answered within 8 s")
        #expect(watch.trouble == trouble && catalog.row == trouble.reason && heard.value == [trouble])
        store.state.withLock { $0.isHeld = false }
        await looks(0)
        #expect(watch.trouble == nil && heard.value == [trouble, nil])
        watch.end()
    }

    @Test func `Writes that are refused while reads are answered are a trouble once a look has tried one, for as long`()
        async
    {
        let refusal = StoreTrouble.refused("403 AccessDenied")
        store.state.withLock { $0.writeTrouble = refusal }
        await looks()
        #expect(watch.trouble == nil)
        watch.tryWriting()
        // One request alone says nothing of the store.
        #expect(watch.trouble == nil)
        await looks(2)
        #expect(watch.trouble == refusal && watch.isProven && catalog.row == refusal.reason)
        store.state.withLock { $0.writeTrouble = nil }
        await looks()
        #expect(watch.trouble == nil && heard.value == [refusal, nil])
        watch.end()
    }

    @Test func `A trouble that began before is heard as well`() async {
        store.state.withLock { $0.trouble = .refused("403") }
        await looks()
        let later = Observed<[StoreTrouble?]>([])
        watch.follow { trouble in later.withLock { $0.append(trouble) } }
        #expect(later.value == [.refused("403")])
        watch.end()
    }

    @Test func `A catalog that cannot be asked makes no trouble of the store, and looks keep their pace`() async {
        await rests()
        let asked = store.state.value.asked
        // The look that follows a doubt at once finds no catalog.
        store.state.withLock { $0.silences = 1 }
        catalog.state.withLock { $0.answers = 1 }
        await looks(4)
        #expect(watch.trouble == nil && watch.isProven && store.state.value.asked == asked + 1)
        watch.end()
    }
}
