/// Looks one parameter up in a query; names that the caller does not ask for are ignored.
///
/// Names are compared as they are written, and a plus sign is a plus sign unless a value is asked for as words: what this
/// server is asked for are identifiers and versions, and versions hold plus signs.
package enum Query {
    /// True if every escape in a query can be undone, to text without control characters.
    ///
    /// A query that fails this is refused rather than read as if the broken parameter were not there.
    package static func isWellFormed(_ bytes: Span<UInt8>, _ query: Range<Int>) -> Bool {
        PercentDecoding.queryPart(bytes, query) != nil
    }

    /// The decoded value of the first parameter called `name`; empty where it has no value.
    ///
    /// - Parameter isWords: true for a value in which a plus sign is a blank, as forms write it.
    /// - Returns: `nil` if the parameter is missing or its value cannot be decoded.
    package static func value(
        _ name: StaticString, _ bytes: Span<UInt8>, _ query: Range<Int>, isWords: Bool = false
    ) -> String? {
        var parts = QueryParts(query)
        while let part = parts.next(in: bytes) {
            if bytes.isExactly(name, in: part.name) {
                return PercentDecoding.queryPart(bytes, part.value, plusIsBlank: isWords)
            }
        }
        return nil
    }

    /// The decoded values of all parameters called `name`, in their order. Those that cannot be decoded are left out.
    package static func values(_ name: StaticString, _ bytes: Span<UInt8>, _ query: Range<Int>) -> [String] {
        var values: [String] = []
        var parts = QueryParts(query)
        while let part = parts.next(in: bytes) {
            guard bytes.isExactly(name, in: part.name) else { continue }
            if let value = PercentDecoding.queryPart(bytes, part.value) { values.append(value) }
        }
        return values
    }

    /// True if every name of a query is one of `names` and none occurs twice. Allocates nothing.
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

/// Percent-decoding, done once, where a path or a query is first looked at.
package enum PercentDecoding {
    /// A path's bytes with its escapes undone, or what is wrong with them.
    ///
    /// An escape that would turn into a separator, a control character, a dot segment or something that
    /// is not UTF-8 is refused: clients do not need them, and each has been used to get past a check.
    package static func path(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(Malformation) -> [UInt8] {
        guard let decoded = decode(bytes, range) else { throw .percentEncoding }
        guard decoded.escapes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && $0 != 0x2F && $0 != 0x5C }),
            isUTF8(decoded.bytes)
        else { throw .encodedPath }
        let segments = decoded.bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard !segments.contains(where: { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }) else {
            throw .dotSegment
        }
        return decoded.bytes
    }

    /// One query name or value; `nil` if an escape is malformed, or yields a control character or
    /// bytes that are not UTF-8.
    package static func queryPart(_ bytes: Span<UInt8>, _ range: Range<Int>, plusIsBlank: Bool = false) -> String? {
        guard let decoded = decode(bytes, range, plusIsBlank: plusIsBlank),
            decoded.escapes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { return nil }
        return String(validating: decoded.bytes, as: UTF8.self)
    }

    /// True if each percent sign is followed by two hexadecimal digits. Their meaning is not checked.
    package static func hasWholeEscapes(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        decode(bytes, range) != nil
    }

    private static func decode(
        _ bytes: Span<UInt8>, _ range: Range<Int>, plusIsBlank: Bool = false
    ) -> (bytes: [UInt8], escapes: [UInt8])? {
        var result: [UInt8] = []
        var escapes: [UInt8] = []
        result.reserveCapacity(range.count)
        var position = range.lowerBound
        while position < range.upperBound {
            let byte = bytes[position]
            position &+= 1
            guard byte == UInt8(ascii: "%") else {
                result.append(plusIsBlank && byte == UInt8(ascii: "+") ? 0x20 : byte)
                continue
            }
            guard position &+ 1 < range.upperBound, let high = hexValue(bytes[position]),
                let low = hexValue(bytes[position &+ 1])
            else { return nil }
            result.append(high << 4 | low)
            escapes.append(high << 4 | low)
            position &+= 2
        }
        return (result, escapes)
    }

    private static func isUTF8(_ bytes: [UInt8]) -> Bool {
        String(validating: bytes, as: UTF8.self) != nil
    }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        if ByteClass.isDigit(byte) { return byte &- 0x30 }
        let letter = ByteClass.lowercased(byte) &- 0x61
        return letter < 6 ? letter &+ 10 : nil
    }
}
