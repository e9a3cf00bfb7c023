import Bytes
import Testing

@Suite struct `Text in a target` {
    @Test(arguments: [
        ("", ""), ("com.acme.Clock-1_~", "com.acme.Clock-1_~"), ("1.0~1+abc", "1.0~1%2Babc"),
        ("a b/c?d#e", "a%20b%2Fc%3Fd%23e"),
        ("\u{0}\n%", "%00%0A%25"), ("ä", "%C3%A4"), ("..", ".."), ("@[`{", "%40%5B%60%7B"),
    ])
    func `means nothing but itself`(_ text: String, _ encoded: String) {
        #expect(PercentEncoding.segment(text) == encoded)
    }
}
