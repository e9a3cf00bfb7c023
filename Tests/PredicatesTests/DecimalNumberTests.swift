import TestSupport
import Testing

@testable import Predicates

@Suite struct `A decimal number` {
    @Test(arguments: [
        ("0", "0"), ("-0", "0"), ("1", "1"), ("1.50", "1.5"), ("100", "100"), ("1e3", "1000"), ("-2.5E-1", "-0.25"),
        (".5", "0.5"), ("5.", "5"), ("00012", "12"),
        ("99999999999999999999999999999999999999", "99999999999999999999999999999999999999"),
        ("0.00000000000000000000000000000000000001", "0.00000000000000000000000000000000000001"),
    ])
    func `is written as it is read, without needless zeros`(_ text: String, _ written: String) throws {
        #expect(try #require(DecimalNumber(text)).description == written)
    }

    @Test(arguments: ["", "-", ".", "x", "1x", "1.2.3", "1e", "1e999", "--1", "nan", "inf", "1 "])
    func `is not what looks like none`(_ text: String) {
        #expect(DecimalNumber(text) == nil)
    }

    @Test func `calculates as whole numbers do`() throws {
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

    @Test func `undoes what it did`() throws {
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

    @Test func `rounds to 38 digits, half up`() throws {
        let third = try #require(DecimalNumber(1).divided(by: DecimalNumber(3)))
        #expect(third.description == "0." + String(repeating: "3", count: 38))
        let (large, small) = try (#require(DecimalNumber("1e36")), #require(DecimalNumber("0.05")))
        let sum = try #require(large.plus(small))
        #expect(sum.description == "1000000000000000000000000000000000000.1")
    }
}
