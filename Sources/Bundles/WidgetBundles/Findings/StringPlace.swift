internal import JSONText

/// Places in the text of a JSON string, as offsets in its document.
enum StringPlace {
    /// Returns the document's offset for an offset in the text; escapes make the two differ.
    static func offset(ofText textOffset: Int, in span: JSONSpan, of bytes: [UInt8]) -> Int {
        let end = min(span.range.upperBound, bytes.count)
        var index = span.offset + 1
        var passed = 0
        while passed < textOffset, index < end {
            guard bytes[index] == UInt8(ascii: "\\") else {
                index += 1
                passed += 1
                continue
            }
            guard index + 1 < end, bytes[index + 1] == UInt8(ascii: "u") else {
                index += 2
                passed += 1
                continue
            }
            let unit = hexadecimal(bytes, from: index + 2, to: end)
            switch unit {
            case 0xD800...0xDBFF:
                // Skips the low surrogate too, which the reader requires.
                index += 12
                passed += 4
            default:
                index += 6
                passed += unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3
            }
        }
        return min(index, end)
    }

    private static func hexadecimal(_ bytes: [UInt8], from start: Int, to end: Int) -> Int {
        guard start + 4 <= end else { return 0 }
        return bytes[start..<start + 4].reduce(0) { value, byte in
            let digit = byte < 0x3A ? Int(byte) - 0x30 : Int(byte | 0x20) - 0x57
            return value << 4 | digit & 15
        }
    }
}
