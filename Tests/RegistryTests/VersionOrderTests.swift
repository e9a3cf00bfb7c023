import Registry
import TestSupport
import Testing

@Suite struct `The order of versions` {
    @Test func `is numeric, part by part, with stages before what they lead to`() {
        let ascending = [
            "0", "0.0.1", "0.1-alpha", "0.1", "0.9", "1.0-alpha.1", "1.0-alpha.2", "1.0-alpha.10", "1.0-beta", "1.0a1",
            "1.0b2", "1.0b10", "1.0rc1", "1.0", "1.0.1", "1.0.9", "1.0.10", "1.1-x", "1.1", "1.9", "1.10", "1.10.0.1",
            "2", "10", "100000000000000000000000000000000000001", "100000000000000000000000000000000000002",
        ]
        // Words rank by letters: `a` before `alpha` before `b`.
        let expected = ascending.sorted {
            VersionOrder.key($0).lexicographicallyPrecedes(VersionOrder.key($1))
        }
        let words = ["1.0-alpha.1", "1.0-alpha.2", "1.0-alpha.10", "1.0-beta", "1.0a1", "1.0b2", "1.0b10", "1.0rc1"]
        #expect(ascending.filter { !words.contains($0) } == expected.filter { !words.contains($0) })
        for (lower, higher) in [
            ("1.0a1", "1.0-alpha.1"), ("1.0-alpha.1", "1.0-alpha.2"), ("1.0-alpha.2", "1.0-alpha.10"),
            ("1.0-alpha.10", "1.0b2"), ("1.0b2", "1.0b10"), ("1.0b10", "1.0-beta"), ("1.0-beta", "1.0rc1"),
            ("1.0rc1", "1.0"), ("1.0-beta", "1.0-beta.1"),
        ] {
            #expect(VersionOrder.precedes(VersionOrder.key(lower), VersionOrder.key(higher)), "\(lower) < \(higher)")
            #expect(!VersionOrder.precedes(VersionOrder.key(higher), VersionOrder.key(lower)), "\(lower) < \(higher)")
        }
    }

    @Test(arguments: [
        ("1.0", "1"), ("1.0.0", "1.0"), ("01.002", "1.2"), ("1.0-beta", "1-BETA"), ("1.0b2", "1.0.b.2"), ("1_2", "1.2"),
        ("0.0", "0"), ("...", "0"), ("1+5", "1.5"),
    ])
    func `does not tell apart`(_ first: String, _ second: String) {
        #expect(VersionOrder.key(first) == VersionOrder.key(second))
    }

    @Test func `puts the short version before the build`() {
        func key(_ short: String, _ build: String) -> [UInt8] { VersionOrder.key(shortVersion: short, build: build) }
        #expect(VersionOrder.precedes(key("1.9", "500"), key("1.10", "1")))
        #expect(VersionOrder.precedes(key("1.0", "9"), key("1.0.0", "10")))
        #expect(key("1.0", "3") == key("1", "3.0"))
        // What ends a version must not be taken for the beginning of the next.
        #expect(VersionOrder.precedes(key("1", "2"), key("1.1", "0")))
        #expect(VersionOrder.precedes(key("1-beta", "9"), key("1", "0")))
    }

    @Test func `is an order, whatever the text`() {
        var random = SeededGenerator(seed: 7)
        let letters = Array("0019ab.-_+")
        let keys = (0..<300).map { _ in
            VersionOrder.key(
                String((0..<Int.random(in: 1...8, using: &random)).map { _ in letters.randomElement(using: &random)! }))
        }
        let sorted = keys.sorted(by: VersionOrder.precedes)
        for (left, right) in zip(sorted, sorted.dropFirst()) { #expect(!VersionOrder.precedes(right, left)) }
        // No key is the beginning of another, so keys may be joined.
        for (left, right) in zip(sorted, sorted.dropFirst()) where left != right { #expect(!right.starts(with: left)) }
    }
}
