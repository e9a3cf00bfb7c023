/// Versions as bytes that compare the way versions do.
///
/// A version is numbers and words; dots, hyphens, underscores, plus signs and the border between digits and letters
/// part them. Numbers compare as numbers of any length, words as text in lower case. A word ranks below the end, so
/// that `1.0-beta` and `1.0b2` come before `1.0`, as stages of development do; and the end ranks below a number, of
/// which trailing zeros do not count: `1.0` is `1.0.0`.
package enum VersionOrder {
    private static let word: UInt8 = 1
    private static let end: UInt8 = 2
    private static let number: UInt8 = 3
    private static let wordEnd: UInt8 = 0

    /// The short version decides, then the build.
    package static func key(shortVersion: String, build: String) -> [UInt8] {
        key(shortVersion) + key(build)
    }

    package static func key(_ version: String) -> [UInt8] {
        var parts: [[UInt8]] = []
        let bytes = Array(version.utf8)
        var position = 0
        while position < bytes.count {
            let start = position
            if isDigit(bytes[start]) {
                while position < bytes.count, isDigit(bytes[position]) { position += 1 }
                let digits = bytes[start..<position].drop { $0 == UInt8(ascii: "0") }
                // Longer numbers are greater; a version's length bounds that of its numbers.
                parts.append([number, UInt8(clamping: digits.count)] + digits)
            } else if isLetter(bytes[start]) {
                while position < bytes.count, isLetter(bytes[position]) { position += 1 }
                while parts.last == [number, 0] { parts.removeLast() }
                parts.append([word] + bytes[start..<position].map { $0 | 0x20 } + [wordEnd])
            } else {
                position += 1
            }
        }
        while parts.last == [number, 0] { parts.removeLast() }
        return parts.flatMap { $0 } + [end]
    }

    /// True when the first comes before the second.
    package static func precedes(_ first: [UInt8], _ second: [UInt8]) -> Bool {
        first.lexicographicallyPrecedes(second)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    /// True when a system or host of the version meets a release's minimum. Without one of them there is nothing to meet.
    package static func serves(_ version: String?, _ minimum: String?) -> Bool {
        guard let version, let minimum else { return true }
        return !precedes(key(version), key(minimum))
    }
}
