import RegistryContract
import Testing
import WidgetBytes
import WidgetHTTPServer

@testable import RegistryServer

@Suite struct `Recent values` {
    @Test func `Recent values stay within their budget, and the used ones stay longest`() {
        var values = RecentValues<Int, String>(budget: 100)
        for key in 0..<1_000 {
            values.insert("\(key)", for: key, subject: "s", cost: 1)
            _ = values.value(for: 0)
            #expect(values.cost <= 100)
        }
        #expect(values.value(for: 0) == "0")
        #expect(values.value(for: 999) == "999")
        #expect(values.value(for: 1) == nil)
    }

    @Test func `Recent values are not evicted by one that is too large`() {
        var values = RecentValues<Int, String>(budget: 100)
        values.insert("small", for: 1, subject: "s", cost: 1)
        values.insert("large", for: 2, subject: "s", cost: 51)
        #expect(values.value(for: 1) == "small")
        #expect(values.value(for: 2) == nil)
    }

    @Test func `Recent values are evicted by their subject`() {
        var values = RecentValues<Int, String>(budget: 100)
        for key in 0..<80 { values.insert("\(key)", for: key, subject: key % 2 == 0 ? "even" : "odd", cost: 1) }
        values.removeAll(about: "even")
        #expect((30..<80).allSatisfy { values.value(for: $0) == ($0 % 2 == 0 ? nil : "\($0)") })
        values.removeAll { $0 > 40 }
        #expect((41..<80).allSatisfy { values.value(for: $0) == nil })
        #expect(values.count == values.cost)
    }

    @Test func `Recent values are replaced under their key`() {
        var values = RecentValues<Int, String>(budget: 100)
        values.insert("old", for: 1, subject: "a", cost: 10)
        values.insert("new", for: 1, subject: "b", cost: 20)
        #expect(values.cost == 20)
        values.removeAll(about: "a")
        #expect(values.value(for: 1) == "new")
    }
}

@Suite struct `The cache of answers` {
    private typealias Cache = ReadCache<String, Int>

    @Test func `The cache makes a value once for all readers that ask at the same time`() throws {
        let cache = Cache(budget: 100, queue: WorkQueue("test", width: 4))
        let made = Guarded(0)
        let gate = Gate()
        let received = Gate()
        for _ in 0..<10 {
            cache.load("key") { () throws(Problem) in
                gate.wait()
                return (
                    value: made.withLock {
                        $0 += 1; return $0
                    }, subject: "s", cost: 1
                )
            } then: { _ in
                received.open()
            }
        }
        gate.open()
        for _ in 0..<10 { received.wait() }
        #expect(made.withLock { $0 } == 1)
        #expect(cache["key"] == 1)
    }

    //  reader                     writer
    //  make begins, reads 1
    //                             commits 2, forgets
    //  keeps 1?                                        no: it was read under an older edition
    //  asks again: is not handed 1, but makes 2
    @Test func `The cache does not keep a value that was read before a change`() throws {
        let cache = Cache(budget: 100, queue: WorkQueue("test", width: 4))
        let (begun, gate, first, second) = (Gate(), Gate(), Gate(), Gate())
        let seen = Guarded<[Int]>([])
        cache.load("key") { () throws(Problem) in
            begun.open()
            gate.wait()
            return (value: 1, subject: "s", cost: 1)
        } then: { result in
            if case .success(let value) = result { seen.withLock { $0.append(value) } }
            first.open()
        }
        begun.wait()
        cache.forget(about: "s")
        cache.load("key") { () throws(Problem) in
            (value: 2, subject: "s", cost: 1)
        } then: { result in
            if case .success(let value) = result { seen.withLock { $0.append(value) } }
            second.open()
        }
        second.wait()
        gate.open()
        first.wait()
        #expect(seen.withLock { $0 } == [2, 1])
        #expect(cache["key"] == 2)
    }

    @Test func `The cache keeps no failure`() throws {
        let cache = Cache(budget: 100, queue: WorkQueue("test", width: 1))
        let done = Gate()
        cache.load("key") { () throws(Problem) in
            throw ProblemCatalogue.problem(.noSuchBlob, "no")
        } then: { result in
            if case .failure(let problem) = result { #expect(problem.code == "no-such-blob") }
            done.open()
        }
        done.wait()
        #expect(cache["key"] == nil)
    }
}

@Suite struct `A queue of work` {
    @Test func `A queue of work does no more at a time than its width, and does all of it`() {
        let queue = WorkQueue("test", width: 3)
        let state = Guarded((running: 0, most: 0))
        let done = Gate()
        for _ in 0..<5_000 {
            queue.run {
                state.withLock { state in
                    state.running += 1
                    state.most = max(state.most, state.running)
                }
                state.withLock { $0.running -= 1 }
                done.open()
            }
        }
        for _ in 0..<5_000 { done.wait() }
        #expect(state.withLock { $0.most } <= 3)
    }
}
