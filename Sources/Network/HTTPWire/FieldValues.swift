/// The members of a comma-separated list (RFC 9110 §5.6.1), empty ones left out.
struct ListCursor {
    /// The meaning of a quotation mark in a list.
    enum Quoting {
        /// A quoted string, in which a backslash takes the next byte's meaning away (RFC 9110 §5.6.4).
        case escaped
        /// Quotes without escapes, as entity tags have them; an unclosed one extends to the end.
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
                // An unclosed quote is an ordinary character from here on: else the text before a proxy's
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

/// A field value such as `form-data; name="bundle"; filename="a.zip"`: one word, then parameters (RFC 9110 §5.6.6).
package struct FieldParameters: Equatable, Sendable {
    /// In lower case.
    package let word: String
    /// Names in lower case, in the order they were written.
    package let parameters: [(name: String, value: String)]

    /// `nil` when a quotation mark is not closed or a parameter has no name or no equals sign.
    package init?(_ text: String) {
        var scanner = Scanner(bytes: Array(text.utf8))
        word = scanner.word()
        var parameters: [(name: String, value: String)] = []
        while scanner.skip(UInt8(ascii: ";")) {
            // Empty parameters are skipped (RFC 9110 §5.6.6).
            if scanner.isAtEnd || scanner.isAt(UInt8(ascii: ";")) { continue }
            let name = scanner.word()
            guard !name.isEmpty, scanner.skip(UInt8(ascii: "=")), let value = scanner.value() else { return nil }
            parameters.append((name, value))
        }
        guard scanner.isAtEnd else { return nil }
        self.parameters = parameters
    }

    package subscript(_ name: String) -> String? {
        parameters.first { $0.name == name }?.value
    }

    package static func == (first: FieldParameters, second: FieldParameters) -> Bool {
        first.word == second.word && first.parameters.elementsEqual(second.parameters, by: ==)
    }

    private struct Scanner {
        let bytes: [UInt8]
        var position = 0

        init(bytes: [UInt8]) {
            self.bytes = bytes
            skipSpace()
        }

        var isAtEnd: Bool { position == bytes.count }

        func isAt(_ byte: UInt8) -> Bool { position < bytes.count && bytes[position] == byte }

        mutating func skip(_ byte: UInt8) -> Bool {
            guard isAt(byte) else { return false }
            position += 1
            skipSpace()
            return true
        }

        mutating func word() -> String {
            let start = position
            while position < bytes.count, !";=\" \t".utf8.contains(bytes[position]) { position += 1 }
            defer { skipSpace() }
            return String(decoding: bytes[start..<position].map(ByteClass.lowercased), as: UTF8.self)
        }

        mutating func value() -> String? {
            guard isAt(UInt8(ascii: "\"")) else {
                let start = position
                while position < bytes.count, bytes[position] != UInt8(ascii: ";") { position += 1 }
                var end = position
                while end > start, ByteClass.isSpace(bytes[end - 1]) { end -= 1 }
                return String(decoding: bytes[start..<end], as: UTF8.self)
            }
            position += 1
            var text: [UInt8] = []
            while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
                if bytes[position] == UInt8(ascii: "\\"), position + 1 < bytes.count { position += 1 }
                text.append(bytes[position])
                position += 1
            }
            guard skip(UInt8(ascii: "\"")) else { return nil }
            return String(decoding: text, as: UTF8.self)
        }

        private mutating func skipSpace() {
            while position < bytes.count, ByteClass.isSpace(bytes[position]) { position += 1 }
        }
    }
}

/// The value of a Content-Digest or Repr-Digest field (RFC 9530): a dictionary of byte sequences (RFC 9651).
package enum DigestField {
    /// A field's statement about SHA-256.
    package enum Reading: Equatable, Sendable {
        case sha256([UInt8])
        /// Only algorithms that this server does not check.
        case others
        case malformed
    }

    package static func read(_ text: String) -> Reading {
        let bytes = Array(text.utf8)
        var members = ListCursor(0..<bytes.count)
        var digest: [UInt8]?
        var isEmpty = true
        while let member = members.next(in: bytes.span) {
            isEmpty = false
            let piece = bytes[member]
            guard let equals = piece.firstIndex(of: UInt8(ascii: "=")), isKey(piece[..<equals]),
                let value = byteSequence(piece[(equals + 1)...])
            else { return .malformed }
            // The last member of a name counts (RFC 9651 §4.2.2).
            if piece[..<equals].elementsEqual("sha-256".utf8) {
                guard value.count == 32 else { return .malformed }
                digest = value
            }
        }
        if isEmpty { return .malformed }
        return digest.map(Reading.sha256) ?? .others
    }

    private static func isKey(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, isLower(first) || first == UInt8(ascii: "*") else { return false }
        return bytes.allSatisfy { isLower($0) || ByteClass.isDigit($0) || "_-.*".utf8.contains($0) }
    }

    private static func isLower(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }

    /// `:` base64 `:`, with or without parameters behind it.
    private static func byteSequence(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        guard bytes.first == UInt8(ascii: ":"), let end = bytes.dropFirst().firstIndex(of: UInt8(ascii: ":")) else {
            return nil
        }
        let rest = bytes[(end + 1)...]
        guard rest.isEmpty || rest.first == UInt8(ascii: ";") else { return nil }
        return base64(bytes[(bytes.startIndex + 1)..<end])
    }

    /// Padding may be missing, as a lenient sender leaves it out; nothing else may.
    private static func base64(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var result: [UInt8] = []
        var group: UInt32 = 0
        var count = 0
        let digits = text.prefix { $0 != UInt8(ascii: "=") }
        let padding = text[digits.endIndex...]
        guard padding.isEmpty || text.count % 4 == 0 && padding.count <= 2,
            padding.allSatisfy({ $0 == UInt8(ascii: "=") })
        else { return nil }
        for byte in digits {
            guard let digit = value(byte) else { return nil }
            group = group << 6 | digit
            count += 1
            if count % 4 == 0 {
                result += [UInt8(group >> 16 & 255), UInt8(group >> 8 & 255), UInt8(group & 255)]
                group = 0
            }
        }
        switch count % 4 {
        case 2: result.append(UInt8(group >> 4 & 255))
        case 3: result += [UInt8(group >> 10 & 255), UInt8(group >> 2 & 255)]
        case 1: return nil
        default: break
        }
        return result
    }

    private static func value(_ byte: UInt8) -> UInt32? {
        switch byte {
        case 0x41...0x5A: UInt32(byte - 0x41)
        case 0x61...0x7A: UInt32(byte - 0x61) + 26
        case 0x30...0x39: UInt32(byte - 0x30) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
