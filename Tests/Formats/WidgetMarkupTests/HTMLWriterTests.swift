import Testing
import WidgetMarkup

/// Goal: text of strangers is never markup. Method: texts with every character that has a meaning in markup.
@Suite struct `A writer of markup` {
    @Test func `Text is escaped, and markup is not`() {
        var html = HTMLWriter()
        html.markup("<p title=\"")
        html.text("a\"b'c")
        html.element("\">", "<script>&amp;</script>", "</p>")
        #expect(
            String(decoding: html.bytes, as: UTF8.self)
                == "<p title=\"a&quot;b&#39;c\">&lt;script&gt;&amp;amp;&lt;/script&gt;</p>")
    }
}

/// Goal: a page is valid HTML for every text. Method: elements and attributes with texts that would break out of them,
/// and texts with characters that no page may have.
@Suite struct `A writer of elements` {
    private static func text(_ write: (inout HTMLWriter) -> Void) -> String {
        var html = HTMLWriter()
        write(&html)
        return String(decoding: html.finish(), as: UTF8.self)
    }

    @Test func `Elements are closed in reverse order, at the latest at the end`() {
        let page = Self.text { html in
            html.begin(.main)
            html.element(.p, text: "a") { $0.set(.class, "t") }
            html.element(.ul) { html in
                html.begin(.li)
                html.begin(.span)
                html.text("b")
            }
            html.begin(.div)
        }
        #expect(page == #"<main><p class="t">a</p><ul><li><span>b</span></li></ul><div></div></main>"#)
    }

    @Test func `A void element has no end, and nothing that is closed too often is written`() {
        let page = Self.text { html in
            html.element(.input, text: "lost") { $0.set(.checked, if: true) }
            html.element(.img) {
                $0.set(.alt, "")
            } content: {
                $0.text("kept")
            }
            html.end()
            html.end()
        }
        #expect(page == #"<input checked><img alt="">kept"#)
    }

    @Test func `An attribute is written once, in quotes, and only with a value`() {
        let page = Self.text { html in
            html.begin(.a) { attributes in
                attributes.set(.href, "x\" onclick=\"y")
                attributes.set(.href, "second")
                attributes.set(.label, nil)
                attributes.set(.hidden, if: false)
                attributes.set(.inert, if: true)
                attributes.set(.inert, if: true)
            }
        }
        #expect(page == #"<a href="x&quot; onclick=&quot;y" inert></a>"#)
    }

    @Test func `A text that begins with a line end keeps it in a text area`() {
        #expect(Self.text { $0.element(.textarea, text: "\na") } == "<textarea>\n\na</textarea>")
        #expect(Self.text { $0.element(.textarea, text: "a\n") } == "<textarea>a\n</textarea>")
        #expect(Self.text { $0.element(.p, text: "\na") } == "<p>\na</p>")
    }

    @Test func `A page grows in place, so that the next element costs no copy of those before`() {
        var html = HTMLWriter(reservingBytes: 1 << 20)
        html.begin(.ul)
        let place = unsafe html.bytes.withUnsafeBytes { unsafe $0.baseAddress.map { UInt(bitPattern: $0) } }
        for number in 0..<1_000 { html.element(.li, text: "\(number)") { $0.set(.id, "i\(number)") } }
        let now = unsafe html.bytes.withUnsafeBytes { unsafe $0.baseAddress.map { UInt(bitPattern: $0) } }
        #expect(place == now && html.bytes.count < 1 << 20)
    }

    @Test func `No element and no attribute runs a script or has a style`() {
        let elements = Set(HTMLElement.allCases.map(\.rawValue))
        #expect(elements.isDisjoint(with: ["script", "style", "iframe", "object", "embed", "base"]))
        let attributes = HTMLAttribute.allCases.map(\.rawValue)
        #expect(!attributes.contains("style") && !attributes.contains { $0.hasPrefix("on") || $0 == "srcdoc" })
    }
}

/// Goal: a text changes nothing but its own place on a page. Method: each kind of character that could.
@Suite struct `A text on a page` {
    /// A scalar that literals cannot have.
    private static func scalar(_ value: UInt32) -> String { Unicode.Scalar(value).map { String(Character($0)) } ?? "" }

    private static let texts: [(String, String)] = [
        ("a\u{0}b\u{1B}[31mc\u{7F}\u{9B}", "ab[31mc"),
        ("a\(scalar(0xFFFE))b\(scalar(0xFDD0))c\(scalar(0x1FFFF))d\(scalar(0x10FFFF))", "abcd"),
        ("a\u{202E}b\u{2066}c\u{2069}d", "abcd"), ("a\u{E0041}\u{E007F}b", "ab"),
        ("א\u{200F}!\u{200E}a\u{61C}", "א\u{200F}!\u{200E}a\u{61C}"),
        (
            "🏴\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F} 🏴‍☠️",
            "🏴\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F} 🏴‍☠️"
        ),
        ("🏴\(String(repeating: "\u{E0041}", count: 9))", "🏴\(String(repeating: "\u{E0041}", count: 7))"),
        ("a\r\nb\rc\u{85}d\u{2028}e\u{2029}f\u{B}g\u{C}h", "a\nb\nc\nd\ne\nf\ng\nh"), ("\ta b\u{A0}c", "\ta b\u{A0}c"),
        ("日本 👨‍👩‍👧 é ❤️ ש", "日本 👨‍👩‍👧 é ❤️ ש"),
    ]

    @Test(arguments: texts.indices)
    func `A text loses what a page cannot have, and what turns or hides other text`(place: Int) {
        let (text, shown) = Self.texts[place]
        #expect(FitText.plain(text).unicodeScalars.elementsEqual(shown.unicodeScalars))
    }

    @Test func `A letter keeps as many marks as scripts use, and 4,000 become few`() {
        let text = "a" + String(repeating: "\u{301}", count: 4_000) + "b\u{301}"
        #expect(FitText.plain(text).unicodeScalars.count == 1 + FitText.mostMarks + 2)
        let joined = "a" + String(repeating: "\u{301}\u{200D}", count: 2_000)
        #expect(FitText.plain(joined).unicodeScalars.count == 1 + FitText.mostMarks)
    }

    @Test func `Each character that has a meaning in markup is escaped`() {
        var html = HTMLWriter()
        html.text("<a href=\"x\" b='y'>&amp;</a>")
        let escaped = "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;"
        #expect(String(decoding: html.finish(), as: UTF8.self) == escaped)
    }
}
