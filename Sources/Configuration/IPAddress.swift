/// An IPv4 or IPv6 address as 4 or 16 bytes.
struct IPAddress: Equatable, Sendable {
    let bytes: [UInt8]

    var isIPv6: Bool { bytes.count == 16 }

    /// Four decimal numbers without leading zeros, or an IPv6 address of RFC 4291 section 2.2 without a zone.
    init?(_ text: Substring) {
        guard let bytes = text.contains(":") ? IPAddress.sixteen(text) : IPAddress.four(text) else { return nil }
        self.bytes = bytes
    }

    private static func four(_ text: Substring) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { part -> UInt8? in
            guard part.utf8.count <= 3, part == "0" || !part.hasPrefix("0") else { return nil }
            return FoundValue.digits(part).flatMap { UInt8(exactly: $0) }
        }
        return parts.count == 4 && bytes.count == 4 ? bytes : nil
    }

    private static func sixteen(_ text: Substring) -> [UInt8]? {
        guard text.utf8.count <= 45 else { return nil }
        guard let gap = text.firstRange(of: "::") else {
            let bytes = groups(text, mayEndInIPv4: true)
            return bytes?.count == 16 ? bytes : nil
        }
        let (before, after) = (text[..<gap.lowerBound], text[gap.upperBound...])
        guard let head = before.isEmpty ? [] : groups(before, mayEndInIPv4: false),
            let tail = after.isEmpty ? [] : groups(after, mayEndInIPv4: true),
            head.count + tail.count <= 14
        else { return nil }
        return head + [UInt8](repeating: 0, count: 16 - head.count - tail.count) + tail
    }

    private static func groups(_ text: Substring, mayEndInIPv4: Bool) -> [UInt8]? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        var bytes: [UInt8] = []
        for (index, part) in parts.enumerated() {
            if mayEndInIPv4, index == parts.count - 1, part.contains(".") {
                guard let four = four(part) else { return nil }
                bytes += four
            } else {
                guard (1...4).contains(part.utf8.count),
                    part.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
                    let group = UInt16(part, radix: 16)
                else { return nil }
                bytes += [UInt8(group >> 8), UInt8(group & 0xFF)]
            }
        }
        return bytes
    }
}
