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

    /// An IPv6 literal's closing bracket; the digits between are checked loosely, since nothing is looked up.
    private static func closingBracket(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        var position = range.lowerBound &+ 1
        var colons = 0
        while position < range.upperBound {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "]"): return colons >= 2 ? position : nil
            case UInt8(ascii: ":"): colons &+= 1
            case UInt8(ascii: "."): break
            default: guard isHexDigit(byte) else { return nil }
            }
            position &+= 1
        }
        return nil
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
