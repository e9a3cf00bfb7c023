import Testing

@Suite struct `Code without comments and quoted text` {
    /// The words of the code that is left, with single spaces.
    private func words(_ text: String) -> String {
        CodeScanner.code(of: text).split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    }

    @Test(
        arguments: [
            ("a // b \"c\nd", "a d"), ("a /* b /* c */ d */ e", "a e"), ("a /* b", "a"),
            ("a = \"b // c\" + d", "a = + d"),
            ("a = \"\\\"b\" + c", "a = + c"), ("a = \"\" + b", "a = + b"),
            ("a = \"\"\"\n  b \" c\n  \"\"\" + d", "a = + d"),
            ("a = \"\"\"\n  b \\\"\"\" c\n  \"\"\" + d", "a = + d"), ("a = \"b\n c", "a = c"),
        ])
    func `A comment and a text are left out, to their ends`(text: String, code: String) {
        #expect(words(text) == code)
    }

    @Test(
        arguments: [
            ("a(\"b \\(c) d\") e", "a( c ) e"), ("a = \"\\(b(\"c\") + \"d\")\" + e", "a = b( ) + + e"),
            ("\"\\(a.map { \"<\\($0 + (1))>\" } ?? \"(\")\" b", "a.map { $0 + (1) } ?? b"),
            ("\"\"\"\n\\(a, \"b\") c\n\"\"\" d", "a, d"), ("#\"\\(a) \\#(b) \"c\" \"# d", "b d"),
        ])
    func `The code within a text is code, and the texts within that are not`(text: String, code: String) {
        #expect(words(text) == code)
    }

    @Test(
        arguments: [
            ("a = #\"b \" c\"# + d", "a = + d"), ("a = #\"\\\"# + b", "a = + b"),
            ("a = ##\"b \"# c\"## + d", "a = + d"),
            ("a = #\"\"\"# + b", "a = + b"), ("a = #\"\"\"\n b \"\"\" c\n \"\"\"# + d", "a = + d"),
            ("#if a\nb\n#endif", "#if a b #endif"), ("#expect(\"a\" == b)", "#expect( == b)"),
        ])
    func `A raw text ends with as many number signs as it began with`(text: String, code: String) {
        #expect(words(text) == code)
    }

    @Test(
        arguments: [
            ("a(/\"b/) c", "a( ) c"), ("a = /[^\"]\\/\"/ + b", "a = + b"), ("a = #/\"/b/# + c", "a = + c"),
            ("a / b / c", "a / b / c"), ("a(b / 2, \"c\" /* d */)", "a(b / 2, )"),
            ("reduce(1, /) \"a\" /b", "reduce(1, /) /b"),
            ("func `It's \"a // b\"`() c", "func `It's \"a // b\"`() c"),
        ])
    func `Expressions are left out, divisions and names in backticks are not`(text: String, code: String) {
        #expect(words(text) == code)
    }

    @Test func `A scanned file has as many lines as before, and closes what it opens`() {
        for file in Repository.sources + Repository.tests {
            let lines = [file.text, file.code].map { $0.utf8.count { $0 == 0x0A } }
            #expect(lines[0] == lines[1], "\(file.path)")
            // Names in backticks are prose.
            let code = file.code.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .filter { $0.offset % 2 == 0 }.map(\.element).joined()
            for (opening, closing) in ["()", "[]", "{}"].map({ ($0.first, $0.last) }) {
                #expect(
                    code.count { $0 == opening } == code.count { $0 == closing }, "\(opening ?? " ") in \(file.path)")
            }
        }
    }
}
