import JSONText
import Testing

@Suite struct `A JSON number` {
    private static let point = UInt8(ascii: ".")

    @Test(arguments: [
        Refused("[01]", .leadingZero, 1, path: "[0]"), Refused("[-01]", .leadingZero, 2, path: "[0]"),
        Refused("[00]", .leadingZero, 1, path: "[0]"), Refused("[-00.5]", .leadingZero, 2, path: "[0]"),
        Refused("[012e3]", .leadingZero, 1, path: "[0]"), Refused("[0e]", .missingDigit, 3, path: "[0]"),
        Refused("[0e+]", .missingDigit, 4, path: "[0]"), Refused("[0E-]", .missingDigit, 4, path: "[0]"),
        Refused("[1e+-2]", .missingDigit, 4, path: "[0]"), Refused("[1ee2]", .missingDigit, 3, path: "[0]"),
        Refused("[1.e2]", .missingDigit, 3, path: "[0]"), Refused("[1.]", .missingDigit, 3, path: "[0]"),
        Refused("[-1.]", .missingDigit, 4, path: "[0]"), Refused("[2.+3]", .missingDigit, 3, path: "[0]"),
        Refused("[0.e1]", .missingDigit, 3, path: "[0]"), Refused("[1..2]", .missingDigit, 3, path: "[0]"),
        Refused("[-]", .missingDigit, 2, path: "[0]"), Refused("[--1]", .missingDigit, 2, path: "[0]"),
        Refused("[- 1]", .missingDigit, 2, path: "[0]"), Refused("[-a]", .missingDigit, 2, path: "[0]"),
        Refused("[-.5]", .missingDigit, 2, path: "[0]"), Refused("[-Infinity]", .missingDigit, 2, path: "[0]"),
        Refused("[-NaN]", .missingDigit, 2, path: "[0]"), Refused("[1eE2]", .missingDigit, 3, path: "[0]"),
        Refused("[1.5e 2]", .missingDigit, 5, path: "[0]"),
        Refused("[+1]", .unexpectedByte(UInt8(ascii: "+"), expected: .value), 1, path: "[0]"),
        Refused("[++1]", .unexpectedByte(UInt8(ascii: "+"), expected: .value), 1, path: "[0]"),
        Refused("[.5]", .unexpectedByte(point, expected: .value), 1, path: "[0]"),
        Refused("[.]", .unexpectedByte(point, expected: .value), 1, path: "[0]"),
        Refused("[NaN]", .unexpectedByte(UInt8(ascii: "N"), expected: .value), 1, path: "[0]"),
        Refused("[nan]", .invalidLiteral, 1, path: "[0]"),
        Refused("[Infinity]", .unexpectedByte(UInt8(ascii: "I"), expected: .value), 1, path: "[0]"),
        Refused("[inf]", .unexpectedByte(UInt8(ascii: "i"), expected: .value), 1, path: "[0]"),
        Refused("[0x42]", .unexpectedByte(UInt8(ascii: "x"), expected: .commaOrArrayEnd), 2),
        Refused("[1_000]", .unexpectedByte(UInt8(ascii: "_"), expected: .commaOrArrayEnd), 2),
        Refused("[1,000.5.6]", .leadingZero, 3, path: "[1]"),
        Refused("[1.2.3]", .unexpectedByte(point, expected: .commaOrArrayEnd), 4),
        Refused("[1 000]", .unexpectedByte(UInt8(ascii: "0"), expected: .commaOrArrayEnd), 3),
        Refused("[1-2]", .unexpectedByte(UInt8(ascii: "-"), expected: .commaOrArrayEnd), 2),
        Refused("[1+2]", .unexpectedByte(UInt8(ascii: "+"), expected: .commaOrArrayEnd), 2),
        Refused("[1e5.5]", .unexpectedByte(point, expected: .commaOrArrayEnd), 4),
        Refused("[-1x]", .unexpectedByte(UInt8(ascii: "x"), expected: .commaOrArrayEnd), 3),
        Refused("[1f]", .unexpectedByte(UInt8(ascii: "f"), expected: .commaOrArrayEnd), 2),
        Refused("[1\u{FF11}]", .unexpectedByte(0xEF, expected: .commaOrArrayEnd), 2),
        Refused("[\u{FF11}]", .unexpectedByte(0xEF, expected: .value), 1, path: "[0]"),
        Refused("-", .truncated, 1), Refused("1.", .truncated, 2), Refused("1e", .truncated, 2),
        Refused("1e+", .truncated, 3), Refused("[12", .truncated, 3),
    ])
    func `A malformed JSON number is refused`(_ refused: Refused) { refused.check() }

    @Test(arguments: [
        "0", "-0", "1", "-1", "10", "123456789", "0.5", "-0.5", "0.0", "1.25e2", "1E2", "1e+2", "1e-2", "0e0", "0e+1",
        "-0e-0", "20e1", "1.000000000000000000000000000000000001", "9223372036854775808", "1e400", "-1e-400",
        "123e45", "0.4e00669999999999999999999999999999999999999", "100000000000000000000000000000000",
    ])
    func `A JSON number is kept as it was written`(_ text: String) throws {
        let value = try JSONValue(parsing: Array(text.utf8))
        #expect(value.number?.text == text)
        #expect(value.span.range == 0..<text.utf8.count)
        var writer = JSONWriter()
        writer.value(value)
        #expect(writer.bytes == Array(text.utf8))
    }

    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("-1", -1), ("9223372036854775807", Int64.max), ("-9223372036854775808", .min),
            ("9223372036854775808", nil), ("-9223372036854775809", nil), ("1.0", nil), ("1e2", nil),
        ] as [(String, Int64?)])
    func `A JSON number is an integer when it is written as one and fits`(_ text: String, _ integer: Int64?) throws {
        #expect(try JSONValue(parsing: Array(text.utf8)).integer == integer)
    }

    @Test(
        arguments: [
            ("0", 0), ("-0.0", -0.0), ("0.1", 0.1), ("1e2", 100), ("1.7976931348623157e308", .greatestFiniteMagnitude),
            ("1e309", nil), ("-1e309", nil), ("4.9406564584124654e-324", .leastNonzeroMagnitude), ("1e-400", 0),
            ("9007199254740993", 9007199254740992),
        ] as [(String, Double?)])
    func `A JSON number is read as the nearest double, if it has one`(_ text: String, _ double: Double?) throws {
        #expect(try JSONValue(parsing: Array(text.utf8)).double == double)
    }

    @Test(arguments: [
        ("1", "1.0"), ("1", "10e-1"), ("0", "-0"), ("0", "0e9"), ("100", "1E2"), ("1.50", "15e-1"), ("-2.0", "-2"),
        ("0.001", "1e-3"), ("12300", "1.23e+4"), ("0.0", "0e99999999999999999999"),
    ])
    func `A JSON number equals another spelling of the same number`(_ left: String, _ right: String) throws {
        #expect(try JSONValue(parsing: Array(left.utf8)) == JSONValue(parsing: Array(right.utf8)))
    }

    @Test(arguments: [
        ("1", "-1"), ("1", "10"), ("9007199254740993", "9007199254740992"), ("1e400", "1e401"), ("0.1", "0.10000001"),
        ("1", "\"1\""), ("1e99999999999", "1e99999999998"), ("0", "false"), ("12", "21"), ("1", "1e1"),
    ])
    func `A JSON number differs from other numbers`(_ left: String, _ right: String) throws {
        #expect(try JSONValue(parsing: Array(left.utf8)) != JSONValue(parsing: Array(right.utf8)))
    }

    @Test func `A JSON number is refused when it is longer than the limit`() throws {
        let limits = JSONLimits(numberByteCount: 8)
        #expect(try JSONValue(parsing: Array("12345678".utf8), limits: limits).integer == 12_345_678)
        Refused("[-12345678]", .limitReached(.numberByteCount, limit: 8), 1, path: "[0]").check(limits: limits)
        Refused("[1.2345e678]", .limitReached(.numberByteCount, limit: 8), 1, path: "[0]").check(limits: limits)
    }
}
