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
        var parts = QueryParts(query)
        while let part = parts.next(in: bytes) {
            if bytes.isExactly(name, in: part.name) { return PercentDecoding.queryPart(bytes, part.value) }
        }
        return nil
    }

    /// Whether a query has no names but some of `names`, and none of these twice. Costs no memory.
    package static func holdsOnly(_ names: [[UInt8]], _ bytes: Span<UInt8>, _ query: Range<Int>) -> Bool {
        var seen: UInt64 = 0
        var parts = QueryParts(query)
        while let part = parts.next(in: bytes) {
            guard let index = names.firstIndex(where: { spells($0, bytes, part.name) }), index < UInt64.bitWidth,
                seen & (1 << index) == 0
            else { return false }
            seen |= 1 << index
        }
        return true
    }

    /// The names of a query as they are written, in their order.
    package static func names(_ bytes: Span<UInt8>, _ query: Range<Int>) -> [String] {
        var names: [String] = []
        var parts = QueryParts(query)
        while let part = parts.next(in: bytes) { names.append(bytes.text(in: part.name)) }
        return names
    }

    private static func spells(_ name: [UInt8], _ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard name.count == range.count else { return false }
        for index in name.indices where bytes[range.lowerBound &+ index] != name[index] { return false }
        return true
    }
}

/// Goes through the parts of a query between ampersands, leaving out empty ones.
private struct QueryParts {
    private var position: Int
    private let end: Int

    init(_ query: Range<Int>) {
        position = query.lowerBound
        end = query.upperBound
    }

    @inline(__always)
    mutating func next(in bytes: Span<UInt8>) -> (name: Range<Int>, value: Range<Int>)? {
        while position < end {
            let start = position
            var equals: Int?
            while position < end, bytes[position] != UInt8(ascii: "&") {
                if equals == nil, bytes[position] == UInt8(ascii: "=") { equals = position }
                position &+= 1
            }
            let partEnd = position
            position &+= 1
            guard partEnd > start else { continue }
            let nameEnd = equals ?? partEnd
            return (start..<nameEnd, min(nameEnd &+ 1, partEnd)..<partEnd)
        }
        return nil
    }
}
