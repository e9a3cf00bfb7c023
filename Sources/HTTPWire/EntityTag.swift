/// Entity tags in the fields that compare them (RFC 9110 §8.8.3, §13.1).
enum EntityTag {
    enum Comparison { case strong, weak }

    /// Whether a list of tags, or `*`, holds `tag`, which is written with its quotes and is never weak.
    static func list(_ bytes: Span<UInt8>, _ value: Range<Int>, holds tag: [UInt8], _ comparison: Comparison) -> Bool {
        if bytes.isExactly("*", in: value) { return true }
        // RFC 9110 §8.8.3: a backslash inside an entity tag is a character like any other.
        var members = ListCursor(value, quoting: .plain)
        while let member = members.next(in: bytes) {
            if matches(bytes, member, tag, comparison) { return true }
        }
        return false
    }

    static func matches(_ bytes: Span<UInt8>, _ member: Range<Int>, _ tag: [UInt8], _ comparison: Comparison) -> Bool {
        var opaque = member
        if member.count > 2, bytes.isExactly("W/", in: member.lowerBound..<(member.lowerBound &+ 2)) {
            guard comparison == .weak else { return false }
            opaque = (member.lowerBound &+ 2)..<member.upperBound
        }
        return bytes.equals(tag, in: opaque)
    }
}
