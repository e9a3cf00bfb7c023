import Testing

@testable import Predicates

@Suite struct `A dictionary of values` {
    @Test(arguments: [1, 8, 9, 100])
    func `finds every key it was given, and no other`(count: Int) {
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
    func `keeps the last value of a key, at the place of the first`(count: Int) {
        let pairs = (0..<count).map { ("k\($0)", PredicateValue.integer(Int64($0))) }
        let dictionary = PredicateDictionary(pairs + [("k0", .string("last"))])
        #expect(dictionary.keys == pairs.map(\.0))
        #expect(dictionary["k0"]?.text == "last" && dictionary.values[0].text == "last")
        #expect(dictionary["k\(count - 1)"]?.text == "\(count - 1)")
    }

    @Test func `made of keys that stand there twice is made as if of pairs`() {
        var maker = PredicateDictionaryMaker()
        let twice = maker.dictionary(["a", "b", "a"], [.integer(1), .integer(2), .integer(3)])
        #expect(twice.keys == ["a", "b"] && twice["a"]?.text == "3")
        let short = maker.dictionary(["a", "b"], [.integer(1)])
        #expect(short.keys == ["a"] && short["b"] == nil)
    }
}

/// Goal: values that are told apart cost no more because somebody chose them. Method: values that used to fall together.
@Suite struct `The place of a value in a table` {
    @Test func `is another for other numbers, and the same for the same`() {
        let large = (0..<1_000).map { ValueKey(.integer((1 << 62) + $0)).hashValue }
        #expect(Set(large).count == 1_000)
        let one: [PredicateValue] = [.integer(1), .double(1), .boolean(true), .decimal(DecimalNumber(1))]
        #expect(Set(one.map { ValueKey($0).hashValue }).count == 1 && PredicateValue.distinct(one).count == 1)
        let half: [PredicateValue] = [
            .double(0.5), .decimal(DecimalNumber(isNegative: false, significand: 5, exponent: -1)),
        ]
        #expect(Set(half.map { ValueKey($0).hashValue }).count == 1 && PredicateValue.distinct(half).count == 1)
    }

    @Test func `is another for arrays of nothing and for where nothing stands in them`() {
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
