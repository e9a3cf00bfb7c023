import Plist
import Testing

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
