import Plist
import TestSupport
import Testing

@Suite struct `A binary property list` {
    private typealias Forge = PlistForge

    static let everything = PlistForge(
        PlistForge.dictionary(keys: [1, 2, 3], values: [4, 5, 11]),
        PlistForge.ascii("list"), PlistForge.utf16("größe"), PlistForge.ascii(""),
        PlistForge.array([5, 6, 7, 8, 9, 10]), PlistForge.integer(42, size: 1), PlistForge.real(1.5),
        PlistForge.date(0), PlistForge.data([1, 2, 3]), PlistForge.utf16("😀"), PlistForge.uid(7, size: 1),
        PlistForge.yes)

    @Test func `keeps keys in order and every value`() throws {
        let value = try PlistValue(parsing: Self.everything.bytes)
        let dictionary = try #require(value.dictionary)
        #expect(dictionary.keys == ["list", "größe", ""])
        let date = try #require(PlistDate(secondsSince2001: 0))
        #expect(
            dictionary["list"]
                == .array([.integer(42), .real(1.5), .date(date), .data([1, 2, 3]), .string("😀"), .uid(7)]))
        #expect(dictionary["größe"] == .integer(42))
        #expect(dictionary[""] == .boolean(true))
        #expect(dictionary["LIST"] == nil)
    }

    static let scalars: [(String, [UInt8], PlistValue)] = [
        ("false", Forge.no, .boolean(false)), ("true", Forge.yes, .boolean(true)),
        ("a byte is unsigned", Forge.integer(255, size: 1), .integer(255)),
        ("two bytes are unsigned", Forge.integer(0xFFFF, size: 2), .integer(65_535)),
        ("four bytes are unsigned", Forge.integer(0xFFFF_FFFF, size: 4), .integer(4_294_967_295)),
        ("eight bytes are signed", Forge.integer(.max), .integer(-1)),
        ("the smallest integer", Forge.integer(1 << 63), .integer(.min)),
        ("the largest integer", Forge.integer(1 << 63 - 1), .integer(.max)),
        ("sixteen bytes, small", [0x14] + Forge.number(0, size: 8) + Forge.number(5, size: 8), .integer(5)),
        ("sixteen bytes, negative", [0x14] + Forge.number(.max, size: 8) + Forge.number(.max, size: 8), .integer(-1)),
        (
            "sixteen bytes, 2^63", [0x14] + Forge.number(0, size: 8) + Forge.number(1 << 63, size: 8),
            .largeInteger(1 << 63)
        ),
        ("sixteen bytes, 2^64-1", [0x14] + Forge.number(0, size: 8) + Forge.number(.max, size: 8), .largeInteger(.max)),
        ("a float", Forge.float(0.5), .real(0.5)), ("a double", Forge.real(-1e300), .real(-1e300)),
        ("infinity", Forge.real(.infinity), .real(.infinity)), ("not a number", Forge.float(.nan), .real(.nan)),
        ("no data", Forge.data([]), .data([])), ("fourteen bytes", Forge.data(Array(0..<14)), .data(Array(0..<14))),
        ("fifteen bytes", Forge.data(Array(0..<15)), .data(Array(0..<15))),
        ("a count in one byte", [0x4F, 0x10, 1, 9], .data([9])),
        ("a count in eight bytes", [0x4F, 0x13] + Forge.number(1, size: 8) + [9], .data([9])),
        ("no text", Forge.ascii(""), .string("")), ("NUL", Forge.ascii("a\0b"), .string("a\0b")),
        ("long text", Forge.ascii(String(repeating: "x", count: 100)), .string(String(repeating: "x", count: 100))),
        ("UTF-16", Forge.utf16("aä€😀\u{FFFF}"), .string("aä€😀\u{FFFF}")), ("no UTF-16", Forge.utf16(""), .string("")),
        ("the last scalar", Forge.utf16("\u{10FFFF}"), .string("\u{10FFFF}")),
        ("a uid of one byte", Forge.uid(0, size: 1), .uid(0)),
        ("a uid of two bytes", Forge.uid(500, size: 2), .uid(500)),
        ("a uid of three bytes", Forge.uid(70_000, size: 3), .uid(70_000)),
        ("the largest uid", Forge.uid(0xFFFF_FFFF, size: 4), .uid(.max)),
        ("a wide uid", Forge.uid(9, size: 8), .uid(9)), ("an empty array", Forge.array([]), .array([])),
        ("an empty dictionary", Forge.dictionary(keys: [], values: []), .dictionary(PlistDictionary())),
    ]

    @Test(arguments: scalars)
    func `may be one value`(_ name: String, _ object: [UInt8], _ expected: PlistValue) throws {
        for size in [1, 2, 4, 8] {
            let forge = PlistForge(object).with { ($0.offsetSize, $0.referenceSize) = (size, size) }
            #expect(try PlistValue(parsing: forge.bytes) == expected, "\(name), \(size)")
        }
    }

    @Test func `may have numbers of any width, a gap and a sort version`() throws {
        let forge = PlistForge(PlistForge.array([1, 1], size: 3), PlistForge.yes).with {
            ($0.offsetSize, $0.referenceSize, $0.gap) = (5, 3, [0xFF, 0xFF])
            $0.unused[5] = 1
        }
        #expect(try PlistValue(parsing: forge.bytes) == .array([.boolean(true), .boolean(true)]))
    }

    @Test func `may have any object at its top`() throws {
        let forge = PlistForge(PlistForge.yes, PlistForge.array([0])).with { $0.topObject = 1 }
        #expect(try PlistValue(parsing: forge.bytes) == .array([.boolean(true)]))
    }

    @Test func `tells keys apart that look the same, few or many`() throws {
        let keys = ["\u{E9}", "e\u{301}"] + (0..<30).map { "k\($0)" }
        for count in [2, 32] {
            let dictionary = try #require(
                PlistDictionary(keys[..<count].enumerated().map { ($1, .integer(Int64($0))) }))
            for (index, key) in keys[..<count].enumerated() { #expect(dictionary[key] == .integer(Int64(index))) }
            #expect(dictionary["none"] == nil)
            #expect(PlistDictionary([("a", .boolean(true)), ("a", .boolean(true))]) == nil)
        }
    }

    @Test(arguments: [
        (PlistValue.integer(1), PlistValue.real(1)), (.string("a"), .string("b")),
        (.string("\u{E9}"), .string("e\u{301}")),
        (.array([.integer(1)]), .array([])), (.uid(1), .integer(1)), (.data([]), .string("")),
        (.boolean(true), .integer(1)),
        (.dictionary(PlistDictionary()), .array([])), (.real(.nan), .real(1)),
    ])
    func `is unequal to another value`(_ left: PlistValue, _ right: PlistValue) { #expect(left != right) }
}
