import Testing
import WidgetPlist
import WidgetTestSupport

@Suite struct `A binary property list` {
    private typealias Forge = PlistForge

    static let everything = PlistForge(
        PlistForge.dictionary(keys: [1, 2, 3], values: [4, 5, 11]),
        PlistForge.ascii("list"), PlistForge.utf16("größe"), PlistForge.ascii(""),
        PlistForge.array([5, 6, 7, 8, 9, 10]), PlistForge.integer(42, size: 1), PlistForge.real(1.5),
        PlistForge.date(0), PlistForge.data([1, 2, 3]), PlistForge.utf16("😀"), PlistForge.uid(7, size: 1),
        PlistForge.yes)

    @Test func `A binary property list keeps keys in order and every value`() throws {
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
    func `A binary property list may hold a single value`(_ name: String, _ object: [UInt8], _ expected: PlistValue)
        throws
    {
        for size in [1, 2, 4, 8] {
            let forge = PlistForge(object).with { ($0.offsetSize, $0.referenceSize) = (size, size) }
            #expect(try PlistValue(parsing: forge.bytes) == expected, "\(name), \(size)")
        }
    }

    @Test func `A binary property list may have numbers of any width, a gap and a sort version`() throws {
        let forge = PlistForge(PlistForge.array([1, 1], size: 3), PlistForge.yes).with {
            ($0.offsetSize, $0.referenceSize, $0.gap) = (5, 3, [0xFF, 0xFF])
            $0.unused[5] = 1
        }
        #expect(try PlistValue(parsing: forge.bytes) == .array([.boolean(true), .boolean(true)]))
    }

    @Test func `A binary property list may have any object at its top`() throws {
        let forge = PlistForge(PlistForge.yes, PlistForge.array([0])).with { $0.topObject = 1 }
        #expect(try PlistValue(parsing: forge.bytes) == .array([.boolean(true)]))
    }

    @Test func `A binary property list distinguishes keys that look the same, few or many`() throws {
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
    func `A binary property list differs from other values`(_ left: PlistValue, _ right: PlistValue) {
        #expect(left != right)
    }
}

/// The binary form is a graph: what refers to itself, and what refers to one thing from many places.
@Suite struct `A binary property list's graph` {
    private typealias Forge = PlistForge

    static let cycles: [RefusedBinary] = [
        RefusedBinary("an array in itself", Forge(Forge.array([0])), .cycle, at: 8, path: "[0]"),
        RefusedBinary(
            "a dictionary as its own value", Forge(Forge.dictionary(keys: [1], values: [0]), Forge.ascii("k")), .cycle,
            at: 8, path: "k"),
        RefusedBinary("a dictionary as its own key", Forge(Forge.dictionary(keys: [0], values: [0])), .cycle, at: 8),
        RefusedBinary(
            "two arrays in each other", Forge(Forge.array([1]), Forge.array([0])), .cycle, at: 8, path: "[0][0]"),
        RefusedBinary(
            "a cycle of three behind a value",
            Forge(Forge.array([1, 2]), Forge.yes, Forge.array([3]), Forge.array([4]), Forge.array([2])),
            .cycle, at: 12, path: "[1][0][0][0]"),
        RefusedBinary(
            "two objects at one offset, one in the other",
            Forge(Forge.array([1]), Forge.yes).with { $0.offsets[1] = 8 },
            .cycle, at: 8, path: "[0][0]"),
    ]

    @Test(arguments: cycles)
    func `A binary property list with a cycle is refused`(_ refused: RefusedBinary) { refused.check() }

    /// `count` arrays, each holding the next one twice: a tree of 2^count leaves.
    private static func doubling(_ count: Int) -> PlistForge {
        let arrays = (1...count).map { PlistForge.array([UInt64($0), UInt64($0)]) }
        return PlistForge(objects: arrays + [PlistForge.ascii("lol")]).with { $0.offsetSize = 2 }
    }

    @Test(arguments: [19, 30, 60])
    func `A binary property list is refused when it unfolds beyond the visit limit`(_ count: Int) {
        let error = #expect(throws: PlistError.self) { try PlistValue(parsing: Self.doubling(count).bytes) }
        #expect(error?.reason == .limitReached(.visitCount, limit: 400_000))
    }

    @Test func `A binary property list may share values within the visit limit, equal in each place`() throws {
        let value = try PlistValue(parsing: Self.doubling(10).bytes)
        var place = value
        for turn in 0..<10 { place = try #require(place.array?[turn % 2]) }
        #expect(place == .string("lol"))
    }

    @Test func `A binary property list is refused exactly above each limit`() throws {
        // 1 + 2 + 4 values.
        let forge = Self.doubling(2)
        #expect(throws: Never.self) { try PlistValue(parsing: forge.bytes, limits: PlistLimits(visitCount: 7)) }
        RefusedBinary("", forge, .limitReached(.visitCount, limit: 6), at: 8, limits: PlistLimits(visitCount: 6))
            .check()
        #expect(throws: Never.self) { try PlistValue(parsing: forge.bytes, limits: PlistLimits(expandedByteCount: 12)) }
        RefusedBinary(
            "", forge, .limitReached(.expandedByteCount, limit: 11), at: 8, limits: PlistLimits(expandedByteCount: 11)
        ).check()
        #expect(throws: Never.self) { try PlistValue(parsing: forge.bytes, limits: PlistLimits(depth: 2)) }
        RefusedBinary("", forge, .limitReached(.depth, limit: 1), at: 11, path: "[0]", limits: PlistLimits(depth: 1))
            .check()
        #expect(throws: Never.self) { try PlistValue(parsing: forge.bytes, limits: PlistLimits(objectCount: 3)) }
        RefusedBinary("", forge, .limitReached(.objectCount, limit: 2), at: 32, limits: PlistLimits(objectCount: 2))
            .check()
    }

    /// A thousand strings at one offset would be a thousand copies.
    @Test func `A binary property list is refused when overlapping objects decode beyond the byte limit`() {
        let text = PlistForge.ascii(String(repeating: "x", count: 30_000))
        let forge = PlistForge(
            objects: [text] + Array(repeating: [0x08], count: 1_000)
                + [PlistForge.array((0..<1_001).map { UInt64($0) }, size: 2)]
        ).with {
            $0.offsetSize = 4
            $0.referenceSize = 2
            $0.topObject = 1_001
            for object in 1...1_000 { $0.offsets[object] = 8 }
        }
        let error = #expect(throws: PlistError.self) { try PlistValue(parsing: forge.bytes) }
        #expect(error?.reason == .limitReached(.expandedByteCount, limit: 16 << 20))
    }

    /// A thousand arrays at one offset would be a thousand times their references.
    @Test func `A binary property list is refused when overlapping arrays exceed the limit of references`() {
        let forge = PlistForge(
            objects: [PlistForge.array(Array(repeating: 1_001, count: 5_000), size: 2)]
                + Array(repeating: [0x08], count: 1_001) + [PlistForge.array((0..<1_000).map { UInt64($0) }, size: 2)]
        ).with {
            $0.offsetSize = 4
            $0.referenceSize = 2
            $0.topObject = 1_002
            for object in 1...1_000 { $0.offsets[object] = 8 }
        }
        let error = #expect(throws: PlistError.self) { try PlistValue(parsing: forge.bytes) }
        #expect(error?.reason == .limitReached(.visitCount, limit: 400_000))
    }

    /// Each array in the next, `count` deep, a boolean in the innermost.
    private static func chain(_ count: Int) -> PlistForge {
        let arrays = (1...count).map { PlistForge.array([UInt64($0)], size: 4) }
        return PlistForge(objects: arrays + [PlistForge.yes]).with { ($0.offsetSize, $0.referenceSize) = (4, 4) }
    }

    @Test func `A binary property list is accepted at the depth limit and refused beyond it`() throws {
        #expect(throws: Never.self) { try PlistValue(parsing: Self.chain(64).bytes) }
        for count in [65, 66, 1_000, 60_000] {
            let path = String(repeating: "[0]", count: 64)
            RefusedBinary("", Self.chain(count), .limitReached(.depth, limit: 64), at: 8 + 64 * 5, path: path).check()
        }
        let deep = PlistLimits(depth: 1_000_000)
        #expect(throws: Never.self) { try PlistValue(parsing: Self.chain(PlistLimits.deepest).bytes, limits: deep) }
        #expect(throws: PlistError.self) {
            try PlistValue(parsing: Self.chain(PlistLimits.deepest + 1).bytes, limits: deep)
        }
    }

    /// The shared part was met first at a shallow place; at the deep place it is too deep.
    @Test func `A binary property list is refused when a shared part is too deep at one of its places`() {
        let forge = PlistForge(
            PlistForge.array([1, 3]), PlistForge.array([2]), PlistForge.yes, PlistForge.array([4]),
            PlistForge.array([1]))
        #expect(throws: Never.self) { try PlistValue(parsing: forge.bytes, limits: PlistLimits(depth: 4)) }
        RefusedBinary(
            "", forge, .limitReached(.depth, limit: 3), at: 11, path: "[1][0][0]", limits: PlistLimits(depth: 3)
        ).check()
    }
}
