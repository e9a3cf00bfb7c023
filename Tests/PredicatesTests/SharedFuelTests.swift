import Predicates
import Synchronization
import Testing

/// Goal: what several evaluations share is used up by what each has taken, however it ended.
@Suite struct `Steps that evaluations share` {
    private final class Tank: PredicateMeter {
        private let rest: Atomic<Int>
        let textByteCount = Int.max

        init(_ steps: Int) { rest = Atomic(steps) }

        var left: Int { max(0, rest.load(ordering: .relaxed)) }

        func spend(_ steps: Int) { rest.wrappingSubtract(steps, ordering: .relaxed) }

        func noteLongText() {}
    }

    /// Letters are as many as one program may have, so both ways of matching are tried.
    @Test(arguments: ["(a*)*(a|aa|aaa|b?){1,40}(a+)+c", "(a|b)*c"])
    func `are taken by a pattern that never comes to an end`(pattern: String) throws {
        let predicate = try CompiledPredicate("SELF MATCHES %@", arguments: [.string(pattern)])
        let tank = Tank(300_000)
        let text = PredicateValue.string(String(repeating: "a", count: 400_000))
        var ends = 0
        for _ in 0..<3 {
            do throws(PredicateError) {
                _ = try predicate.holds(for: text, environment: PredicateEnvironment(meter: tank))
            } catch {
                #expect(error.code == .fuelLimit)
                ends += 1
            }
        }
        #expect(ends == 3 && tank.left == 0)
    }

    @Test func `are taken for values that hold themselves, before anybody looks through them`() throws {
        let doubled = (0..<60).map { _ in "($a := {$a, $a})[SIZE] == 2" }.joined(separator: " AND ")
        for end in ["CAST($a, 'NSString') == 'x'", "$a == $a", "$a IN {1, 2}"] {
            let predicate = try CompiledPredicate("($a := {1, 1})[SIZE] == 2 AND \(doubled) AND \(end)")
            let error = #expect(throws: PredicateError.self) { _ = try predicate.holds(for: .null) }
            #expect(error?.code == .fuelLimit)
        }
    }

    @Test func `are counted for a value as far as they reach`() {
        let row = PredicateValue.dictionary(PredicateDictionary([("a", .string(String(repeating: "x", count: 160)))]))
        let value = PredicateValue.array(Array(repeating: row, count: 10))
        #expect(value.weight(upTo: 1_000) == 1 + 10 * (1 + 1 + 10))
        #expect(value.weight(upTo: 100) == nil)
        let extent = ValueExtent(of: value)
        #expect(extent.count == 21 && extent.depth == 2 && !extent.hasObjects)
    }
}
