import Bytes
import TestSupport
import Testing

@Suite struct `Base64 text` {
    @Test func `is read back as the bytes it was made of`() throws {
        var generator = SeededGenerator(seed: 64)
        for count in 0..<200 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            #expect(try Base64.decode(Array(Base64.string(bytes).utf8)) == bytes)
        }
    }

    @Test func `may hold white space when that is asked for, and only then`() throws {
        let text = Array(" Zm9v\n\tYg\r\n = = ".utf8)
        #expect(try Base64.decode(text, skippingWhitespace: true) == Array("foob".utf8))
        #expect(throws: Base64.Fault(offset: 0)) { try Base64.decode(text) }
    }

    @Test(arguments: [
        ("Z", 1), ("Zg", 2), ("Zg=", 3), ("Zg===", 4), ("Z===", 1), ("=", 0), ("Zm9v=", 4), ("Zm9=v", 4),
        ("Zg==Zg==", 4),
        ("Zh==", 4), ("Zm9=x", 4), ("Zm=v", 3), ("Zm-v", 2), ("Zm_v", 2), ("Zm9v!", 4), ("Zm\u{0}v", 2),
        ("Zm9vYh==", 8), ("Zm9vYmF=", 8),
    ])
    func `is refused`(_ text: String, _ offset: Int) {
        #expect(throws: Base64.Fault(offset: offset)) { try Base64.decode(Array(text.utf8)) }
    }
}
