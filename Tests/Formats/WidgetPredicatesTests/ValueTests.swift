import Foundation
import Testing
import WidgetTestSupport

@testable import WidgetPredicates

@Suite struct `A dictionary of values` {
    @Test(arguments: [1, 8, 9, 100])
    func `A dictionary finds every key that it was given, and no other`(count: Int) {
        let dictionary = PredicateDictionary((0..<count).map { ("k\($0)", .integer(Int64($0))) })
        for index in 0..<count {
            guard case .integer(let value)? = dictionary["k\(index)"] else {
                Issue.record("k\(index) is missing")
                continue
            }
            #expect(value == Int64(index))
        }
        if dictionary["k\(count)"] != nil { Issue.record("a key that was not given") }
        #expect(dictionary.count == count)
    }

    @Test(arguments: [2, 12, 13, 100])
    func `A dictionary keeps the last value of a key, at the place of the first`(count: Int) {
        let pairs = (0..<count).map { ("k\($0)", PredicateValue.integer(Int64($0))) }
        let dictionary = PredicateDictionary(pairs + [("k0", .string("last"))])
        #expect(dictionary.keys == pairs.map(\.0))
        #expect(dictionary["k0"]?.text == "last" && dictionary.values[0].text == "last")
        #expect(dictionary["k\(count - 1)"]?.text == "\(count - 1)")
    }

    @Test func `A dictionary of repeated keys equals one that is made of pairs`() {
        var maker = PredicateDictionaryMaker()
        let twice = maker.dictionary(["a", "b", "a"], [.integer(1), .integer(2), .integer(3)])
        #expect(twice.keys == ["a", "b"] && twice["a"]?.text == "3")
        let short = maker.dictionary(["a", "b"], [.integer(1)])
        #expect(short.keys == ["a"] && short["b"] == nil)
    }
}

/// Goal: an author cannot choose values that make a table slow. Method: values that used to have equal hashes.
@Suite struct `The place of a value in a table` {
    @Test func `Different numbers have different hashes, and equal numbers equal ones`() {
        let large = (0..<1_000).map { ValueKey(.integer((1 << 62) + $0)).hashValue }
        #expect(Set(large).count == 1_000)
        let one: [PredicateValue] = [.integer(1), .double(1), .boolean(true), .decimal(DecimalNumber(1))]
        #expect(Set(one.map { ValueKey($0).hashValue }).count == 1 && PredicateValue.distinct(one).count == 1)
        let half: [PredicateValue] = [
            .double(0.5), .decimal(DecimalNumber(isNegative: false, significand: 5, exponent: -1)),
        ]
        #expect(Set(half.map { ValueKey($0).hashValue }).count == 1 && PredicateValue.distinct(half).count == 1)
    }

    @Test func `Arrays of nulls have different hashes, by their length and by the place of the null`() {
        let places = (0..<20).map { place in
            PredicateValue.array((0..<20).map { $0 == place ? .integer(1) : .null })
        }
        let lengths = (0..<20).map { PredicateValue.array(Array(repeating: .null, count: $0)) }
        #expect(Set((places + lengths).map { ValueKey($0).hashValue }).count == 40)
        #expect(
            Set(
                [[1, 0], [0, 1]].map {
                    ValueKey(.array($0.map { .array(Array(repeating: .null, count: $0)) })).hashValue
                }
            ).count == 2)
    }
}

@Suite struct `A decimal number` {
    @Test(arguments: [
        ("0", "0"), ("-0", "0"), ("1", "1"), ("1.50", "1.5"), ("100", "100"), ("1e3", "1000"), ("-2.5E-1", "-0.25"),
        (".5", "0.5"), ("5.", "5"), ("00012", "12"),
        ("99999999999999999999999999999999999999", "99999999999999999999999999999999999999"),
        ("0.00000000000000000000000000000000000001", "0.00000000000000000000000000000000000001"),
    ])
    func `A decimal number is written as it is read, without needless zeros`(_ text: String, _ written: String) throws {
        #expect(try #require(DecimalNumber(text)).description == written)
    }

    @Test(arguments: ["", "-", ".", "x", "1x", "1.2.3", "1e", "1e999", "--1", "nan", "inf", "1 "])
    func `A text that is not a number is not a decimal number`(_ text: String) {
        #expect(DecimalNumber(text) == nil)
    }

    @Test func `A decimal number calculates as whole numbers do`() throws {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<2_000 {
            let (first, second) = (
                Int64.random(in: -1_000_000...1_000_000, using: &random),
                Int64.random(in: -1_000_000...1_000_000, using: &random)
            )
            let (one, other) = (DecimalNumber(first), DecimalNumber(second))
            #expect(one.plus(other)?.integer == first + second)
            #expect(one.minus(other)?.integer == first - second)
            #expect(one.times(other)?.integer == first * second)
            #expect((one < other) == (first < second))
            #expect((one == other) == (first == second))
            if second != 0, first.isMultiple(of: second) { #expect(one.divided(by: other)?.integer == first / second) }
        }
    }

    @Test func `A decimal number reverses its own operations`() throws {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<2_000 {
            let one = DecimalNumber(
                significand: UInt128(random.next()), exponent: Int.random(in: -20...20, using: &random))
            let other = DecimalNumber(
                significand: UInt128(random.next() | 1), exponent: Int.random(in: -5...5, using: &random))
            let product = try #require(one.times(other))
            #expect(product.divided(by: other)?.double == one.double)
            #expect(DecimalNumber(one.description) == one)
        }
    }

    @Test func `A decimal number rounds to 38 digits, half up`() throws {
        let third = try #require(DecimalNumber(1).divided(by: DecimalNumber(3)))
        #expect(third.description == "0." + String(repeating: "3", count: 38))
        let (large, small) = try (#require(DecimalNumber("1e36")), #require(DecimalNumber("0.05")))
        let sum = try #require(large.plus(small))
        #expect(sum.description == "1000000000000000000000000000000000000.1")
    }
}

/// Goal: the calendar is right. Method: a comparison with Foundation, for the time since both count in the same way.
@Suite struct `A date as text` {
    @Test func `A date is written as Foundation writes it, and reads back`() throws {
        var random = SeededGenerator(seed: 5)
        let style = Date.ISO8601FormatStyle()
        for _ in 0..<5_000 {
            let seconds = Double(Int64.random(in: -13_000_000_000...250_000_000_000, using: &random))
            let text = DateText.iso(seconds)
            #expect(text == Date(timeIntervalSinceReferenceDate: seconds).formatted(style))
            #expect(DateText.seconds(text) == seconds)
            #expect(DateText.seconds(DateText.description(seconds)) == seconds)
        }
    }

    @Test(arguments: [
        "", "2018", "2018-06", "2018-6-20", "2018-06-31", "2018-00-01", "2019-02-29", "2018-06-20T", "2018-06-20T18",
        "2018-06-20T25:00:00Z", "2018-06-20T18:60:00Z", "2018-06-20T18:00:00+2", "2018-06-20T18:00:00ZZ", "x",
        "2018-06-20T18:00:00.Z", "20180620",
    ])
    func `A text that is not a date is refused`(_ text: String) {
        #expect(DateText.seconds(text) == nil)
    }
}
