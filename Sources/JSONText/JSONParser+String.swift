internal import Bytes

extension JSONParser {
    /// What a string says, from its opening quote.
    mutating func string(_ bytes: Span<UInt8>) throws(JSONFault) -> String {
        position &+= 1
        let start = position
        while position < bytes.count {
            let byte = bytes[position]
            if byte >= 0x20, byte < 0x80, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
                position &+= 1
            } else if byte == UInt8(ascii: "\"") {
                let text = try text(bytes.extracting(start..<position), at: start)
                position &+= 1
                return text
            } else if byte == UInt8(ascii: "\\") {
                return try escapedString(bytes, from: start)
            } else if byte < 0x20 {
                throw JSONFault(.controlCharacter(byte), at: position)
            } else {
                position &+= try scalarByteCount(bytes)
            }
        }
        throw JSONFault(.truncated, at: position)
    }

    /// The rest of a string that holds escapes; what stands before the first one is taken as it is.
    private mutating func escapedString(_ bytes: Span<UInt8>, from start: Int) throws(JSONFault) -> String {
        scratch.removeAll(keepingCapacity: true)
        for index in start..<position { scratch.append(bytes[index]) }
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "\""):
                position &+= 1
                return try text(scratch.span, at: start)
            case UInt8(ascii: "\\"):
                try escape(bytes)
            case 0..<0x20:
                throw JSONFault(.controlCharacter(byte), at: position)
            case 0x80...:
                for _ in 0..<(try scalarByteCount(bytes)) {
                    scratch.append(bytes[position])
                    position &+= 1
                }
            default:
                scratch.append(byte)
                position &+= 1
            }
        }
        throw JSONFault(.truncated, at: position)
    }

    /// The bytes were checked one by one, so this does not throw; it is the way to a `String` that
    /// needs no unsafe promise.
    private func text(_ bytes: Span<UInt8>, at offset: Int) throws(JSONFault) -> String {
        do {
            return String(copying: try UTF8Span(validating: bytes))
        } catch {
            throw JSONFault(.invalidUTF8, at: offset)
        }
    }

    private func scalarByteCount(_ bytes: Span<UInt8>) throws(JSONFault) -> Int {
        switch UTF8Sequence(at: position, in: bytes) {
        case .scalar(_, let byteCount): return byteCount
        case .truncated: throw JSONFault(.truncated, at: bytes.count)
        case .invalid: throw JSONFault(.invalidUTF8, at: position)
        }
    }

    private mutating func escape(_ bytes: Span<UInt8>) throws(JSONFault) {
        let start = position
        guard start &+ 1 < bytes.count else { throw JSONFault(.truncated, at: bytes.count) }
        let byte = bytes[start &+ 1]
        position &+= 2
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scratch.append(byte)
        case UInt8(ascii: "b"): scratch.append(0x08)
        case UInt8(ascii: "f"): scratch.append(0x0C)
        case UInt8(ascii: "n"): scratch.append(0x0A)
        case UInt8(ascii: "r"): scratch.append(0x0D)
        case UInt8(ascii: "t"): scratch.append(0x09)
        case UInt8(ascii: "u"): try unicodeEscape(bytes, from: start)
        default: throw JSONFault(.unknownEscape(byte), at: start)
        }
    }

    /// `\uXXXX`, or two of them for a scalar above U+FFFF (RFC 8259 §7). Half a pair denotes nothing.
    private mutating func unicodeEscape(_ bytes: Span<UInt8>, from start: Int) throws(JSONFault) {
        let first = try hexUnit(bytes, from: start)
        guard first & 0xF800 == 0xD800 else { return append(UInt32(first)) }
        guard first < 0xDC00 else { throw JSONFault(.loneSurrogate(first), at: start) }
        let second = position
        for expected in [UInt8(ascii: "\\"), UInt8(ascii: "u")] {
            guard position < bytes.count else { throw JSONFault(.truncated, at: position) }
            guard bytes[position] == expected else { throw JSONFault(.loneSurrogate(first), at: start) }
            position &+= 1
        }
        let low = try hexUnit(bytes, from: second)
        guard low & 0xFC00 == 0xDC00 else { throw JSONFault(.loneSurrogate(first), at: start) }
        append(0x10000 &+ (UInt32(first & 0x3FF) << 10 | UInt32(low & 0x3FF)))
    }

    private mutating func hexUnit(_ bytes: Span<UInt8>, from start: Int) throws(JSONFault) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard position < bytes.count else { throw JSONFault(.truncated, at: position) }
            guard let digit = Hex.value(of: bytes[position]) else {
                throw JSONFault(.invalidUnicodeEscape, at: start)
            }
            unit = unit << 4 | UInt16(digit)
            position &+= 1
        }
        return unit
    }

    private mutating func append(_ value: UInt32) {
        guard let scalar = Unicode.Scalar(value) else { return }
        scratch.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
}
