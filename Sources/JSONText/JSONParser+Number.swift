extension JSONParser {
    /// A number of exactly the form RFC 8259 §6 allows; its text is kept where it stands.
    mutating func number(_ bytes: Span<UInt8>) throws(JSONFault) {
        let start = position
        if bytes[position] == UInt8(ascii: "-") { position &+= 1 }
        let whole = position
        try digits(bytes)
        if bytes[whole] == UInt8(ascii: "0"), position > whole &+ 1 { throw JSONFault(.leadingZero, at: whole) }
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            position &+= 1
            try digits(bytes)
        }
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            position &+= 1
            if position < bytes.count, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") {
                position &+= 1
            }
            try digits(bytes)
        }
        guard position &- start <= limits.numberByteCount else {
            throw JSONFault(.limitReached(.numberByteCount, limit: limits.numberByteCount), at: start)
        }
        append(.number, from: start)
    }

    private mutating func digits(_ bytes: Span<UInt8>) throws(JSONFault) {
        let start = position
        while position < bytes.count, bytes[position] &- 0x30 < 10 { position &+= 1 }
        guard position > start else {
            throw JSONFault(position < bytes.count ? .missingDigit : .truncated, at: position)
        }
    }
}
