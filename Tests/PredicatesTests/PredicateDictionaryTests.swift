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
