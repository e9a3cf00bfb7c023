/// Percent-encoding of text that becomes part of a target (RFC 3986 §2.1).
package enum PercentEncoding {
    /// Text as one segment of a path, or as a name or value of a query: everything but unreserved characters is
    /// escaped, and with it whatever has a meaning of its own in either place.
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
