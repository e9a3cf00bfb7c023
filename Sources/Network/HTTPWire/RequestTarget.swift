/// Reads a request target in its four forms (RFC 9112 §3.2).
enum RequestTarget {
    /// Leaves `position` at the space after the target.
    static func parse(
        _ bytes: Span<UInt8>, _ position: inout Int, _ head: inout RequestHead, end: Int
    ) throws(RequestHeadParser.Interruption) {
        let first = try RequestHeadParser.byte(bytes, position, end)
        if first == UInt8(ascii: "/") {
            head.targetForm = .origin
            guard head.method != .connect else { throw .malformed(.targetForm) }
            try parsePathAndQuery(bytes, &position, &head, end: end)
        } else if first == UInt8(ascii: "*") {
            head.targetForm = .asterisk
            head.path = position..<position
            position &+= 1
            let next = try RequestHeadParser.byte(bytes, position, end)
            guard next == 0x20 else { throw RequestHeadParser.endOfLine(next) ?? .malformed(.targetForm) }
            guard head.method == .options || head.isConnectionPreface(bytes) else { throw .malformed(.targetForm) }
        } else if head.method == .connect {
            head.targetForm = .authority
            head.path = position..<position
            let authority = try scan(bytes, &position, end: end)
            guard Authority.isValid(bytes, authority, requiresPort: true) else { throw .malformed(.targetAuthority) }
        } else {
            head.targetForm = .absolute
            try parseAbsolute(bytes, &position, &head, end: end)
        }
    }

    /// `http://authority/path?query`; the scheme is in any case.
    private static func parseAbsolute(
        _ bytes: Span<UInt8>, _ position: inout Int, _ head: inout RequestHead, end: Int
    ) throws(RequestHeadParser.Interruption) {
        let schemeStart = position
        guard try RequestHeadParser.byte(bytes, position, end) != 0x20 else { throw .malformed(.requestLine) }
        while try RequestHeadParser.byte(bytes, position, end) != UInt8(ascii: ":") {
            let byte = bytes[position]
            guard ByteClass.isToken(byte) else {
                throw RequestHeadParser.endOfLine(byte) ?? .malformed(byte == 0x20 ? .targetForm : .target)
            }
            position &+= 1
        }
        let scheme = schemeStart..<position
        guard bytes.spells("http", in: scheme) || bytes.spells("https", in: scheme) else {
            throw .malformed(.targetForm)
        }
        for _ in 0..<2 {
            position &+= 1
            guard try RequestHeadParser.byte(bytes, position, end) == UInt8(ascii: "/") else {
                throw .malformed(.targetForm)
            }
        }
        position &+= 1
        let authorityStart = position
        while true {
            let byte = try RequestHeadParser.byte(bytes, position, end)
            if byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == 0x20 { break }
            guard ByteClass.isPath(byte) else { throw RequestHeadParser.endOfLine(byte) ?? .malformed(.target) }
            position &+= 1
        }
        guard Authority.isValid(bytes, authorityStart..<position, requiresPort: false) else {
            throw .malformed(.targetAuthority)
        }
        try parsePathAndQuery(bytes, &position, &head, end: end)
    }

    private static func parsePathAndQuery(
        _ bytes: Span<UInt8>, _ position: inout Int, _ head: inout RequestHead, end: Int
    ) throws(RequestHeadParser.Interruption) {
        let start = position
        let stop = min(bytes.count, end)
        var index = start
        var previous: UInt8 = 0
        while index < stop {
            let byte = bytes[index]
            guard byte != 0x20, byte != UInt8(ascii: "?") else { break }
            guard ByteClass.isPath(byte) else { throw RequestHeadParser.endOfLine(byte) ?? .malformed(.target) }
            if byte == UInt8(ascii: "%") {
                head.pathIsEncoded = true
            } else if byte == UInt8(ascii: "."), previous == UInt8(ascii: "/") {
                try refuseDotSegment(bytes, at: index, end: end)
            }
            previous = byte
            index &+= 1
        }
        position = index
        head.path = start..<index
        guard try RequestHeadParser.byte(bytes, index, end) == UInt8(ascii: "?") else { return }
        let queryStart = index &+ 1
        index = queryStart
        while index < stop, ByteClass.isQuery(bytes[index]) { index &+= 1 }
        position = index
        let byte = try RequestHeadParser.byte(bytes, index, end)
        guard byte == 0x20 else { throw RequestHeadParser.endOfLine(byte) ?? .malformed(.target) }
        head.query = queryStart..<index
    }

    /// `.` and `..` as whole segments: a client removes them (RFC 3986 §5.2.4); one that sends them is
    /// asking for something else than it seems to.
    private static func refuseDotSegment(
        _ bytes: Span<UInt8>, at position: Int, end: Int
    ) throws(RequestHeadParser.Interruption) {
        var next = position &+ 1
        if try RequestHeadParser.byte(bytes, next, end) == UInt8(ascii: ".") { next &+= 1 }
        let byte = try RequestHeadParser.byte(bytes, next, end)
        if byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == 0x20 { throw .malformed(.dotSegment) }
    }

    /// Everything up to the next space.
    private static func scan(
        _ bytes: Span<UInt8>, _ position: inout Int, end: Int
    ) throws(RequestHeadParser.Interruption) -> Range<Int> {
        let start = position
        while true {
            let byte = try RequestHeadParser.byte(bytes, position, end)
            guard byte != 0x20 else { return start..<position }
            guard ByteClass.isPath(byte) else { throw RequestHeadParser.endOfLine(byte) ?? .malformed(.target) }
            position &+= 1
        }
    }
}

extension RequestHead {
    /// HTTP/2's opening line looks like a request; it deserves the answer about versions.
    func isConnectionPreface(_ bytes: Span<UInt8>) -> Bool {
        bytes.isExactly("PRI", in: methodName)
    }
}

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
