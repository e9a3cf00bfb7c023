internal import Bytes

extension JSONParser {
    /// Checks a string from its opening quote; its text is read when somebody asks for it.
    mutating func string(_ bytes: Span<UInt8>) throws(JSONFault) {
        let start = position
        var hasEscapes = false
        var marks = CombiningMarks()
        position &+= 1
        while true {
            let plain = position
            position = bytes.endOfPlainText(from: position)
            guard position < bytes.count else { throw JSONFault(.truncated, at: position) }
            if position > plain { marks.end() }
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "\""):
                position &+= 1
                return append(hasEscapes ? .escapedString : .string, from: start)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                let escape = try JSONEscape(at: position, in: bytes)
                try take(escape.scalar, &marks)
                position = escape.end
            case 0..<0x20: throw JSONFault(.controlCharacter(byte), at: position)
            default:
                switch UTF8Sequence(at: position, in: bytes) {
                case .scalar(let scalar, let byteCount):
                    try take(scalar, &marks)
                    position &+= byteCount
                case .truncated: throw JSONFault(.truncated, at: bytes.count)
                case .invalid: throw JSONFault(.invalidUTF8, at: position)
                }
            }
        }
    }

    private func take(_ scalar: UInt32, _ marks: inout CombiningMarks) throws(JSONFault) {
        guard marks.take(scalar) > limits.markCount else { return }
        throw JSONFault(.limitReached(.markCount, limit: limits.markCount), at: position)
    }
}

/// One escape of a string: the scalar it stands for and where it ends.
struct JSONEscape {
    let scalar: UInt32
    let end: Int

    /// - Parameter start: of the backslash.
    init(at start: Int, in bytes: Span<UInt8>) throws(JSONFault) {
        guard start &+ 1 < bytes.count else { throw JSONFault(.truncated, at: bytes.count) }
        let byte = bytes[start &+ 1]
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scalar = UInt32(byte)
        case UInt8(ascii: "b"): scalar = 0x08
        case UInt8(ascii: "f"): scalar = 0x0C
        case UInt8(ascii: "n"): scalar = 0x0A
        case UInt8(ascii: "r"): scalar = 0x0D
        case UInt8(ascii: "t"): scalar = 0x09
        case UInt8(ascii: "u"):
            (scalar, end) = try JSONEscape.unicode(bytes, from: start)
            return
        default: throw JSONFault(.unknownEscape(byte), at: start)
        }
        end = start &+ 2
    }

    /// `\uXXXX`, or two of them for a scalar above U+FFFF (RFC 8259 §7). Half a pair denotes nothing.
    private static func unicode(_ bytes: Span<UInt8>, from start: Int) throws(JSONFault) -> (UInt32, Int) {
        let first = try unit(bytes, from: start, digits: start &+ 2)
        guard first & 0xF800 == 0xD800 else { return (UInt32(first), start &+ 6) }
        guard first < 0xDC00 else { throw JSONFault(.loneSurrogate(first), at: start) }
        var position = start &+ 6
        for expected in [UInt8(ascii: "\\"), UInt8(ascii: "u")] {
            guard position < bytes.count else { throw JSONFault(.truncated, at: position) }
            guard bytes[position] == expected else { throw JSONFault(.loneSurrogate(first), at: start) }
            position &+= 1
        }
        let low = try unit(bytes, from: start &+ 6, digits: position)
        guard low & 0xFC00 == 0xDC00 else { throw JSONFault(.loneSurrogate(first), at: start) }
        return (0x10000 &+ (UInt32(first & 0x3FF) << 10 | UInt32(low & 0x3FF)), position &+ 4)
    }

    private static func unit(_ bytes: Span<UInt8>, from start: Int, digits: Int) throws(JSONFault) -> UInt16 {
        var unit: UInt16 = 0
        for position in digits..<digits &+ 4 {
            guard position < bytes.count else { throw JSONFault(.truncated, at: position) }
            guard let digit = Hex.value(of: bytes[position]) else {
                throw JSONFault(.invalidUnicodeEscape, at: start)
            }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }
}
