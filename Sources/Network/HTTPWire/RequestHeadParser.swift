/// Reads a request's head from bytes, whole or not at all.
///
/// The parser keeps nothing between calls: when it needs more bytes it says so, and is called again
/// with all of them. The answer therefore does not depend on how the bytes are split on arrival.
package enum RequestHeadParser {
    package enum Outcome: Equatable, Sendable {
        case complete
        case incomplete
        case refused(Refusal)
    }

    /// Parses the head at the start of `bytes` into `head`.
    package static func parse(_ bytes: Span<UInt8>, into head: inout RequestHead, limits: HeadLimits) -> Outcome {
        head.reset()
        var position = 0
        do throws(Interruption) {
            try parseRequestLine(bytes, &position, &head, limits)
            try parseFields(bytes, &position, &head, limits)
            head.byteCount = position
            try FramingRules.apply(to: &head, bytes)
            return .complete
        } catch {
            switch error {
            case .needsMore: return .incomplete
            case .refused(let refusal): return .refused(refusal)
            }
        }
    }

    enum Interruption: Error {
        case needsMore
        case refused(Refusal)

        static func malformed(_ malformation: Malformation) -> Interruption {
            .refused(.malformed(malformation))
        }
    }

    // MARK: The request line (RFC 9112 §3)

    private static func parseRequestLine(
        _ bytes: Span<UInt8>, _ position: inout Int, _ head: inout RequestHead, _ limits: HeadLimits
    ) throws(Interruption) {
        // RFC 9112 §2.2: empty lines before a request are skipped; here, within the line's own limit.
        while position < bytes.count, bytes[position] == 0x0D || bytes[position] == 0x0A {
            guard bytes[position] == 0x0D else { throw .malformed(.bareLineFeed) }
            guard position &+ 1 < bytes.count else { throw .needsMore }
            guard bytes[position &+ 1] == 0x0A else { throw .malformed(.bareCarriageReturn) }
            position &+= 2
            guard position <= limits.requestLine else { throw .refused(.requestLineTooLong(limit: limits.requestLine)) }
        }
        let end = limits.requestLine

        let methodStart = position
        while try byte(bytes, position, end) != 0x20 {
            guard ByteClass.isToken(bytes[position]) else { throw endOfLine(bytes[position]) ?? .malformed(.method) }
            position &+= 1
        }
        guard position > methodStart else { throw .malformed(.method) }
        head.methodName = methodStart..<position
        head.method = Method(bytes, head.methodName)
        position &+= 1

        try RequestTarget.parse(bytes, &position, &head, end: end)
        position &+= 1

        try parseVersion(bytes, &position, &head, end: end)
        // RFC 9112 §3.2.4. Of HTTP/1, so the opening of HTTP/2 has been answered already.
        guard head.targetForm != .asterisk || head.method == .options else { throw .malformed(.targetForm) }
    }

    private static func parseVersion(
        _ bytes: Span<UInt8>, _ position: inout Int, _ head: inout RequestHead, end: Int
    ) throws(Interruption) {
        // What nearly every request says, in one look.
        if position &+ 8 <= end, bytes.starts(with: "HTTP/1.1\r\n", at: position) {
            position &+= 10
            head.minorVersion = 1
            return
        }
        let pattern: StaticString = "HTTP/"
        for offset in 0..<5 {
            // A static string's bytes live as long as the program.
            guard unsafe try byte(bytes, position, end) == pattern.utf8Start[offset] else {
                throw endOfLine(bytes[position]) ?? .malformed(.version)
            }
            position &+= 1
        }
        let major = try byte(bytes, position, end)
        guard ByteClass.isDigit(major) else { throw .malformed(.version) }
        position &+= 1
        guard try byte(bytes, position, end) == UInt8(ascii: ".") else { throw .malformed(.version) }
        position &+= 1
        let minor = try byte(bytes, position, end)
        guard ByteClass.isDigit(minor) else { throw .malformed(.version) }
        position &+= 1
        let next = try byte(bytes, position, end &+ 1)
        guard next == 0x0D else { throw next == 0x0A ? .malformed(.bareLineFeed) : .malformed(.version) }
        position &+= 1
        guard position < bytes.count else { throw .needsMore }
        guard bytes[position] == 0x0A else { throw .malformed(.bareCarriageReturn) }
        position &+= 1
        // RFC 9110 §2.5: a higher minor version of HTTP/1 is read as the highest known one.
        guard major == UInt8(ascii: "1") else { throw .refused(.unsupportedVersion) }
        head.minorVersion = minor &- 0x30
    }

    /// The byte at `position`. Throws if it has not arrived, or if the line is past its limit.
    @inline(__always)
    static func byte(_ bytes: Span<UInt8>, _ position: Int, _ end: Int) throws(Interruption) -> UInt8 {
        guard position < end else { throw .refused(.requestLineTooLong(limit: end)) }
        guard position < bytes.count else { throw .needsMore }
        return bytes[position]
    }

    /// The sharper complaint when a line ended where something else was due.
    static func endOfLine(_ byte: UInt8) -> Interruption? {
        switch byte {
        case 0x0A: .malformed(.bareLineFeed)
        case 0x0D: .malformed(.requestLine)
        default: nil
        }
    }

    // MARK: Fields (RFC 9112 §5)

    private static func parseFields(
        _ bytes: Span<UInt8>, _ position: inout Int, _ head: inout RequestHead, _ limits: HeadLimits
    ) throws(Interruption) {
        let sectionStart = position
        while true {
            guard position < bytes.count else { throw .needsMore }
            if bytes[position] == 0x0D {
                guard position &+ 1 < bytes.count else { throw .needsMore }
                guard bytes[position &+ 1] == 0x0A else { throw .malformed(.bareCarriageReturn) }
                position &+= 2
                return
            }
            guard head.fields.count < limits.fieldCount else {
                throw .refused(.tooManyFields(limit: limits.fieldCount))
            }
            // The section's own bound counts its line ends, but not the empty line after it.
            let room = limits.fields &- (position &- sectionStart) &- 2
            let field = try FieldLine.parse(bytes, &position, room: room, limits: limits)
            if let malformation = head.append(field) { throw .malformed(malformation) }
        }
    }
}

/// One header line: a token, a colon, a value without control characters, CR LF (RFC 9112 §5).
enum FieldLine {
    @inline(__always)
    static func parse(
        _ bytes: Span<UInt8>, _ position: inout Int, room: Int, limits: HeadLimits
    ) throws(RequestHeadParser.Interruption) -> RequestHead.Field {
        let start = position
        let bound = start &+ min(limits.field, room)
        let count = bytes.count
        position = bytes.endOfToken(from: start)
        try requireWithin(position, bound, room: room, limits: limits)
        guard position < count else { throw .needsMore }
        guard bytes[position] == UInt8(ascii: ":"), position > start else {
            throw .malformed(complaint(bytes[position], isFirst: position == start))
        }
        let name = start..<position
        position &+= 1

        while position < count, ByteClass.isSpace(bytes[position]) { position &+= 1 }
        let valueStart = position
        position = bytes.endOfFieldValue(from: position)
        try requireWithin(position, bound, room: room, limits: limits)
        guard position < count else { throw .needsMore }
        guard bytes[position] == 0x0D else {
            throw .malformed(bytes[position] == 0x0A ? .bareLineFeed : .fieldValue)
        }
        guard position &+ 1 < count else { throw .needsMore }
        guard bytes[position &+ 1] == 0x0A else { throw .malformed(.bareCarriageReturn) }

        var valueEnd = position
        while valueEnd > valueStart, ByteClass.isSpace(bytes[valueEnd &- 1]) { valueEnd &-= 1 }
        position &+= 2
        return RequestHead.Field(name: name, value: valueStart..<valueEnd, known: KnownField(bytes, name))
    }

    private static func requireWithin(
        _ position: Int, _ bound: Int, room: Int, limits: HeadLimits
    ) throws(RequestHeadParser.Interruption) {
        guard position > bound else { return }
        throw .refused(room < limits.field ? .headTooLong(limit: limits.fields) : .fieldTooLong(limit: limits.field))
    }

    private static func complaint(_ byte: UInt8, isFirst: Bool) -> Malformation {
        switch byte {
        case 0x0A: .bareLineFeed
        case 0x0D: .fieldName
        case 0x20 where isFirst, 0x09 where isFirst: .foldedLine
        default: .fieldName
        }
    }
}
