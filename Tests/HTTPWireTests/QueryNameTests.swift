import HTTPWire
import Testing

@Suite struct `The names of a query` {
    private func names(_ text: String) -> [String] {
        let bytes = Array(text.utf8)
        return Query.names(bytes.span, 0..<bytes.count)
    }

    private func holdsOnly(_ text: String, _ known: [String]) -> Bool {
        let bytes = Array(text.utf8)
        return Query.holdsOnly(known.map { Array($0.utf8) }, bytes.span, 0..<bytes.count)
    }

    @Test func `are read as they are written, and empty parts are none`() {
        #expect(names("") == [] && names("&&") == [])
        #expect(names("a=1&b&=c&%61=2&a==&") == ["a", "b", "", "%61", "a"])
    }

    @Test(arguments: ["", "&", "a", "a=", "b=1&a=2", "&a=1&&b", "a=b=a&b=&"])
    func `are only known ones`(_ text: String) { #expect(holdsOnly(text, ["a", "b"])) }

    @Test(arguments: ["c", "a&c=1", "A=1", "aa", "=a", "%61=1", "a&a", "a=1&b&a=2", "ab", "="])
    func `are refused when one is not known or is there twice`(_ text: String) {
        #expect(!holdsOnly(text, ["a", "b"]))
    }

    @Test func `may be as many as there are bits, and past these the slow way decides`() {
        let known = (0..<70).map { "n\($0)" }
        #expect(holdsOnly(known.prefix(64).joined(separator: "&"), known))
        #expect(!holdsOnly("n64", known))
        #expect(!holdsOnly("x", []) && holdsOnly("", []))
    }
}
