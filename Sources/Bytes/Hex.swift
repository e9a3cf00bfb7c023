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
