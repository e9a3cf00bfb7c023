/// What a stored representation can be compared by.
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

    /// Whether a Range field counts: only with GET (RFC 9110 §14.2), and where there is an If-Range only
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

    /// A date that cannot be read is no condition (RFC 9110 §13.1.3), and neither are two of them.
    private static func date(_ head: borrowing RequestHead, _ field: KnownField, _ bytes: Span<UInt8>) -> Int64? {
        guard let value = head.value(field), !head.isRepeated(field) else { return nil }
        return HTTPDate.parse(bytes, value)
    }
}
