import Testing
import WidgetBytes

@Suite struct `A digest` {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ])
    func `A digest is SHA-256 of the bytes`(_ text: String, _ hex: String) throws {
        let digest = try #require(Digest.sha256(Array(text.utf8)))
        #expect(digest.hex == hex)
        #expect(Digest(hex: hex) == digest)
        #expect(Digest(bytes: digest.bytes.span) == digest)
    }

    @Test func `A digest is the same however the bytes are split`() {
        let bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        for cut in [0, 1, 63, 64, 65, 999, 1_000] {
            var digest = SHA256()
            digest.update(Array(bytes[..<cut]))
            digest.update(Array(bytes[cut...]))
            #expect(digest.finish() == Digest.sha256(bytes))
        }
    }

    @Test(arguments: [
        "", "00", String(repeating: "g", count: 64), String(repeating: "A", count: 64),
        String(repeating: "0", count: 65),
    ])
    func `A digest is not read from text that is not 64 lower-case digits`(_ text: String) {
        #expect(Digest(hex: text) == nil)
    }

    @Test(arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")])
    func `A digest is written as padded base64`(_ text: String, _ encoded: String) {
        #expect(Base64.string(Array(text.utf8)) == encoded)
    }
}

/// Goal: a digest computed on another thread is the digest. Method: against the one that is not.
@Suite struct `SHA-256 on a queue` {
    private static let pieces = (0..<200).map { number in
        [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: number * 37 % 5_000)
    }

    @Test func `SHA-256 on a queue is that of all pieces in their order`() {
        let queued = QueuedSHA256()
        for piece in Self.pieces { queued.update(piece) }
        #expect(queued.value == Digest.sha256(Self.pieces.flatMap { $0 }))
    }

    @Test func `SHA-256 on a queue can be read on the way and continues`() {
        let queued = QueuedSHA256()
        #expect(queued.value == Digest.sha256([]))
        var all: [UInt8] = []
        for piece in Self.pieces.prefix(20) {
            queued.update(piece)
            all += piece
            #expect(queued.value == Digest.sha256(all))
        }
    }

    @Test func `SHA-256 on a queue forgets what came before when it begins anew`() {
        let queued = QueuedSHA256()
        for piece in Self.pieces { queued.update(piece) }
        var beginning = SHA256()
        beginning.update([1, 2])
        queued.restart(with: beginning)
        queued.update([3])
        #expect(queued.value == Digest.sha256([1, 2, 3]))
    }

    @Test func `SHA-256 on a queue may be released while it is busy`() {
        for _ in 0..<50 {
            let queued = QueuedSHA256()
            for _ in 0..<8 { queued.update([UInt8](repeating: 1, count: 100_000)) }
        }
    }
}
