package import Bytes
internal import Deflate
internal import Files
package import Logging

/// How a token is written: `wdg_`, 256 random bits, and a checksum by which scanners for leaked secrets know it.
package enum TokenText {
    package static let prefix = "wdg_"
    private static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    private static let secretLength = 43
    private static let checksumLength = 6

    /// A token that nobody has seen.
    package static func make() -> Secret {
        var words = (0..<4).map { _ in RandomBytes.word() }
        var text = Array(prefix.utf8)
        text += digits(&words, count: secretLength)
        return Secret(String(decoding: text + checksum(text), as: UTF8.self))
    }

    /// Whether a text is a token as ``make()`` writes them, down to its checksum.
    ///
    /// Never a reason to refuse: an operator's own secret is not.
    package static func isWellFormed(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == prefix.utf8.count + secretLength + checksumLength, text.hasPrefix(prefix) else {
            return false
        }
        return checksum(Array(bytes.dropLast(checksumLength))).elementsEqual(bytes.suffix(checksumLength))
    }

    /// What is kept of a token.
    package static func digest(_ text: String) -> Digest? {
        Digest.sha256(Array(text.utf8))
    }

    private static func checksum(_ text: [UInt8]) -> [UInt8] {
        var words = [UInt64(Checksum.of(text))]
        return digits(&words, count: checksumLength)
    }

    /// The number that `words` are, in base 62, lowest digit first.
    private static func digits(_ words: inout [UInt64], count: Int) -> [UInt8] {
        (0..<count).map { _ in
            var remainder: UInt64 = 0
            for index in words.indices {
                let (quotient, rest) = UInt64(62).dividingFullWidth((remainder, words[index]))
                words[index] = quotient
                remainder = rest
            }
            return alphabet[Int(remainder)]
        }
    }
}
