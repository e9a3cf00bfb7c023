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
