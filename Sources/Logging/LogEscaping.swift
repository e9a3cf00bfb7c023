/// Turns text of any origin into bytes that stay inside one line and one pair of quotes.
///
/// Escaped are what ends a string or a line, what a terminal obeys (C0, DEL, C1), the line and paragraph
/// separators, and the controls that reorder text for the eye. Bytes that are not UTF-8 become U+FFFD.
/// The escapes are JSON's (RFC 8259 section 7) in both formats.
enum LogEscaping {
    /// The most bytes of one value that a line shows; a longer value is cut there and ends with `…`.
    static let valueByteLimit = 8 * 1_024

    /// Appends `text` escaped. Text that needs no escape, the usual case, is copied in one piece.
    static func append(_ text: String, to line: inout [UInt8]) {
        let span = text.utf8.span
        if span.count <= valueByteLimit, isPlain(span) {
            line.append(contentsOf: text.utf8)
        } else {
            append(span, to: &line)
        }
    }

    /// Appends bytes that should be UTF-8, escaped.
    static func append(_ bytes: [UInt8], to line: inout [UInt8]) {
        if bytes.count <= valueByteLimit, isPlain(bytes.span) {
            line.append(contentsOf: bytes)
        } else {
            append(bytes.span, to: &line)
        }
    }

    /// Whether every byte is printable ASCII that needs no escape.
    private static func isPlain(_ bytes: Span<UInt8>) -> Bool {
        for index in bytes.indices where !isPlain(bytes[index]) { return false }
        return true
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private static func append(_ bytes: Span<UInt8>, to line: inout [UInt8]) {
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            let length = scalarLength(in: bytes, at: index)
            if index + max(length, 1) > valueByteLimit {
                line.append(contentsOf: "…".utf8)
                return
            }
            switch length {
            case 0:
                line.append(contentsOf: [0xEF, 0xBF, 0xBD])
                index += 1
            case 1:
                appendASCII(byte, to: &line)
                index += 1
            default:
                let scalar = scalar(in: bytes, at: index, length: length)
                if isHazard(scalar) {
                    appendEscape(scalar, to: &line)
                } else {
                    for offset in index..<index + length { line.append(bytes[offset]) }
                }
                index += length
            }
        }
    }

    private static func appendASCII(_ byte: UInt8, to line: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""): line.append(contentsOf: "\\\"".utf8)
        case UInt8(ascii: "\\"): line.append(contentsOf: "\\\\".utf8)
        case UInt8(ascii: "\n"): line.append(contentsOf: "\\n".utf8)
        case UInt8(ascii: "\r"): line.append(contentsOf: "\\r".utf8)
        case UInt8(ascii: "\t"): line.append(contentsOf: "\\t".utf8)
        case 0..<0x20, 0x7F: appendEscape(UInt32(byte), to: &line)
        default: line.append(byte)
        }
    }

    /// All hazards lie in the basic plane, so four digits always do.
    private static func appendEscape(_ scalar: UInt32, to line: inout [UInt8]) {
        line.append(contentsOf: "\\u".utf8)
        for shift in [12, 8, 4, 0] as [UInt32] {
            let digit = UInt8(truncatingIfNeeded: scalar >> shift & 15)
            line.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
        }
    }

    private static func isHazard(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x80...0x9F: true  // C1 controls
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true  // bidirectional controls
        case 0x2028, 0x2029: true  // line and paragraph separator
        default: false
        }
    }

    /// The byte count of the well-formed sequence that starts at `index`, or 0 if none does (RFC 3629 section 4).
    private static func scalarLength(in bytes: Span<UInt8>, at index: Int) -> Int {
        let first = bytes[index]
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch first {
        case 0..<0x80: return 1
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        case 0xF1...0xF3: length = 4
        default: return 0
        }
        guard bytes.count - index >= length, second.contains(bytes[index + 1]) else { return 0 }
        for offset in index + 2..<index + length where bytes[offset] & 0xC0 != 0x80 { return 0 }
        return length
    }

    /// The scalar of a sequence that `scalarLength` has found well-formed.
    private static func scalar(in bytes: Span<UInt8>, at index: Int, length: Int) -> UInt32 {
        var scalar = UInt32(bytes[index]) & (0xFF >> (UInt32(length) + 1))
        for offset in index + 1..<index + length { scalar = scalar << 6 | UInt32(bytes[offset] & 0x3F) }
        return scalar
    }
}
