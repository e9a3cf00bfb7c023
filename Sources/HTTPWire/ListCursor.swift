/// The members of a comma-separated list (RFC 9110 §5.6.1), empty ones left out.
struct ListCursor {
    /// What a quotation mark means in a list.
    enum Quoting {
        /// A quoted string, in which a backslash takes the next byte's meaning away (RFC 9110 §5.6.4).
        case escaped
        /// Quotes without escapes, as entity tags have them; one that nobody closes takes in the rest.
        case plain
        /// Nothing at all.
        case none
    }

    private var position: Int
    private let end: Int
    private var quoting: Quoting

    init(_ range: Range<Int>, quoting: Quoting = .escaped) {
        position = range.lowerBound
        end = range.upperBound
        self.quoting = quoting
    }

    /// The next member with its surrounding space cut off. Commas inside quotes do not count.
    mutating func next(in bytes: Span<UInt8>) -> Range<Int>? {
        while position < end {
            let start = position
            guard skipMember(in: bytes) || quoting == .plain else {
                // A quote that nobody closes is none, from here on: else the text before a proxy's
                // addition could swallow it.
                quoting = .none
                position = start
                continue
            }
            let member = bytes.trimmed(start..<position)
            position &+= 1
            if !member.isEmpty { return member }
        }
        return nil
    }

    /// Moves to the comma after the member at `position`, or to the end; false when that is inside quotes.
    private mutating func skipMember(in bytes: Span<UInt8>) -> Bool {
        var isQuoted = false
        while position < end {
            let byte = bytes[position]
            if isQuoted, quoting == .escaped, byte == UInt8(ascii: "\\") {
                position &+= 1
            } else if byte == UInt8(ascii: "\""), quoting != .none {
                isQuoted.toggle()
            } else if byte == UInt8(ascii: ","), !isQuoted {
                return true
            }
            position &+= 1
        }
        // A backslash at the very end steps over it.
        position = end
        return !isQuoted
    }
}
