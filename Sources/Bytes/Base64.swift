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
