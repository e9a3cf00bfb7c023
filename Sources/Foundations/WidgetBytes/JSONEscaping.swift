/// The inside of a JSON string (RFC 8259 section 7).
package enum JSONEscaping {
    /// Appends UTF-8 text, with escapes for the quote, the backslash and controls.
    package static func append(_ text: borrowing Span<UInt8>, to output: inout [UInt8]) {
        // Stretches that need no escapes are added at once.
        var start = 0
        for place in text.indices where isEscaped(text[place]) {
            output.append(copying: text.extracting(start..<place))
            append(escapeOf: UInt32(text[place]), to: &output)
            start = place + 1
        }
        output.append(copying: text.extracting(start..<text.count))
    }

    /// Appends bytes that should be UTF-8, for people: characters that are not shown become escapes as well, invalid
    /// bytes U+FFFD, and text of more than `limit` bytes is cut there and ends with `…`.
    package static func appendShown(_ text: borrowing Span<UInt8>, limit: Int, to output: inout [UInt8]) {
        if text.count <= limit, isPlain(text) { return output.append(copying: text) }
        var index = 0
        while index < text.count {
            let sequence = UTF8Sequence(at: index, in: text)
            let byteCount = if case .scalar(_, let byteCount) = sequence { byteCount } else { 1 }
            if index + byteCount > limit { return output.append(contentsOf: "…".utf8) }
            switch sequence {
            case .scalar(let scalar, _) where scalar < 0x80:
                if isEscaped(UInt8(truncatingIfNeeded: scalar)) {
                    append(escapeOf: scalar, to: &output)
                } else {
                    output.append(UInt8(truncatingIfNeeded: scalar))
                }
            case .scalar(let scalar, _):
                if Unicode.Scalar(scalar)?.isShown == true {
                    output.append(copying: text.extracting(index..<index + byteCount))
                } else {
                    append(escapeOf: scalar, to: &output)
                }
            case .truncated, .invalid: output.append(contentsOf: [0xEF, 0xBF, 0xBD])
            }
            index += byteCount
        }
    }

    /// A finished document for people: the same JSON, with escapes in place of invisible characters.
    package static func shown(document: [UInt8]) -> [UInt8] {
        // Outside of strings there is nothing but ASCII, and inside there are no unescaped controls.
        guard document.contains(where: { $0 >= 0x7F }) else { return document }
        var output: [UInt8] = []
        output.reserveCapacity(document.count)
        for scalar in String(decoding: document, as: UTF8.self).unicodeScalars {
            if scalar.isShown || scalar.value < 0x20 {
                output.append(contentsOf: String(scalar).utf8)
            } else {
                append(escapeOf: scalar.value, to: &output)
            }
        }
        return output
    }

    @inline(__always)
    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// True if every byte is printable ASCII that needs no escape.
    private static func isPlain(_ text: borrowing Span<UInt8>) -> Bool {
        for place in text.indices where text[place] >= 0x80 || isEscaped(text[place]) { return false }
        return true
    }

    /// Appends the shortest escape of a scalar; those beyond the basic plane take two.
    private static func append(escapeOf scalar: UInt32, to output: inout [UInt8]) {
        switch scalar {
        case 0x22: output.append(contentsOf: "\\\"".utf8)
        case 0x5C: output.append(contentsOf: "\\\\".utf8)
        case 0x0A: output.append(contentsOf: "\\n".utf8)
        case 0x0D: output.append(contentsOf: "\\r".utf8)
        case 0x09: output.append(contentsOf: "\\t".utf8)
        case 0..<0x1_0000: append(unit: scalar, to: &output)
        default:
            append(unit: 0xD800 + (scalar &- 0x1_0000) >> 10, to: &output)
            append(unit: 0xDC00 + scalar & 0x3FF, to: &output)
        }
    }

    private static func append(unit: UInt32, to output: inout [UInt8]) {
        output.append(contentsOf: "\\u".utf8)
        for shift in [12, 8, 4, 0] as [UInt32] {
            let digit = UInt8(truncatingIfNeeded: unit >> shift & 15)
            output.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
        }
    }
}
