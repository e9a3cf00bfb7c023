internal import CCrypto

/// SHA-256, computed while bytes pass by.
package struct SHA256: ~Copyable {
    private var context = SHA256_CTX()
    private var isIntact: Bool

    package init() {
        isIntact = unsafe SHA256_Init(&context) == 1
    }

    /// What has passed so far, to be gone on with separately.
    package borrowing func copy() -> SHA256 {
        var other = SHA256()
        other.context = context
        other.isIntact = isIntact
        return other
    }

    package mutating func update(_ bytes: borrowing Span<UInt8>) {
        guard isIntact, bytes.count > 0 else { return }
        // The pointer lives for this call, and its length travels with it.
        isIntact = unsafe bytes.withUnsafeBytes { unsafe SHA256_Update(&context, $0.baseAddress, $0.count) == 1 }
    }

    package mutating func update(_ bytes: [UInt8]) {
        update(bytes.span)
    }

    /// The digest of everything that passed; `nil` if libcrypto has failed, as its interface allows it to.
    package consuming func finish() -> Digest? {
        guard isIntact else { return nil }
        var bytes = [UInt8](repeating: 0, count: Digest.byteCount)
        let isDone = unsafe bytes.withUnsafeMutableBufferPointer {
            unsafe SHA256_Final($0.baseAddress, &context) == 1
        }
        return isDone ? Digest(bytes: bytes.span) : nil
    }
}
