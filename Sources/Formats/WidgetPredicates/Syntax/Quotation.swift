internal import WidgetBytes

/// Reads and writes texts in quotes.
enum Quotation {
    /// An untrusted text, quoted for a message: short, on one line, and without control characters.
    static func of(_ bytes: some Sequence<UInt8>) -> String {
        // No character takes more than four bytes.
        of(String(decoding: Array(bytes.prefix(4 * (characterLimit + 1))), as: UTF8.self))
    }

    static func of(_ text: String) -> String { ShownText.quoted(text, limit: characterLimit, by: "`") }

    private static let characterLimit = 40

    /// A constant as it is printed: between double quotes, with as few escapes as will do.
    static func literal(_ text: String, into output: inout String) {
        output += "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": output += "\\\""
            case "\\": output += "\\\\"
            case "\n": output += "\\n"
            case "\t": output += "\\t"
            case "\r": output += "\\r"
            case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                output += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
            default: output.unicodeScalars.append(scalar)
            }
        }
        output += "\""
    }

    /// The contents of a string token, between its quotes.
    ///
    /// A backslash in front of anything else than the known letters stays, so that `'\d+'` is the regular
    /// expression it looks like.
    static func text(_ bytes: ArraySlice<UInt8>) throws(PredicateError) -> String {
        guard bytes.contains(UInt8(ascii: "\\")) else { return String(decoding: bytes, as: UTF8.self) }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            index += 1
            guard byte == UInt8(ascii: "\\"), index < bytes.endIndex else {
                result.append(byte)
                continue
            }
            let letter = bytes[index]
            index += 1
            switch letter {
            case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"), UInt8(ascii: "/"): result.append(letter)
            case UInt8(ascii: "n"): result.append(0x0A)
            case UInt8(ascii: "t"): result.append(0x09)
            case UInt8(ascii: "r"): result.append(0x0D)
            case UInt8(ascii: "x"), UInt8(ascii: "X"):
                try append(scalar(bytes, &index, digits: 2, radix: 16), to: &result, bytes, index)
            case UInt8(ascii: "u"), UInt8(ascii: "U"):
                try append(unit(bytes, &index), to: &result, bytes, index)
            case 0x30...0x33 where octal(bytes, index):
                index -= 1
                try append(scalar(bytes, &index, digits: 3, radix: 8), to: &result, bytes, index)
            default: result += [byte, letter]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func octal(_ bytes: ArraySlice<UInt8>, _ index: Int) -> Bool {
        index + 1 < bytes.endIndex && (0x30...0x37).contains(bytes[index]) && (0x30...0x37).contains(bytes[index + 1])
    }

    private static func scalar(_ bytes: ArraySlice<UInt8>, _ index: inout Int, digits: Int, radix: Int) -> UInt32? {
        guard index + digits <= bytes.endIndex else { return nil }
        var value: UInt32 = 0
        for byte in bytes[index..<index + digits] {
            let digit = NumberText.digit(byte)
            guard digit < radix else { return nil }
            value = value &* UInt32(radix) &+ UInt32(digit)
        }
        index += digits
        return value
    }

    /// `\u` and four digits, or two of these for a character that UTF-16 writes as a pair.
    private static func unit(_ bytes: ArraySlice<UInt8>, _ index: inout Int) -> UInt32? {
        guard let high = scalar(bytes, &index, digits: 4, radix: 16) else { return nil }
        guard 0xD800..<0xDC00 ~= high, index + 1 < bytes.endIndex, bytes[index] == UInt8(ascii: "\\"),
            bytes[index + 1] | 0x20 == UInt8(ascii: "u")
        else { return high }
        var next = index + 2
        guard let low = scalar(bytes, &next, digits: 4, radix: 16), 0xDC00..<0xE000 ~= low else { return high }
        index = next
        return 0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)
    }

    private static func append(
        _ value: UInt32?, to result: inout [UInt8], _ bytes: ArraySlice<UInt8>, _ index: Int
    ) throws(PredicateError) {
        guard let value, let scalar = Unicode.Scalar(value) else {
            throw PredicateError(
                .badEscape, at: SourceSpan(from: index, to: min(index + 4, bytes.endIndex)),
                "The escape in front of this names no character",
                expected: ["\\x and two hexadecimal digits", "\\u and four"])
        }
        result.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
    }
}

/// Finds the word that the author of an unknown one probably meant.
enum NearMiss {
    /// The most bytes of a word that are compared; every candidate is shorter.
    private static let longestWord = 40

    /// The nearest candidate within two typing errors, or one for short words.
    static func of(_ word: String, among candidates: some Sequence<String>) -> String? {
        let typed = Array(word.lowercased().utf8.prefix(longestWord))
        var best: (candidate: String, distance: Int)?
        for candidate in candidates {
            let distance = distance(typed, Array(candidate.lowercased().utf8))
            let allowed = min(typed.count, candidate.utf8.count) > 4 ? 2 : 1
            if distance <= allowed, distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.candidate
    }

    /// The only candidate that begins with a word, such as `uppercase` for `upper`.
    static func beginning(with word: String, among candidates: some Sequence<String>) -> String? {
        let typed = Array(word.lowercased().utf8.prefix(longestWord))
        guard typed.count > 2 else { return nil }
        let found = candidates.filter { $0.lowercased().utf8.starts(with: typed) }
        return found.count == 1 ? found[0] : nil
    }

    /// Insertions, deletions, replacements and swaps of neighbours between two words.
    private static func distance(_ first: [UInt8], _ second: [UInt8]) -> Int {
        guard abs(first.count - second.count) <= 2 else { return .max }
        var beforeLast = [Int](repeating: 0, count: second.count + 1)
        var last = Array(0...second.count)
        for (row, byte) in first.enumerated() {
            var current = [row + 1]
            for (column, other) in second.enumerated() {
                var cost = min(last[column + 1], current[column]) + 1
                cost = min(cost, last[column] + (byte == other ? 0 : 1))
                if row > 0, column > 0, byte == second[column - 1], first[row - 1] == other {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            (beforeLast, last) = (last, current)
        }
        return last[second.count]
    }
}
