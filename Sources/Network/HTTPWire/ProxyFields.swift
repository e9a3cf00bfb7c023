/// The addresses a chain of proxies reports, nearest last, as text.
package enum ForwardedAddresses {
    /// From `X-Forwarded-For`, or else from `Forwarded` (RFC 7239); several lines read as one list.
    ///
    /// Only the last `limit` are kept: further ones are older, and may come from the client.
    package static func list(_ head: RequestHead, _ bytes: Span<UInt8>, limit: Int = 16) -> [String] {
        if head.has(.xForwardedFor) {
            // No quotes here: the field never had a grammar, and proxies only ever add a comma.
            return members(of: .xForwardedFor, head, bytes, quoting: .none, limit: limit)
                .map { address(bytes.text(in: $0)) }
        }
        return members(of: .forwarded, head, bytes, quoting: .escaped, limit: limit)
            .map { forNode(bytes.text(in: $0)) ?? "unknown" }
    }

    private static func members(
        of field: KnownField, _ head: RequestHead, _ bytes: Span<UInt8>, quoting: ListCursor.Quoting, limit: Int
    ) -> [Range<Int>] {
        var found: [Range<Int>] = []
        for index in head.candidates(field) where head.fields[index].known == field {
            var members = ListCursor(head.fields[index].value, quoting: quoting)
            while let member = members.next(in: bytes) {
                if found.count >= max(1, limit) { found.removeFirst() }
                found.append(member)
            }
        }
        return found
    }

    /// The `for` parameter of one forwarded element.
    private static func forNode(_ element: String) -> String? {
        for pair in element.split(separator: ";") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, String(parts[0]).trimmingSpaces().lowercased() == "for" else { continue }
            return address(String(parts[1]).trimmingSpaces())
        }
        return nil
    }

    /// Without quotes, brackets and port.
    private static func address(_ text: String) -> String {
        var text = text
        if text.hasPrefix("\""), text.hasSuffix("\""), text.utf8.count >= 2 {
            text = String(text.dropFirst().dropLast())
        }
        if text.hasPrefix("["), let close = text.firstIndex(of: "]") {
            return String(text[text.index(after: text.startIndex)..<close])
        }
        let colons = text.utf8.count { $0 == UInt8(ascii: ":") }
        guard colons == 1, let colon = text.firstIndex(of: ":") else { return text }
        return String(text[..<colon])
    }
}

extension String {
    fileprivate func trimmingSpaces() -> String {
        var slice = self[...]
        while slice.first == " " || slice.first == "\t" { slice.removeFirst() }
        while slice.last == " " || slice.last == "\t" { slice.removeLast() }
        return String(slice)
    }
}

/// The name of one request, in its answer and in the log: the client's own if it is well-formed, else made here.
package enum RequestID {
    /// The most bytes of a client's own identifier.
    package static let byteLimit = 128
    /// The length of one made here.
    package static let byteCount = 32

    /// Letters, digits and `-_.:`: safe in a log, in a header and in a URL.
    package static func isSane(_ bytes: Span<UInt8>, _ value: Range<Int>) -> Bool {
        guard value.count >= 8, value.count <= byteLimit else { return false }
        return value.allSatisfy { index in
            switch bytes[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
                UInt8(ascii: ":"):
                true
            default: false
            }
        }
    }
}
