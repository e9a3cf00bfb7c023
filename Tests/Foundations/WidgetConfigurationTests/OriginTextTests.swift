import Testing

@testable import WidgetConfiguration

/// Goal: a list of pages is one that browsers understand as it was meant. Method: spellings, and what they become.
@Suite struct `A source of pages` {
    @Test(arguments: [
        ("self", "'self'"), ("'self'", "'self'"), ("none", "'none'"), ("'none'", "'none'"), ("*", "*"),
        ("https://app.example", "https://app.example"), ("HTTPS://App.Example", "https://app.example"),
        ("https://app.example:443", "https://app.example"), ("http://app.example:80", "http://app.example"),
        ("https://app.example:8443", "https://app.example:8443"), ("http://127.0.0.1:3000", "http://127.0.0.1:3000"),
        ("https://*.app.example", "https://*.app.example"), ("capacitor://localhost", "capacitor://localhost"),
    ]) func `A word or an origin is taken as browsers write it`(_ text: String, _ source: String) {
        #expect(OriginText.source(text) == source)
    }

    @Test(arguments: [
        "", "app.example", "https://", "https:", "https://app.example/", "https://app.example/page", "https://*",
        "*.app.example",
        "https://a.*.example", "https://app..example", "https://app.example:", "https://app.example:0",
        "https://app.example:99999", "https://app.example:8a", "https://user@app.example", "https://app.example?x",
        "https://app.example#x", "https://app example", "https://app.example; script-src *", "https://-app.example",
        "1https://app.example", "://app.example", "'unsafe-inline'", "\"self\"", "SELF", "null", "data:",
        "https://ä.example",
        "https://[::1]", "https://app.example\r\nX: y", "https://app.example,https://b.example",
    ]) func `Anything else is refused`(_ text: String) {
        #expect(OriginText.source(text) == nil)
    }

    @Test func `A long text is refused`() {
        #expect(OriginText.source("https://\(String(repeating: "a", count: 300)).example") == nil)
    }
}
