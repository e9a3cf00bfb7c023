/// How many combining marks may stand on one letter.
///
/// Wherever the standard library compares or hashes a text it sorts the marks of each letter by insertion: 20,000 of
/// them on one letter cost seconds, and a MiB of them hours. Texts of any language have a handful, and Unicode's
/// stream-safe format (UAX #15) allows 30. What is read from outside is refused when it has more than this.
package enum MarkRun {
    package static let longest = 256

    package static func isTooLong(in text: String) -> Bool { offsetOfTooLong(in: text.utf8.span) != nil }

    /// Where the first mark stands that is one too many.
    static func offsetOfTooLong(in bytes: Span<UInt8>) -> Int? {
        // A mark has two bytes at least.
        guard bytes.count > 2 * longest else { return nil }
        var count = 0
        var position = 0
        while position < bytes.count {
            // Below U+0300 there is none.
            if bytes[position] < 0xCC {
                count = 0
                position += 1
                while position < bytes.count, bytes[position] & 0xC0 == 0x80 { position += 1 }
                continue
            }
            let start = position
            guard let scalar = Unicode.Scalar(UTF8Scalars.next(bytes, &position)),
                scalar.properties.canonicalCombiningClass != .notReordered
            else {
                count = 0
                continue
            }
            count += 1
            if count > longest { return start }
        }
        return nil
    }
}
