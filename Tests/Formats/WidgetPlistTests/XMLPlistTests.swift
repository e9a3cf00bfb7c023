import Testing
import WidgetBytes
import WidgetPlist
import WidgetTestSupport

@Suite struct `An XML property list` {
    private func value(_ text: String) throws -> PlistValue { try PlistValue(parsing: Array(text.utf8)) }

    @Test func `An XML property list of Apple's tools keeps keys in order and every value`() throws {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
            \t<key>CFBundleIdentifier</key>
            \t<string>com.example.feed</string>
            \t<key>Sizes</key>
            \t<array>
            \t\t<integer>1</integer>
            \t\t<real>1.5</real>
            \t\t<data>
            \t\tAQID
            \t\t/w==
            \t\t</data>
            \t\t<date>2001-01-01T00:00:01Z</date>
            \t</array>
            \t<key>Flag</key>
            \t<true/>
            </dict>
            </plist>

            """
        let dictionary = try #require(try value(text).dictionary)
        #expect(dictionary.keys == ["CFBundleIdentifier", "Sizes", "Flag"])
        #expect(dictionary["CFBundleIdentifier"] == .string("com.example.feed"))
        let date = try #require(PlistDate(secondsSince2001: 1))
        #expect(dictionary["Sizes"] == .array([.integer(1), .real(1.5), .data([1, 2, 3, 255]), .date(date)]))
        #expect(dictionary["Flag"] == .boolean(true))
    }

    @Test(arguments: [
        "<plist><true/></plist>", "<plist version='1.0'><true/></plist>",
        "<plist\n version = \"1.0\"\t><true /></plist\n>",
        "<?xml version='1.0'?><plist><true/></plist>",
        "<?xml version=\"1.0\" encoding=\"utf-8\" standalone=\"no\" ?><plist><true/></plist>",
        "\u{FEFF}<plist><true/></plist>", "<!-- a --><plist><!----><true/><!-- - --></plist><!-- b -->\n",
        "<plist><true></true></plist>",
        "<!DOCTYPE plist PUBLIC 'a' 'b'><plist><true/></plist>",
        "<!DOCTYPE  plist\nPUBLIC \"\" \"\" ><plist><true/></plist>", "\n<plist>\n<true/>\n</plist>\n",
    ])
    func `An XML property list may be framed in several ways`(_ text: String) throws {
        #expect(try value(text) == .boolean(true))
    }

    @Test(arguments: [
        ("", ""), ("a", "a"), (" a ", " a "), ("&lt;&gt;&amp;&quot;&apos;", "<>&\"'"), ("&#65;&#x42;&#x1F600;", "AB😀"),
        ("&#9;&#10;&#13;", "\t\n\r"),
        ("<![CDATA[<b>&amp;]]>", "<b>&amp;"), ("a<![CDATA[]]>b<![CDATA[]]]]>c", "ab]]c"),
        ("a\r\nb\rc\nd", "a\nb\nc\nd"), ("ä€😀", "ä€😀"),
        ("]]&gt;", "]]>"), ("a]b]]c", "a]b]]c"), ("&amp;amp;", "&amp;"), ("\u{FEFF}", "\u{FEFF}"),
    ])
    func `An XML property list is read with its text decoded`(_ text: String, _ expected: String) throws {
        #expect(try value("<plist><string>\(text)</string></plist>") == .string(expected))
        #expect(try value("<plist><dict><key>\(text)</key><false/></dict></plist>").dictionary?.keys == [expected])
    }

    @Test(
        arguments: [
            ("0", .integer(0)), ("-0", .integer(0)), ("+5", .integer(5)), ("007", .integer(7)), (" 12\n", .integer(12)),
            ("0xFF", .integer(255)), ("0Xff", .integer(255)),
            ("-0x10", .integer(-16)), ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
            ("9223372036854775808", .largeInteger(1 << 63)),
            ("18446744073709551615", .largeInteger(.max)), ("0xFFFFFFFFFFFFFFFF", .largeInteger(.max)),
            ("-0x8000000000000000", .integer(.min)), ("&#49;", .integer(1)),
        ] as [(String, PlistValue)])
    func `An XML property list is read with its integers`(_ text: String, _ expected: PlistValue) throws {
        #expect(try value("<plist><integer>\(text)</integer></plist>") == expected)
    }

    @Test(
        arguments: [
            ("0", 0), ("1.5", 1.5), ("-1.5e10", -1.5e10), ("+1E-3", 0.001), ("5.", 5), (".5", 0.5), ("nan", .nan),
            ("NaN", .nan), ("inf", .infinity), ("-inf", -.infinity),
            ("+Infinity", .infinity), ("-infinity", -.infinity), (" 2 ", 2), ("1e-400", 0),
            ("179769313486231570e291", .greatestFiniteMagnitude),
        ] as [(String, Double)])
    func `An XML property list is read with its real numbers`(_ text: String, _ expected: Double) throws {
        #expect(try value("<plist><real>\(text)</real></plist>") == .real(expected))
    }

    @Test(arguments: [
        ("2001-01-01T00:00:00Z", 0), ("2000-12-31T23:59:59Z", -1), ("1970-01-01T00:00:00Z", -978_307_200),
        ("2018-06-20T12:38:00Z", 551_191_080), ("2020-02-29T00:00:00Z", 604_627_200),
        ("2000-02-29T00:00:00Z", -26_524_800), ("0001-01-01T00:00:00Z", -63_113_904_000),
        ("9999-12-31T23:59:59Z", 252_423_993_599), ("2100-03-01T00:00:00Z", 3_129_235_200),
    ])
    func `An XML property list is read with its dates`(_ text: String, _ seconds: Double) throws {
        #expect(try value("<plist><date>\(text)</date></plist>").date?.secondsSince2001 == seconds)
    }

    @Test(
        arguments: [
            ("", []), (" \n", []), ("AA==", [0]), ("AAE=", [0, 1]), ("A A\tE\n=", [0, 1]), ("AAEC", [0, 1, 2]),
            ("+/+/", [0xFB, 0xFF, 0xBF]), ("AAEC\nAw= =", [0, 1, 2, 3]),
        ] as [(String, [UInt8])])
    func `An XML property list is read with its data decoded`(_ text: String, _ expected: [UInt8]) throws {
        #expect(try value("<plist><data>\(text)</data></plist>") == .data(expected))
    }

    @Test func `An XML property list may hold empty values in either spelling`() throws {
        let text =
            "<plist><array><dict/><dict></dict><array/><array> </array><string/><string></string><data/><data></data></array></plist>"
        let empty: [PlistValue] = [.dictionary(PlistDictionary()), .array([]), .string(""), .data([])]
        #expect(try value(text) == .array(empty.flatMap { [$0, $0] }))
    }

    @Test func `An XML property list with many keys finds each and keeps their order`() throws {
        let text = (0..<500).map { "<key>k\($0)</key><integer>\($0)</integer>" }.joined()
        let dictionary = try #require(try value("<plist><dict>\(text)</dict></plist>").dictionary)
        #expect(dictionary.keys == (0..<500).map { "k\($0)" })
        for index in 0..<500 { #expect(dictionary["k\(index)"] == .integer(Int64(index))) }
        let twice = "<plist><dict>\(text)<key>k9</key><true/></dict></plist>"
        RefusedText(twice, .duplicateKey("k9"), 13 + text.utf8.count).check()
    }
}

/// Property lists that people write: repeated keys are read as CoreFoundation reads them.
@Suite struct `The reading of an XML property list` {
    private func reading(_ text: String, decisive: Set<String> = []) throws -> PlistReading {
        try PlistReading(parsing: Array("<plist>\n\(text)</plist>".utf8), decisive: decisive)
    }

    @Test func `The reading of an XML property list keeps the last value of a key, with a note of its place`() throws {
        let reading = try reading(
            "<dict><key>a</key><true/>\n<key>b</key><array><dict>\n<key>c</key><integer>1</integer>"
                + "<key>c</key><integer>1</integer></dict></array>\n  <key>a</key><false/><key>&#97;</key><string/></dict>"
        )
        let inner = PlistValue.array([.dictionary(try #require(PlistDictionary([("c", .integer(1))])))])
        #expect(reading.value == .dictionary(try #require(PlistDictionary([("a", .string("")), ("b", inner)]))))
        #expect(reading.value.dictionary?.keys == ["a", "b"])
        #expect(
            reading.notes.map(\.subject) == [
                .repeatedKey("c", agrees: true), .repeatedKey("a", agrees: false), .repeatedKey("a", agrees: false),
            ])
        #expect(
            reading.notes.map(\.position) == [
                TextPosition(line: 4, column: 33), TextPosition(line: 5, column: 3), TextPosition(line: 5, column: 23),
            ])
    }

    @Test func `The reading of an XML property list refuses another value of a key that decides, only in the root`()
        throws
    {
        let decisive: Set = ["id"]
        let same = "<dict><key>id</key><string>x</string><key>id</key><string>x</string></dict>"
        #expect(try reading(same, decisive: decisive).notes.map(\.subject) == [.repeatedKey("id", agrees: true)])
        let other = "<dict><key>id</key><string>x</string><key>id</key><string>y</string></dict>"
        let error = #expect(throws: PlistError.self) { try reading(other, decisive: decisive) }
        #expect(error?.reason == .duplicateKey("id"))
        #expect(error?.position == TextPosition(line: 2, column: 38))
        #expect(try reading("<array>\(other)</array>", decisive: decisive).notes.count == 1)
        #expect(try reading(other).notes.count == 1)
        // Nothing can fill the list of notes so that the key is not looked at.
        let many = (0...PlistNote.mostKept).map { _ in "<key>k</key><true/>" }.joined()
        let last = "<dict>\(many)<key>id</key><true/><key>id</key><false/></dict>"
        #expect(throws: PlistError.self) { try reading(last, decisive: decisive) }
        #expect(try reading(last).notes.count == PlistNote.mostKept)
    }

    @Test func `The reading of a binary property list refuses a repeated key`() {
        let forge = PlistForge(
            PlistForge.dictionary(keys: [1, 1], values: [2, 2]), PlistForge.ascii("k"), PlistForge.yes)
        let error = #expect(throws: PlistError.self) { try PlistReading(parsing: forge.bytes) }
        #expect(error?.reason == .duplicateKey("k"))
    }

    @Test(arguments: [
        (
            "the key a is given again; only its last value counts, remove the others",
            PlistNote.Subject.repeatedKey("a", agrees: false)
        ),
        ("the key a is given again with the same value; remove one of them", .repeatedKey("a", agrees: true)),
        ("the backslash before ( is passed over; remove it, or write \\\\ for a backslash", .needlessBackslash(0x28)),
        (
            "the backslash before U+E9 is passed over; remove it, or write \\\\ for a backslash",
            .needlessBackslash(0xE9)
        ),
        ("\\u00e9 is read as the text u00e9; for the character write \\U00e9", .smallU("00e9")),
        ("\\U41 is read as a number of 2 digits; write \\U0041", .shortNumber("41")),
        ("the text in single quotes is read as one in double quotes; write those", .singleQuotes),
        ("the file begins with two byte order marks; save it with one", .repeatedMark),
    ])
    func `The reading of a property list says in its notes what to change`(
        _ sentence: String, _ subject: PlistNote.Subject
    ) {
        #expect("\(subject)" == sentence)
    }
}
