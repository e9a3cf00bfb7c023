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
}
