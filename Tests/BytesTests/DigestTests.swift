import Bytes
import Testing

@Suite struct `A digest` {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ])
    func `is SHA-256 of the bytes`(_ text: String, _ hex: String) throws {
        let digest = try #require(Digest.sha256(Array(text.utf8)))
        #expect(digest.hex == hex)
        #expect(Digest(hex: hex) == digest)
        #expect(Digest(bytes: digest.bytes.span) == digest)
    }

    @Test func `is the same however the bytes are cut`() {
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
    func `is not read from text that is not 64 lower-case digits`(_ text: String) {
        #expect(Digest(hex: text) == nil)
    }

    @Test(arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")])
    func `is written as padded base64`(_ text: String, _ encoded: String) {
        #expect(Base64.string(Array(text.utf8)) == encoded)
    }
}
