import Testing
import WidgetLogging

@Suite struct `A log line` {
    private func line(
        _ format: LogFormat = .json, _ event: String = "e", _ message: String = "", _ fields: [LogField] = []
    ) -> String {
        let sink = CollectingSink()
        let logger = makeLogger(sink, format: format)
        logger.log(.notice, event, message, fields)
        logger.flush()
        return sink.text
    }

    private let fields = [
        LogField("s", "a b"), LogField("i", -42), LogField("d", 0.5), LogField("b", true),
        LogField("path", bytes: Array("/v1".utf8)), LogField("token", Secret("hunter2hunter2")),
    ]

    @Test func `A log line is one JSON object in a fixed order`() {
        #expect(
            line(.json, "server.listening", "Ready.", fields)
                == #"{"time":"2026-11-21T07:15:00.007Z","level":"notice","event":"server.listening","#
                + #""message":"Ready.","s":"a b","i":-42,"d":0.5,"b":true,"path":"/v1","token":"(secret)"}"# + "\n")
    }

    @Test func `A log line is readable text on request`() {
        #expect(
            line(.text, "server.listening", "Ready.", fields)
                == #"2026-11-21T07:15:00.007Z notice  server.listening: Ready. s="a b" i=-42 d=0.5 b=true path=/v1 token=(secret)"#
                + "\n")
    }

    @Test func `A log line leaves out a message that is empty`() {
        #expect(line() == #"{"time":"2026-11-21T07:15:00.007Z","level":"notice","event":"e"}"# + "\n")
        #expect(line(.text) == "2026-11-21T07:15:00.007Z notice  e\n")
    }

    @Test(
        arguments: LogFormat.allCases,
        [
            ("\n", #"\n"#), ("\r", #"\r"#), ("\t", #"\t"#), ("\u{0}", #"\u0000"#), ("\u{1B}[2J", #"\u001b[2J"#),
            ("\u{7F}", #"\u007f"#), ("\u{85}", #"\u0085"#), ("\u{9B}", #"\u009b"#), ("\u{2028}", #"\u2028"#),
            ("\u{2029}", #"\u2029"#), ("\u{202E}", #"\u202e"#), ("\u{2066}", #"\u2066"#), ("\u{200F}", #"\u200f"#),
            ("\u{61C}", #"\u061c"#), ("\"", #"\""#), ("\\", #"\\"#),
        ])
    func `A log line shows characters that would break or disguise it as escapes`(
        _ format: LogFormat, _ sample: (String, String)
    ) {
        for text in [
            line(format, sample.0), line(format, "e", sample.0), line(format, "e", "", [LogField(sample.0, 1)]),
            line(format, "e", "", [LogField("f", "x y" + sample.0)]),
            line(format, "e", "", [LogField("f", bytes: Array(("x y" + sample.0).utf8))]),
        ] {
            #expect(text.contains(sample.1))
            #expect(text.utf8.count { $0 == 0x0A } == 1)
            #expect(text.hasSuffix("\n"))
            #expect(text == "\n" || !text.dropLast().unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F })
        }
    }

    @Test func `A log line keeps the letters of every script`() {
        #expect(line(.json, "e", "žluťoučký 日本語 😀 é").contains(#""message":"žluťoučký 日本語 😀 é""#))
    }

    @Test(
        arguments: [
            [0xFF], [0xC3], [0xC0, 0xAF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
            [0xF0, 0x9F, 0x98], [0x80],
        ] as [[UInt8]])
    func `A log line shows bytes that are not UTF-8 as replacement characters`(_ bytes: [UInt8]) {
        for format in LogFormat.allCases {
            let text = line(format, "e", "", [LogField("f", bytes: [0x61] + bytes + [0x62, 0x20])])
            #expect(text.contains("a\u{FFFD}") && text.contains("\u{FFFD}b"))
            #expect(String(validating: text.utf8, as: UTF8.self) != nil)
        }
    }

    @Test func `A log line cuts a value that is too long between two characters`() {
        let text = line(.json, "e", "", [LogField("f", "x" + String(repeating: "é", count: 1 << 20))])
        #expect(text.utf8.count < 9 * 1_024)
        #expect(text.hasSuffix("é…\"}\n"))
    }

    @Test(arguments: [Int.min, .max, 0, 9, 10, -10, 1_000_000]) func `A log line writes whole numbers exactly`(
        _ number: Int
    ) {
        #expect(line(.json, "e", "", [LogField("n", number)]).hasSuffix(",\"n\":\(number)}\n"))
    }

    @Test(arguments: [Double.nan, .infinity]) func `A log line writes null for a number JSON cannot say`(
        _ number: Double
    ) {
        #expect(line(.json, "e", "", [LogField("n", number)]).hasSuffix(#","n":null}"# + "\n"))
    }

    @Test(
        arguments: [
            (0, 0, "1970-01-01T00:00:00.000Z"), (951_782_399, 999, "2000-02-28T23:59:59.999Z"),
            (951_782_400, 0, "2000-02-29T00:00:00.000Z"), (951_868_800, 1, "2000-03-01T00:00:00.001Z"),
            (1_798_761_599, 50, "2026-12-31T23:59:59.050Z"), (4_107_542_400, 0, "2100-03-01T00:00:00.000Z"),
            (253_402_300_799, 0, "9999-12-31T23:59:59.000Z"), (Int64.max, 5_000, "9999-12-31T23:59:59.999Z"),
            (-1, -1, "1970-01-01T00:00:00.000Z"),
        ] as [(Int64, Int, String)])
    func `A log line begins with the time in UTC`(_ seconds: Int64, _ milliseconds: Int, _ expected: String) {
        var bytes: [UInt8] = []
        LogTime(secondsSinceEpoch: seconds, milliseconds: milliseconds).append(to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
    }
}
