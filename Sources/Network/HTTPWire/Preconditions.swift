/// The entity tag and the date by which a stored representation is compared.
package struct Validators: Sendable {
    /// A strong entity tag with its quotes.
    package var entityTag: [UInt8]
    /// Seconds since 1970, where the time of change is known.
    package var lastModified: Int64?

    package init(entityTag: String, lastModified: Int64? = nil) {
        self.entityTag = Array(entityTag.utf8)
        self.lastModified = lastModified
    }
}

/// The outcome of a request's conditions, evaluated in the order of RFC 9110 §13.2.2.
package enum Preconditions {
    package enum Outcome: Equatable, Sendable { case proceed, notModified, failed }

    package static func evaluate(_ head: borrowing RequestHead, _ bytes: Span<UInt8>, _ validators: Validators)
        -> Outcome
    {
        // RFC 9110 §13.2.1: a method that neither reads nor changes a representation has no conditions.
        switch head.method {
        case .options, .trace, .connect: return .proceed
        default: break
        }
        if head.has(.ifMatch) {
            guard anyLine(head, .ifMatch, bytes, validators, .strong) else { return .failed }
        } else if let date = date(head, .ifUnmodifiedSince, bytes), let changed = validators.lastModified {
            guard changed <= date else { return .failed }
        }
        let isRead = head.method == .get || head.method == .head
        if head.has(.ifNoneMatch) {
            guard anyLine(head, .ifNoneMatch, bytes, validators, .weak) else { return .proceed }
            return isRead ? .notModified : .failed
        }
        if isRead, let date = date(head, .ifModifiedSince, bytes), let changed = validators.lastModified {
            return changed <= date ? .notModified : .proceed
        }
        return .proceed
    }

    /// True if a Range field counts: only with GET (RFC 9110 §14.2), and beside an If-Range only
    /// on an exact match (§13.1.5).
    package static func allowsRange(_ head: borrowing RequestHead, _ bytes: Span<UInt8>, _ validators: Validators)
        -> Bool
    {
        guard head.method == .get else { return false }
        guard let value = head.value(.ifRange) else { return true }
        // A weak tag is neither a strong tag nor a date, so it never matches.
        if EntityTag.matches(bytes, value, validators.entityTag, .strong) { return true }
        guard let date = HTTPDate.parse(bytes, value) else { return false }
        return date == validators.lastModified
    }

    private static func anyLine(
        _ head: borrowing RequestHead, _ field: KnownField, _ bytes: Span<UInt8>,
        _ validators: Validators, _ comparison: EntityTag.Comparison
    ) -> Bool {
        for index in head.candidates(field) where head.fields[index].known == field {
            if EntityTag.list(bytes, head.fields[index].value, holds: validators.entityTag, comparison) { return true }
        }
        return false
    }

    /// A date that cannot be read is ignored (RFC 9110 §13.1.3), and so is a repeated one.
    private static func date(_ head: borrowing RequestHead, _ field: KnownField, _ bytes: Span<UInt8>) -> Int64? {
        guard let value = head.value(field), !head.isRepeated(field) else { return nil }
        return HTTPDate.parse(bytes, value)
    }
}

/// The tags of an If-Match or If-None-Match field, kept for when the representation they are compared with is
/// known only later (RFC 9110 §13.1).
package struct EntityTagList: Sendable {
    private let bytes: [UInt8]

    package init(_ value: String) {
        bytes = Array(value.utf8)
    }

    /// True if the list, or `*`, holds the strong tag of the current representation; false without one.
    package func holds(_ tag: String?) -> Bool {
        guard let tag else { return false }
        return EntityTag.list(bytes.span, 0..<bytes.count, holds: Array(tag.utf8), .strong)
    }
}

/// Entity tags in the fields that compare them (RFC 9110 §8.8.3, §13.1).
enum EntityTag {
    enum Comparison { case strong, weak }

    /// True if a list of tags, or `*`, holds `tag`, which is written with its quotes and is never weak.
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
