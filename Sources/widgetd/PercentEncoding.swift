/// Text as part of a URL.
enum PercentEncoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// One segment of a path.
    static func segment(_ text: String) -> String {
        var result: [UInt8] = []
        for byte in text.utf8 {
            if (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "-._~".utf8.contains(byte) {
                result.append(byte)
            } else {
                result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
