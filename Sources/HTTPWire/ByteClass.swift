/// The character classes of RFC 9110 §5.6 and RFC 3986, as tests on single bytes.
///
/// Sets are two 64-bit masks: no table in memory, and no branch that depends on the byte.
enum ByteClass {
    /// `tchar`: what names and methods are made of.
    @inline(__always)
    static func isToken(_ byte: UInt8) -> Bool {
        contains(byte, low: 0x03FF_6CFA_0000_0000, high: 0x57FF_FFFF_C7FF_FFFE)
    }

    /// What may stand in a field's value: visible characters, space, tab and opaque bytes over 0x7F.
    @inline(__always)
    static func isFieldValue(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != 0x7F || byte == 0x09
    }

    /// What may stand in a request target before its query.
    ///
    /// Stricter than what some clients send and what some servers take: characters that RFC 3986 has
    /// no place for, and that browsers always encode in a path, are refused.
    @inline(__always)
    static func isPath(_ byte: UInt8) -> Bool {
        // Every visible ASCII character but " # < > \ ^ ` { }.
        contains(byte, low: 0xAFFF_FFF2_0000_0000, high: 0x57FF_FFFE_AFFF_FFFF)
    }

    /// What may stand in a query: browsers leave `{ } ^ ` and the back-tick as they are there.
    @inline(__always)
    static func isQuery(_ byte: UInt8) -> Bool {
        // Every visible ASCII character but " # < > \.
        contains(byte, low: 0xAFFF_FFF2_0000_0000, high: 0x7FFF_FFFF_EFFF_FFFF)
    }

    /// What a host's name is made of: unreserved characters and sub-delimiters but the comma (RFC 3986 §3.2.2).
    @inline(__always)
    static func isHostName(_ byte: UInt8) -> Bool {
        contains(byte, low: 0x2BFF_6FD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFE)
    }
    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10
    }

    @inline(__always)
    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09
    }

    @inline(__always)
    static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- 0x41 < 26 ? byte | 0x20 : byte
    }

    @inline(__always)
    private static func contains(_ byte: UInt8, low: UInt64, high: UInt64) -> Bool {
        let mask = byte < 64 ? low : high
        return byte < 128 && mask >> UInt64(byte & 63) & 1 == 1
    }
}
