import RegistryContract
import Testing

/// Goal: one law for each name, for server and client alike. Method: names that obey it and names that do not.
@Suite struct `A name of the contract` {
    @Test(arguments: [
        ("com.example.Clock", true), ("com.example.Clock-1", true), ("a", true), ("9_", true),
        (String(repeating: "x", count: 255), true), (String(repeating: "x", count: 256), false), ("", false),
        ("-com.example", false), (".com.example", false), ("_com.example", false), ("..", false), ("a/b", false),
        ("a b", false), ("caf\u{E9}", false),
    ])
    func `A widget identifier begins like a bundle identifier`(_ text: String, isOne: Bool) {
        #expect((WidgetIdentifier(checking: text) != nil) == isOne)
        #expect(WidgetIdentifier(bytes: Array(text.utf8).span)?.text == (isOne ? text : nil))
    }

    /// A widget is reached through the bundle identifier that its own begins with, so a law that admits all of those
    /// leaves nothing that is published out of reach.
    @Test(arguments: ["com.example", "9a.b-c", "A.0"])
    func `Every bundle identifier is a widget identifier`(_ text: String) {
        #expect(BundleIdentifier(checking: text) != nil)
        #expect(WidgetIdentifier(checking: text)?.belongs(to: text) == true)
        #expect(WidgetIdentifier(checking: "\(text)_1")?.belongs(to: text) == true)
        #expect(WidgetIdentifier(checking: text.uppercased() + "x")?.belongs(to: text + "x") != true || text == "A.0")
    }

    @Test(arguments: [
        ("1.0~1", true), ("1.0~1+0123456789ab", true), ("1.0", false), ("~1", false), ("1~", false), ("1~2~3", false),
        ("1.0~1 ", false), (String(repeating: "1", count: 64) + "~" + String(repeating: "2", count: 77), true),
        (String(repeating: "1", count: 65) + "~2", false), ("1~" + String(repeating: "2", count: 78), false),
    ])
    func `A release key is two versions and a tilde`(_ text: String, isOne: Bool) {
        #expect((ReleaseKey(checking: text) != nil) == isOne)
        #expect((ReleaseKey(bytes: Array(text.utf8).span) != nil) == isOne)
    }

    @Test(arguments: [
        ("stable", true), ("a.b_c-9", true), ("-x", false), ("", false), ("a b", false),
        (String(repeating: "c", count: 64), true), (String(repeating: "c", count: 65), false),
    ])
    func `A channel's name begins with a letter or digit`(_ text: String, isOne: Bool) {
        #expect((ChannelName(checking: text) != nil) == isOne)
    }

    @Test func `Bytes that are not text are not a name`() {
        let bytes: [UInt8] = [0x61, 0xFF]
        #expect(ChannelName(bytes: bytes.span) == nil && WidgetIdentifier(bytes: bytes.span) == nil)
    }
}
