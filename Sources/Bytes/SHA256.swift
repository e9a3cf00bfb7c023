internal import CCrypto

/// SHA-256, computed while bytes pass by.
///
/// Safe to use: the context is made, owned and freed here, and never leaves.
@safe
package struct SHA256: ~Copyable {
    private let context: OpaquePointer?
    private var isIntact: Bool

    package init() {
        unsafe context = EVP_MD_CTX_new()
        isIntact = unsafe context != nil && EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1
    }

    deinit {
        unsafe EVP_MD_CTX_free(context)
    }

    package mutating func update(_ bytes: borrowing Span<UInt8>) {
        guard isIntact, bytes.count > 0 else { return }
        isIntact = unsafe bytes.withUnsafeBytes { unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count) == 1 }
    }

    package mutating func update(_ bytes: [UInt8]) {
        update(bytes.span)
    }

    /// The digest of everything that passed.
    ///
    /// libcrypto fails here only when it could not allocate its context; an answer would then be a
    /// digest of something else, so there is none.
    package consuming func finish() -> Digest? {
        guard isIntact else { return nil }
        var bytes = [UInt8](repeating: 0, count: Digest.byteCount)
        let isDone = unsafe bytes.withUnsafeMutableBufferPointer {
            unsafe EVP_DigestFinal_ex(context, $0.baseAddress, nil) == 1
        }
        return isDone ? Digest(bytes: bytes.span) : nil
    }
}
