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
