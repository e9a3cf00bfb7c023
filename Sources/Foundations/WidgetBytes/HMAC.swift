/// HMAC with SHA-256 (RFC 2104): a digest that only one who has the key can make.
package enum HMAC {
    private static let blockByteCount = 64

    /// The code of a message under a key of any length.
    ///
    /// - Returns: `nil` if libcrypto has failed, as its interface allows it to.
    package static func sha256(_ message: [UInt8], key: [UInt8]) -> Digest? {
        // A key longer than a block is replaced by its digest.
        guard let short = key.count > blockByteCount ? Digest.sha256(key)?.bytes : key else { return nil }
        let block = short + [UInt8](repeating: 0, count: blockByteCount - short.count)
        var inner = SHA256()
        inner.update(block.map { $0 ^ 0x36 })
        inner.update(message)
        guard let middle = inner.finish() else { return nil }
        var outer = SHA256()
        outer.update(block.map { $0 ^ 0x5C })
        outer.update(middle.bytes)
        return outer.finish()
    }

    /// The code of a text's bytes in UTF-8.
    package static func sha256(_ message: String, key: [UInt8]) -> Digest? {
        sha256(Array(message.utf8), key: key)
    }
}
