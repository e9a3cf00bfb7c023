import Synchronization
import Testing
import WidgetTestSupport

@testable import WidgetPredicates

/// Goal: no text and no object makes an evaluation trap, hang or grow without bound.
@Suite struct `Limits` {
    private func code(_ body: () throws(PredicateError) -> Void) -> PredicateError.Code? {
        do throws(PredicateError) {
            try body()
            return nil
        } catch {
            return error.code
        }
    }

    private func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    @Test(arguments: [
        "(", "NOT ", "!", "-", "~", "{", "a[", "sum(", "SUBQUERY(", "TERNARY(", "ANY ", "CAST(", "FUNCTION(", "$x := ",
        "1 + (", "a == (", "{{", "a.b[c[",
    ])
    func `The limit of nesting refuses a hundred thousand opening signs`(_ opening: String) {
        #expect(
            code { () throws(PredicateError) in _ = try SyntaxTree.either(repeated(opening, 100_000) + "1") }
                == .nestingLimit)
    }

    @Test func `The limit of nesting leaves room for predicates that people write`() throws {
        let text = repeated("(", 150) + "a == 1" + repeated(")", 150)
        #expect(try SyntaxTree.predicate(text).printed.text == "a == 1")
    }

    @Test func `The limit of depth holds for long sums, which need no parentheses`() throws {
        let sum = { (count: Int) in "1" + repeated(" + 1", count) }
        #expect(try CompiledExpression(sum(900)).value(for: .null).isIdentical(to: .integer(901)))
        #expect(code { () throws(PredicateError) in _ = try SyntaxTree.expression(sum(1_000)) } == .nestingLimit)
        #expect(
            code { () throws(PredicateError) in _ = try SyntaxTree.expression("a" + repeated("[0]", 1_000)) }
                == .nestingLimit)
    }

    @Test func `The limit of depth does not hold for long conjunctions, which are flat`() throws {
        let text = "a == 1" + repeated(" AND a == 1", 5_000)
        let object = PredicateValue.dictionary(PredicateDictionary([("a", .integer(1))]))
        #expect(try CompiledPredicate(text).holds(for: object))
    }

    @Test func `The limits of length and of parts have separate error codes`() {
        let limits = PredicateLimits(textByteCount: 20, nodeCount: 5)
        #expect(
            code { () throws(PredicateError) in _ = try SyntaxTree.predicate(repeated("a", 21), limits: limits) }
                == .textLimit)
        #expect(
            code { () throws(PredicateError) in _ = try SyntaxTree.expression("{1,2,3,4,5}", limits: limits) }
                == .nodeLimit)
    }

    @Test func `The limit of marks on one letter refuses texts that are slow to sort`() throws {
        let most = "e" + repeated("\u{301}", MarkRun.longest)
        let marks = repeated("\u{301}\u{323}", 100_000)
        for text in ["a\(marks)", "a\(marks)(1)", "$a\(marks)", "\"a\(marks)\"", "\"a\(repeated(#"\u0301"#, 1_000))\""]
        {
            #expect(code { () throws(PredicateError) in _ = try SyntaxTree.expression(text) } == .textLimit)
        }
        #expect(code { () throws(PredicateError) in _ = try SyntaxTree.predicate("a b\(marks) c") } == .textLimit)
        let object = PredicateValue.dictionary(PredicateDictionary([("a", .string(most))]))
        #expect(try CompiledPredicate("a == \"\(most)\"").holds(for: object))
        let joined = try CompiledExpression("FUNCTION({a, '\u{301}'}, 'wx_joinedBy:', '')")
        #expect(code { () throws(PredicateError) in _ = try joined.value(for: object) } == .memoryLimit)
        #expect(MarkRun.isTooLong(in: most) == false)
        #expect(MarkRun.isTooLong(in: repeated(most, 100)) == false)
        #expect(MarkRun.isTooLong(in: most + "\u{323}"))
        #expect(MarkRun.isTooLong(in: repeated("日本語", 1_000)) == false)
    }

    @Test func `The limit of a text counts an argument each time it is used`() {
        let text = "{" + repeated("%1$@, ", 20_000) + "1}"
        let argument = PredicateValue.string(repeated("x", 10_000))
        #expect(
            code { () throws(PredicateError) in _ = try SyntaxTree.expression(text, arguments: [argument]) }
                == .textLimit)
        #expect(
            code { () throws(PredicateError) in _ = try SyntaxTree.expression(text, arguments: [.integer(1)]) } == nil)
    }

    @Test func `The limit of fuel ends a search that multiplies`() throws {
        let list = PredicateValue.array((0..<300).map { .integer($0) })
        let object = PredicateValue.dictionary(PredicateDictionary([("l", list)]))
        let text = "SUBQUERY(l, $a, SUBQUERY(l, $b, SUBQUERY(l, $c, $a + $b == $c).@count > 0).@count > 0).@count > 0"
        let predicate = try CompiledPredicate(text)
        #expect(code { () throws(PredicateError) in _ = try predicate.holds(for: object) } == .fuelLimit)
    }

    @Test(arguments: [
        "SUBQUERY(n, $x, $x IN wide)", "SUBQUERY(n, $x, big == big)", "SUBQUERY(n, $x, big IN {SELF, big})",
        "SUBQUERY(n, $x, text.length > 0)", "SUBQUERY(n, $x, text.uppercaseString != nil)",
        "SUBQUERY(n, $x, wide.@distinctUnionOfObjects.self != nil)", "SUBQUERY(n, $x, CAST(text, 'NSString') == 'x')",
        "SUBQUERY(n, $x, text CONTAINS 'y')", "SUBQUERY(n, $x, text UTI-EQUALS 'y')", "SUBQUERY(n, $x, lists == lists)",
        "SUBQUERY(n, $x, text LIKE '*y')", "SUBQUERY(n, $x, text MATCHES '.*y')", "SUBQUERY(n, $x, sum(wide) < 0)",
    ])
    func `The limit of fuel or memory ends work that is repeated`(_ text: String) throws {
        let wide = PredicateValue.array((0..<5_000).map { .integer($0) })
        let object = PredicateValue.dictionary(
            PredicateDictionary([
                ("n", .array((0..<5_000).map { .integer($0 + 4_000) })), ("wide", wide),
                ("lists", .array([.array([wide])])),
                ("text", .string(repeated("x", 100_000))), ("big", .array([.array([wide, .string("x")])])),
            ]))
        let expression = try CompiledExpression(text)
        let code = code { () throws(PredicateError) in _ = try expression.value(for: object) }
        #expect(code == .fuelLimit || code == .memoryLimit)
    }

    @Test func `Values of equal size that differ stay within the limits`() throws {
        let rows = PredicateValue.array(
            (0..<20_000).map {
                .dictionary(PredicateDictionary([("id", .integer($0)), ("l", .array([.integer($0)]))]))
            })
        let object = PredicateValue.dictionary(PredicateDictionary([("rows", rows)]))
        let count = try CompiledExpression("FUNCTION(rows.@distinctUnionOfObjects.self, 'count')").value(for: object)
        #expect(count.isIdentical(to: .integer(20_000)))
    }

    @Test func `The limit of memory refuses large results before they are made`() throws {
        let list = PredicateValue.array((0..<300).map { .integer($0) })
        let object = PredicateValue.dictionary(PredicateDictionary([("l", list)]))
        let limits = PredicateLimits(memoryByteCount: 1_000)
        for text in [
            "l.self.stringValue", "SUBQUERY(l, $a, $a >= 0)", "l.@distinctUnionOfObjects.self",
            "FUNCTION(l, 'wx_joinedBy:', ',')",
        ] {
            let expression = try CompiledExpression(text, limits: limits)
            #expect(
                code { () throws(PredicateError) in _ = try expression.value(for: object) } == .memoryLimit, "\(text)")
        }
    }

    @Test func `The limit of fuel counts the steps of a pattern`() throws {
        let predicate = try CompiledPredicate("SELF MATCHES '(a|b|ab)*c'", limits: PredicateLimits(fuel: 100))
        #expect(
            code { () throws(PredicateError) in _ = try predicate.holds(for: .string(repeated("ab", 1_000))) }
                == .fuelLimit)
    }

    @Test func `Limits hold for random text, and nothing traps`() {
        let alphabet = [
            "a", "b.c", "$x", "1", "-1.5", "'s'", "\"", "'", "(", ")", "{", "}", "[", "]", ",", ".", "@count", "@sum",
            "==", "!=", "<", "IN", "BETWEEN", "CONTAINS", "[cd]", "LIKE", "MATCHES", "AND", "OR", "NOT", "ANY", "ALL",
            "SUBQUERY(", "TERNARY(", "CAST(", "FUNCTION(", "sum:(", "nil", "TRUE", "SELF", "+", "-", "*", "**", "/",
            "&", "|", "^", "~", "<<", ">>", ":=", "%@", "%K", "%d", "#", "\\", "é", "\u{0}", "FIRST", "'NSDate'",
            "9223372036854775807", "1e308", "TRUEPREDICATE", " ",
        ]
        var random = SeededGenerator(seed: 1)
        let object = PredicateValue.dictionary(
            PredicateDictionary([
                ("a", .integer(.min)), ("b", .array([.dictionary(PredicateDictionary([("c", .string("x"))]))])),
            ]))
        var readCount = 0
        for _ in 0..<30_000 {
            let text = (0..<Int.random(in: 1...10, using: &random)).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
            }.joined(separator: " ")
            do throws(PredicateError) {
                let tree = try SyntaxTree.either(text, arguments: [.string("a"), .array([.null]), .date(0)])
                readCount += 1
                if tree.isPredicate {
                    let predicate = try CompiledPredicate(tree)
                    _ = try predicate.holds(for: object, predicate.bind(["x": .double(.nan)]))
                } else {
                    let expression = try CompiledExpression(tree)
                    _ = try expression.value(for: object, expression.bind(["x": .array([])]))
                }
            } catch {
                #expect(error.span.end <= text.utf8.count + 4)
            }
        }
        #expect(readCount > 300)
    }
}

/// Goal: every evaluation, even a failed one, uses up the fuel that several share. Method: a meter with few steps.
@Suite struct `Steps that evaluations share` {
    private final class Tank: PredicateMeter {
        private let rest: Atomic<Int>
        let textByteCount = Int.max

        init(_ steps: Int) { rest = Atomic(steps) }

        var left: Int { max(0, rest.load(ordering: .relaxed)) }

        func spend(_ steps: Int) { rest.wrappingSubtract(steps, ordering: .relaxed) }

        func noteLongText() {}
    }

    /// The patterns have few letters or very many, so that both matchers are tested.
    @Test(arguments: ["(a*)*(a|aa|aaa|b?){1,40}(a+)+c", "(a|b)*c"])
    func `A pattern that takes very long uses up the shared steps`(pattern: String) throws {
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

    @Test func `Values that contain themselves use up the shared steps before they are traversed`() throws {
        let doubled = (0..<60).map { _ in "($a := {$a, $a})[SIZE] == 2" }.joined(separator: " AND ")
        for end in ["CAST($a, 'NSString') == 'x'", "$a == $a", "$a IN {1, 2}"] {
            let predicate = try CompiledPredicate("($a := {1, 1})[SIZE] == 2 AND \(doubled) AND \(end)")
            let error = #expect(throws: PredicateError.self) { _ = try predicate.holds(for: .null) }
            #expect(error?.code == .fuelLimit)
        }
    }

    @Test func `The steps for a value are counted up to the limit`() {
        let row = PredicateValue.dictionary(PredicateDictionary([("a", .string(String(repeating: "x", count: 160)))]))
        let value = PredicateValue.array(Array(repeating: row, count: 10))
        #expect(value.weight(upTo: 1_000) == 1 + 10 * (1 + 1 + 10))
        #expect(value.weight(upTo: 100) == nil)
        let extent = ValueExtent(of: value)
        #expect(extent.count == 21 && extent.depth == 2 && !extent.hasObjects)
    }

    @Test func `The size of a list with another item follows from both items, or has to be counted`() {
        var random = SystemRandomNumberGenerator()
        func item() -> PredicateValue {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: .integer(1)
            case 1: .string(String(repeating: "a", count: Int.random(in: 0...100, using: &random)))
            case 2: .array([.integer(1), .array(Int.random(in: 0...1, using: &random) == 0 ? [] : [.null])])
            default: .dictionary(PredicateDictionary([("a", .integer(1)), ("b", .string("text"))]))
            }
        }
        var known = 0
        for _ in 0..<400 {
            var items = (0..<Int.random(in: 1...6, using: &random)).map { _ in item() }
            let (place, next) = (Int.random(in: 0..<items.count, using: &random), item())
            let extent = ValueExtent(of: .array(items))
            let replaced = extent.replacing(ValueExtent(of: items[place]), with: ValueExtent(of: next))
            items[place] = next
            #expect(replaced == nil || replaced == ValueExtent(of: .array(items)))
            if replaced != nil { known += 1 }
        }
        #expect(known > 100)
        // Nothing is known of what was too much to be counted.
        let endless = ValueExtent(of: .array(Array(repeating: .null, count: ValueExtent.endless + 2)))
        let one = ValueExtent(of: .null)
        #expect(endless.replacing(one, with: one) == nil)
    }
}
