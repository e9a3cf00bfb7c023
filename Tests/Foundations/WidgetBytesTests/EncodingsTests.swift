import Testing
import WidgetBytes
import WidgetTestSupport

@Suite struct `Base64 text` {
    @Test func `Base64 text is read back as the bytes it was made of`() throws {
        var generator = SeededGenerator(seed: 64)
        for count in 0..<200 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            #expect(try Base64.decode(Array(Base64.string(bytes).utf8)) == bytes)
        }
    }

    @Test func `Base64 text may hold white space when that is asked for, and only then`() throws {
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
    func `Malformed base64 text is refused at its first wrong byte`(_ text: String, _ offset: Int) {
        #expect(throws: Base64.Fault(offset: offset)) { try Base64.decode(Array(text.utf8)) }
    }
}

@Suite struct `Text in a target` {
    @Test(arguments: [
        ("", ""), ("com.acme.Clock-1_~", "com.acme.Clock-1_~"), ("1.0~1+abc", "1.0~1%2Babc"),
        ("a b/c?d#e", "a%20b%2Fc%3Fd%23e"),
        ("\u{0}\n%", "%00%0A%25"), ("ä", "%C3%A4"), ("..", ".."), ("@[`{", "%40%5B%60%7B"),
    ])
    func `Text in a target is encoded so that it means only itself`(_ text: String, _ encoded: String) {
        #expect(PercentEncoding.segment(text) == encoded)
    }
}
