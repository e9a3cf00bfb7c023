import Markup
import Testing

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
