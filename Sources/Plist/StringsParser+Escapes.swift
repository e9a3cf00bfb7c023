internal import Bytes

extension StringsParser {
    /// A backslash and what it stands for. `\Uxxxx` is a UTF-16 unit, so two of them may form a pair;
    /// octal numbers are taken only where every encoding agrees on them.
    mutating func escape() throws(Fault) -> Unicode.Scalar {
        let start = index
        index += 1
        let byte = try current()
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\n"), UInt8(ascii: "/"):
            return Unicode.Scalar(byte)
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "a"): return "\u{7}"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "v"): return "\u{B}"
        case UInt8(ascii: "U"), UInt8(ascii: "u"): return try unicodeEscape(from: start)
        case 0x30...0x37:
            index -= 1
            return try octal(from: start)
        default: throw Fault(reason: .unknownEscape(text.scalar(at: start + 1)), index: start)
        }
    }

    private mutating func octal(from start: Int) throws(Fault) -> Unicode.Scalar {
        var value: UInt32 = 0
        for _ in 0..<3 {
            let digit = try current()
            guard (0x30...0x37).contains(digit) else { break }
            value = value << 3 | UInt32(digit & 7)
            index += 1
        }
        guard value < 0x80, let scalar = Unicode.Scalar(value) else {
            throw Fault(reason: .unknownEscape(0x30 + (value >> 6)), index: start)
        }
        return scalar
    }

    private mutating func unicodeEscape(from start: Int) throws(Fault) -> Unicode.Scalar {
        let first = try unit(from: start)
        if let scalar = Unicode.Scalar(first) { return scalar }
        let lone = Fault(reason: .loneSurrogate(UInt16(truncatingIfNeeded: first)), index: start)
        guard first < 0xDC00, try current() == UInt8(ascii: "\\") else { throw lone }
        index += 1
        guard [UInt8(ascii: "U"), UInt8(ascii: "u")].contains(try current()) else { throw lone }
        index += 1
        let second = try unit(from: start)
        guard second & 0xFC00 == 0xDC00,
            let scalar = Unicode.Scalar(0x10000 + ((first & 0x3FF) << 10 | (second & 0x3FF)))
        else { throw lone }
        return scalar
    }

    private mutating func unit(from start: Int) throws(Fault) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Hex.value(of: try current()) else {
                throw Fault(reason: .unknownEscape(UInt32(UInt8(ascii: "U"))), index: start)
            }
            value = value << 4 | UInt32(digit)
            index += 1
        }
        return value
    }
}
