internal import WidgetBytes

/// The media types and codings that a client accepts (RFC 9110 §12.5).
package enum Negotiation {
    /// True if an Accept value admits a media type, written in lower case as `type/subtype`.
    ///
    /// The most specific range decides, and only a weight of zero says no.
    package static func admits(_ bytes: Span<UInt8>, _ value: Range<Int>, mediaType: String) -> Bool {
        if isOpen(bytes, value) { return true }
        guard let slash = mediaType.utf8.firstIndex(of: UInt8(ascii: "/")) else { return true }
        var bestRank = -1
        var isAdmitted = false
        var isEmpty = true
        var members = ListCursor(value)
        while let member = members.next(in: bytes) {
            isEmpty = false
            let (name, isRefused) = weighed(bytes, member)
            let rank = rank(bytes, name, mediaType, slash: slash)
            if rank > bestRank {
                bestRank = rank
                isAdmitted = !isRefused
            }
        }
        return isEmpty || isAdmitted
    }

    /// True if an Accept value names a media type itself, with a weight above zero.
    package static func names(_ bytes: Span<UInt8>, _ value: Range<Int>, mediaType: String) -> Bool {
        var members = ListCursor(value)
        while let member = members.next(in: bytes) {
            let (name, isRefused) = weighed(bytes, member)
            if !isRefused, spells(bytes, name, mediaType.utf8[...]) { return true }
        }
        return false
    }

    /// True if an Accept value asks for plain text and not for a document: it names text/plain, and no form of JSON.
    package static func prefersText(_ bytes: Span<UInt8>, _ value: Range<Int>) -> Bool {
        names(bytes, value, mediaType: "text/plain") && !names(bytes, value, mediaType: "application/json")
            && !names(bytes, value, mediaType: "application/problem+json")
    }

    /// True if a Content-Type value is one of some media types. Its parameters are ignored.
    package static func isOne(of mediaTypes: [String], _ bytes: Span<UInt8>, _ value: Range<Int>) -> Bool {
        let (name, _) = weighed(bytes, value)
        return mediaTypes.contains { spells(bytes, name, $0.utf8[...]) }
    }

    /// True if an Accept-Encoding value admits gzip.
    package static func admitsGzip(_ bytes: Span<UInt8>, _ value: Range<Int>) -> Bool {
        var isWild = false
        var members = ListCursor(value)
        while let member = members.next(in: bytes) {
            let (name, isRefused) = weighed(bytes, member)
            if bytes.spells("gzip", in: name) || bytes.spells("x-gzip", in: name) { return !isRefused }
            if bytes.isExactly("*", in: name) { isWild = !isRefused }
        }
        return isWild
    }

    /// True if an Accept-Encoding value names Brotli.
    package static func admitsBrotli(_ bytes: Span<UInt8>, _ value: Range<Int>) -> Bool {
        var members = ListCursor(value)
        while let member = members.next(in: bytes) {
            let (name, isRefused) = weighed(bytes, member)
            if bytes.spells("br", in: name) { return !isRefused }
        }
        return false
    }

    /// True if a value holds `*/*`, as browsers' do, and nothing that could take it back: no quotes, and no weight
    /// that might be zero. `false` means only that the value has to be parsed.
    private static func isOpen(_ bytes: Span<UInt8>, _ value: Range<Int>) -> Bool {
        var isOpen = false
        var position = value.lowerBound
        while position < value.upperBound {
            if position &+ 8 <= value.upperBound {
                let marks = ByteClass.marksInAccept(bytes.word(at: position))
                position &+= marks.trailingZeroBitCount / 8
                if marks == 0 { continue }
            }
            switch bytes[position] {
            case UInt8(ascii: "\""): return false
            case UInt8(ascii: "="): if mayBeZero(bytes, (position &+ 1)..<value.upperBound) { return false }
            case UInt8(ascii: "*"): isOpen = isOpen || isWildMember(bytes, position, value)
            default: break
            }
            position &+= 1
        }
        return isOpen
    }

    /// True if the text after an equals sign has no digit but zeros.
    private static func mayBeZero(_ bytes: Span<UInt8>, _ rest: Range<Int>) -> Bool {
        var position = rest.lowerBound
        while position < rest.upperBound, bytes[position] == UInt8(ascii: "0") || bytes[position] == UInt8(ascii: ".") {
            position &+= 1
        }
        return position == rest.upperBound || !ByteClass.isDigit(bytes[position])
    }

    /// True if `*/*` is at `start`, between commas, a semicolon or the value's ends.
    private static func isWildMember(_ bytes: Span<UInt8>, _ start: Int, _ value: Range<Int>) -> Bool {
        guard value.upperBound &- start >= 3, bytes.starts(with: "*/*", at: start) else { return false }
        var before = start
        while before > value.lowerBound, ByteClass.isSpace(bytes[before &- 1]) { before &-= 1 }
        guard before == value.lowerBound || bytes[before &- 1] == UInt8(ascii: ",") else { return false }
        var after = start &+ 3
        while after < value.upperBound, ByteClass.isSpace(bytes[after]) { after &+= 1 }
        return after == value.upperBound || bytes[after] == UInt8(ascii: ",") || bytes[after] == UInt8(ascii: ";")
    }

    /// -1 no match, 0 `*/*`, 1 `type/*`, 2 exact.
    private static func rank(
        _ bytes: Span<UInt8>, _ name: Range<Int>, _ mediaType: String, slash: String.Index
    ) -> Int {
        if bytes.isExactly("*/*", in: name) { return 0 }
        if spells(bytes, name, mediaType.utf8[...]) { return 2 }
        guard name.count > 2, bytes.isExactly("/*", in: (name.upperBound &- 2)..<name.upperBound) else { return -1 }
        return spells(bytes, name.lowerBound..<(name.upperBound &- 2), mediaType.utf8[..<slash]) ? 1 : -1
    }

    private static func spells(_ bytes: Span<UInt8>, _ range: Range<Int>, _ text: Substring.UTF8View) -> Bool {
        guard range.count == text.count else { return false }
        return zip(range, text).allSatisfy { ByteClass.lowercased(bytes[$0]) == $1 }
    }

    /// A list member without its parameters, and whether its weight is zero.
    private static func weighed(_ bytes: Span<UInt8>, _ member: Range<Int>) -> (name: Range<Int>, isRefused: Bool) {
        let end = member.first { bytes[$0] == UInt8(ascii: ";") } ?? member.upperBound
        var isRefused = false
        var start = end
        while start < member.upperBound {
            let parameterEnd =
                ((start &+ 1)..<member.upperBound).first { bytes[$0] == UInt8(ascii: ";") } ?? member.upperBound
            let parameter = bytes.trimmed((start &+ 1)..<parameterEnd)
            if parameter.count >= 3, bytes.spells("q=", in: parameter.lowerBound..<(parameter.lowerBound &+ 2)) {
                let weight = (parameter.lowerBound &+ 2)..<parameter.upperBound
                isRefused = weight.allSatisfy { bytes[$0] == UInt8(ascii: "0") || bytes[$0] == UInt8(ascii: ".") }
            }
            start = parameterEnd
        }
        return (bytes.trimmed(member.lowerBound..<end), isRefused)
    }
}
