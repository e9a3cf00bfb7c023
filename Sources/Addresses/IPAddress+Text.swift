extension IPAddress {
    /// Four decimal numbers without leading zeros, or an IPv6 address of RFC 4291 §2.2 without brackets or zone.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count <= 45 else { return nil }
        let parsed = bytes.contains(UInt8(ascii: ":")) ? IPAddress.sixteen(bytes[...]) : IPAddress.mapped(bytes[...])
        guard let parsed else { return nil }
        self.init(InlineArray { parsed[$0] })
    }

    private static func mapped(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        four(text).map { [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + $0 }
    }

    private static func four(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let bytes = parts.compactMap { part -> UInt8? in
            guard part.count == 1 || part.first != UInt8(ascii: "0") else { return nil }
            return number(part, radix: 10, digits: 3).flatMap { UInt8(exactly: $0) }
        }
        return parts.count == 4 && bytes.count == 4 ? bytes : nil
    }

    private static func sixteen(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard let gap = text.indices.dropLast().first(where: { text[$0] == 0x3A && text[$0 + 1] == 0x3A }) else {
            let bytes = groups(text, mayEndInIPv4: true)
            return bytes?.count == 16 ? bytes : nil
        }
        let before = text[..<gap]
        let after = text[(gap + 2)...]
        guard let head = before.isEmpty ? [] : groups(before, mayEndInIPv4: false),
            let tail = after.isEmpty ? [] : groups(after, mayEndInIPv4: true), head.count + tail.count <= 14
        else { return nil }
        return head + [UInt8](repeating: 0, count: 16 - head.count - tail.count) + tail
    }

    private static func groups(_ text: ArraySlice<UInt8>, mayEndInIPv4: Bool) -> [UInt8]? {
        let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        var bytes: [UInt8] = []
        for (index, part) in parts.enumerated() {
            if mayEndInIPv4, index == parts.count - 1, part.contains(UInt8(ascii: ".")) {
                guard let four = four(part) else { return nil }
                bytes += four
            } else {
                guard let group = number(part, radix: 16, digits: 4) else { return nil }
                bytes += [UInt8(truncatingIfNeeded: group >> 8), UInt8(truncatingIfNeeded: group)]
            }
        }
        return bytes
    }

    /// Digits and nothing else, no more than `digits` of them.
    static func number(_ text: ArraySlice<UInt8>, radix: Int, digits: Int) -> Int? {
        guard (1...digits).contains(text.count) else { return nil }
        var value = 0
        for byte in text {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80, digit < radix else {
                return nil
            }
            value = value * radix + digit
        }
        return value
    }
}

extension IPAddress: CustomStringConvertible {
    /// Dotted numbers, or the form of RFC 5952: lower case, the longest run of zero groups left out.
    package var description: String {
        if isV4 {
            let numbers = [low >> 24, low >> 16, low >> 8, low].map { $0 & 0xFF }
            return numbers.map { String($0) }.joined(separator: ".")
        }
        let groups: [UInt64] = (0..<8).map { (index: Int) -> UInt64 in
            let half = index < 4 ? high : low
            return half >> UInt64(48 - 16 * (index & 3)) & 0xFFFF
        }
        let words = groups.map { String($0, radix: 16) }
        guard let run = IPAddress.longestZeroRun(groups) else { return words.joined(separator: ":") }
        return words[..<run.lowerBound].joined(separator: ":") + "::" + words[run.upperBound...].joined(separator: ":")
    }

    private static func longestZeroRun(_ groups: [UInt64]) -> Range<Int>? {
        var best: Range<Int>?
        var start = 0
        for index in 0...groups.count where index == groups.count || groups[index] != 0 {
            if index - start >= 2, index - start > (best?.count ?? 0) { best = start..<index }
            start = index + 1
        }
        return best
    }
}
