/// The value of a Content-Digest or Repr-Digest field (RFC 9530): a dictionary of byte sequences (RFC 9651).
package enum DigestField {
    /// What a field says about SHA-256.
    package enum Reading: Equatable, Sendable {
        case sha256([UInt8])
        /// Only algorithms that are not ours to check.
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

    /// `:` base64 `:`, with whatever parameters behind it.
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
