/// Base64 with padding (RFC 4648 §4), as structured fields carry digests.
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    package static func string(_ bytes: [UInt8]) -> String {
        var result: [UInt8] = []
        result.reserveCapacity((bytes.count + 2) / 3 * 4)
        var index = 0
        while index < bytes.count {
            let count = min(3, bytes.count - index)
            var group: UInt32 = 0
            for position in 0..<3 {
                group = group << 8 | (position < count ? UInt32(bytes[index + position]) : 0)
            }
            for position in 0..<4 {
                let shift = UInt32(18 - 6 * position)
                result.append(position <= count ? alphabet[Int(group >> shift & 63)] : UInt8(ascii: "="))
            }
            index += 3
        }
        return String(decoding: result, as: UTF8.self)
    }
}

extension Base64 {
    /// The offset of the byte at which a text stops being base64.
    package struct Fault: Error, Equatable {
        package let offset: Int

        package init(offset: Int) {
            self.offset = offset
        }
    }

    /// Returns the bytes that a padded text encodes, read strictly (RFC 4648 §3): no foreign character, padding
    /// only where it belongs, no bits left over. White space is skipped when asked for.
    package static func decode(_ text: [UInt8], skippingWhitespace: Bool = false) throws(Fault) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count / 4 * 3)
        var group: UInt32 = 0
        var count = 0
        var padding = 0
        for (offset, byte) in text.enumerated() {
            if skippingWhitespace, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { continue }
            if byte == UInt8(ascii: "=") {
                guard count == 2 || count == 3, padding < 4 &- count else { throw Fault(offset: offset) }
                padding &+= 1
                continue
            }
            guard padding == 0, let value = value(of: byte) else { throw Fault(offset: offset) }
            group = group << 6 | UInt32(value)
            count &+= 1
            if count == 4 {
                for shift: UInt32 in [16, 8, 0] { result.append(UInt8(truncatingIfNeeded: group >> shift)) }
                (group, count) = (0, 0)
            }
        }
        guard count == 0 || count &+ padding == 4 else { throw Fault(offset: text.count) }
        switch count {
        case 2:
            guard group & 0xF == 0 else { throw Fault(offset: text.count) }
            result.append(UInt8(truncatingIfNeeded: group >> 4))
        case 3:
            guard group & 0x3 == 0 else { throw Fault(offset: text.count) }
            result.append(UInt8(truncatingIfNeeded: group >> 10))
            result.append(UInt8(truncatingIfNeeded: group >> 2))
        default: break
        }
        return result
    }

    private static func value(of byte: UInt8) -> UInt8? {
        switch byte {
        case 0x41...0x5A: byte &- 0x41
        case 0x61...0x7A: byte &- 0x61 &+ 26
        case 0x30...0x39: byte &- 0x30 &+ 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}

/// Hexadecimal digits, lower case when written.
package enum Hex {
    package static func string(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.flatMap { [digit($0 >> 4), digit($0 & 15)] }, as: UTF8.self)
    }

    /// The digit for the low four bits.
    package static func digit(_ value: UInt8) -> UInt8 {
        let nibble = value & 15
        return nibble < 10 ? 0x30 &+ nibble : 0x57 &+ nibble
    }

    package static func lowercaseValue(of digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit &- 0x30
        case 0x61...0x66: digit &- 0x57
        default: nil
        }
    }

    package static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case 0x41...0x46: digit &- 0x37
        default: lowercaseValue(of: digit)
        }
    }
}

/// Percent-encoding of text that becomes part of a target (RFC 3986 §2.1).
package enum PercentEncoding {
    /// Text as one segment of a path, or as a name or value of a query: everything but unreserved characters is
    /// escaped, which includes every character with a special meaning in either place.
    package static func segment(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            if isUnreserved(byte) {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                result += byte < 16 ? "%0" : "%"
                result += String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "-._~".utf8.contains(byte)
    }
}
