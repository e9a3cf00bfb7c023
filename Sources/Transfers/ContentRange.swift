/// Which part of which whole a 206 brings, or how large the whole is that a 416 tells of (RFC 9110 §14.4).
package struct ContentRange: Equatable {
    /// `nil` in the answer to a range that there is not.
    package var bytes: Range<Int>?
    /// `nil` when the server does not say.
    package var whole: Int?

    /// `bytes 0-9/100`, `bytes 0-9/*` or `bytes */100`.
    package init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, String(words[0]).hasSameLetters(as: "bytes") else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        if parts[1] != "*" {
            guard let whole = TransferHead.wholeNumber(parts[1]) else { return nil }
            self.whole = whole
        }
        guard parts[0] != "*" else {
            guard whole != nil else { return nil }
            return
        }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = TransferHead.wholeNumber(ends[0]),
            let last = TransferHead.wholeNumber(ends[1]), first <= last, last < Int.max, last < whole ?? .max
        else { return nil }
        bytes = first..<(last + 1)
    }
}
