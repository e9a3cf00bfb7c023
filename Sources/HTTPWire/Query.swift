/// Looks one parameter up in a query; unknown ones are nobody's business.
///
/// Names are compared as they are written, and a plus sign is a plus sign: what this server is asked
/// for are identifiers and versions, and versions hold plus signs.
package enum Query {
    /// Whether every escape in a query can be undone, to text without control characters.
    ///
    /// A query that fails this is refused rather than read as if the broken parameter were not there.
    package static func isWellFormed(_ bytes: Span<UInt8>, _ query: Range<Int>) -> Bool {
        PercentDecoding.queryPart(bytes, query) != nil
    }

    /// The decoded value of the first parameter called `name`; empty where it has no value.
    ///
    /// - Returns: `nil` when there is none, or when its value cannot be decoded.
    package static func value(_ name: StaticString, _ bytes: Span<UInt8>, _ query: Range<Int>) -> String? {
        var start = query.lowerBound
        while start < query.upperBound {
            var end = start
            var equals: Int?
            while end < query.upperBound, bytes[end] != UInt8(ascii: "&") {
                if equals == nil, bytes[end] == UInt8(ascii: "=") { equals = end }
                end &+= 1
            }
            let nameEnd = equals ?? end
            if bytes.isExactly(name, in: start..<nameEnd) {
                return PercentDecoding.queryPart(bytes, min(nameEnd &+ 1, end)..<end)
            }
            start = end &+ 1
        }
        return nil
    }
}
