/// Percent-decoding, done once, where a path or a query is first looked at.
package enum PercentDecoding {
    /// A path's bytes with its escapes undone, or what is wrong with them.
    ///
    /// An escape that would turn into a separator, a control character, a dot segment or something that
    /// is not UTF-8 is refused: nobody needs one, and every one has been used to get past a check.
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

    /// One query name or value; `nil` when an escape is malformed, or stands for a control character or
    /// for bytes that are not UTF-8.
    package static func queryPart(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String? {
        guard let decoded = decode(bytes, range), decoded.escapes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { return nil }
        return String(validating: decoded.bytes, as: UTF8.self)
    }

    /// Whether each percent sign is followed by two hexadecimal digits, whatever they stand for.
    package static func hasWholeEscapes(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        decode(bytes, range) != nil
    }

    private static func decode(_ bytes: Span<UInt8>, _ range: Range<Int>) -> (bytes: [UInt8], escapes: [UInt8])? {
        var result: [UInt8] = []
        var escapes: [UInt8] = []
        result.reserveCapacity(range.count)
        var position = range.lowerBound
        while position < range.upperBound {
            let byte = bytes[position]
            position &+= 1
            guard byte == UInt8(ascii: "%") else {
                result.append(byte)
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
