/// Judges a host with an optional port (RFC 3986 §3.2), as a Host field and an absolute target hold it.
enum Authority {
    static func isValid(_ bytes: Span<UInt8>, _ range: Range<Int>, requiresPort: Bool) -> Bool {
        var hostEnd = range.lowerBound
        if hostEnd < range.upperBound, bytes[hostEnd] == UInt8(ascii: "[") {
            guard let close = closingBracket(bytes, range) else { return false }
            hostEnd = close &+ 1
        } else {
            while hostEnd < range.upperBound, bytes[hostEnd] != UInt8(ascii: ":") {
                guard isNameByte(bytes, hostEnd, range.upperBound) else { return false }
                hostEnd &+= 1
            }
        }
        // RFC 9110 §4.2.1: an http URI with an empty host is invalid.
        guard hostEnd > range.lowerBound else { return false }
        guard hostEnd < range.upperBound else { return !requiresPort }
        guard bytes[hostEnd] == UInt8(ascii: ":") else { return false }
        return isPort(bytes, (hostEnd &+ 1)..<range.upperBound, requiresDigits: requiresPort)
    }

    /// The closing bracket of an IPv6 literal. RFC 9110 §4.2 knows no other literal that means anything today:
    /// neither a zone nor a later version is accepted.
    private static func closingBracket(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        var end = range.lowerBound &+ 1
        while end < range.upperBound, bytes[end] != UInt8(ascii: "]") { end &+= 1 }
        guard end < range.upperBound else { return nil }
        return isAddress(bytes, (range.lowerBound &+ 1)..<end) ? end : nil
    }

    /// `IPv6address` of RFC 3986 §3.2.2: eight groups, or fewer around one `::`, the last two perhaps as IPv4.
    private static func isAddress(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        var position = range.lowerBound
        var groups = 0
        var isCompressed = false
        if bytes.starts(with: "::", at: position) {
            isCompressed = true
            position &+= 2
        }
        while position < range.upperBound {
            let start = position
            while position < range.upperBound, isHexDigit(bytes[position]) { position &+= 1 }
            if position < range.upperBound, bytes[position] == UInt8(ascii: ".") {
                guard isV4(bytes, start..<range.upperBound) else { return false }
                groups &+= 2
                break
            }
            guard (1...4).contains(position &- start) else { return false }
            groups &+= 1
            guard position < range.upperBound else { break }
            guard bytes[position] == UInt8(ascii: ":"), position &+ 1 < range.upperBound else { return false }
            position &+= 1
            if bytes[position] == UInt8(ascii: ":") {
                guard !isCompressed else { return false }
                isCompressed = true
                position &+= 1
            }
        }
        return isCompressed ? groups < 8 : groups == 8
    }

    /// Four numbers below 256 without leading zeros.
    private static func isV4(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        var position = range.lowerBound
        for part in 0..<4 {
            let start = position
            var value = 0
            while position < range.upperBound, position &- start < 3, ByteClass.isDigit(bytes[position]) {
                value = value &* 10 &+ Int(bytes[position] &- 0x30)
                position &+= 1
            }
            guard position > start, value < 256, position &- start == 1 || bytes[start] != UInt8(ascii: "0") else {
                return false
            }
            guard part < 3 else { break }
            guard position < range.upperBound, bytes[position] == UInt8(ascii: ".") else { return false }
            position &+= 1
        }
        return position == range.upperBound
    }

    /// A byte of a name, or a whole escape's first; no user information, and no comma, which is what two
    /// hosts look like once something has joined them.
    @inline(__always)
    private static func isNameByte(_ bytes: Span<UInt8>, _ position: Int, _ end: Int) -> Bool {
        if ByteClass.isHostName(bytes[position]) { return true }
        return bytes[position] == UInt8(ascii: "%") && position &+ 2 < end
            && isHexDigit(bytes[position &+ 1]) && isHexDigit(bytes[position &+ 2])
    }

    private static func isPort(_ bytes: Span<UInt8>, _ range: Range<Int>, requiresDigits: Bool) -> Bool {
        guard !range.isEmpty else { return !requiresDigits }
        var port = 0
        for index in range {
            guard ByteClass.isDigit(bytes[index]) else { return false }
            port = port &* 10 &+ Int(bytes[index] &- 0x30)
            guard port <= 65_535 else { return false }
        }
        return true
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        ByteClass.isDigit(byte) || ByteClass.lowercased(byte) &- 0x61 < 6
    }
}
