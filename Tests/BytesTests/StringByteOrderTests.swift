import Bytes
import Testing

@Suite struct `The order of texts` {
    /// Each before the next.
    static let ordered = ["", "\0", "A", "AB", "B", "a", "a/", "a0", "e\u{301}", "é", "Ａ", "😀", "😀a"]

    @Test func `is that of their bytes`() {
        for (left, first) in Self.ordered.enumerated() {
            for (right, second) in Self.ordered.enumerated() {
                #expect(first.byteOrder(second).signum() == (left - right).signum(), "\(first) and \(second)")
                #expect(first.hasBytes(of: second) == (left == right), "\(first) and \(second)")
            }
        }
    }

    @Test func `keeps apart what is spelled differently`() {
        #expect("e\u{301}" == "\u{E9}")
        #expect(!"e\u{301}".hasBytes(of: "\u{E9}"))
    }
}
