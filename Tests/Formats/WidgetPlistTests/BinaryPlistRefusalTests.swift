import Testing
import WidgetBytes
import WidgetPlist
import WidgetTestSupport

/// A binary property list that must be refused: the file, the reason, the offset, the path.
struct RefusedBinary: Sendable, CustomTestStringConvertible {
    var name: String
    var bytes: [UInt8]
    var reason: PlistError.Reason
    var offset: Int
    var path: String
    var limits = PlistLimits()

    init(
        _ name: String, _ forge: PlistForge, _ reason: PlistError.Reason, at offset: Int, path: String = "",
        limits: PlistLimits = PlistLimits()
    ) {
        self.init(name, forge.bytes, reason, at: offset, path: path, limits: limits)
    }

    init(
        _ name: String, _ bytes: [UInt8], _ reason: PlistError.Reason, at offset: Int, path: String = "",
        limits: PlistLimits = PlistLimits()
    ) {
        (self.name, self.bytes, self.reason, self.offset) = (name, bytes, reason, offset)
        (self.path, self.limits) = (path, limits)
    }

    var testDescription: String { name }

    func check() {
        let error = #expect(throws: PlistError.self) { try PlistValue(parsing: bytes, limits: limits) }
        #expect(error?.reason == reason)
        #expect(error?.offset == offset)
        #expect(error?.path.description == path)
        #expect(error?.position == nil)
    }
}

@Suite struct `A binary property list with a broken frame` {
    /// `["a", true]`: objects at 8, 11 and 13, the table at 14, the trailer at 17.
    private static let good = PlistForge(PlistForge.array([1, 2]), PlistForge.ascii("a"), PlistForge.yes)

    @Test func `A binary property list without a fault is accepted`() throws {
        #expect(try PlistValue(parsing: Self.good.bytes) == .array([.string("a"), .boolean(true)]))
        #expect(Self.good.trailerOffset == 17)
    }

    static let frames: [RefusedBinary] = [
        RefusedBinary("only its mark", Array("bplist".utf8), .truncated, at: 6),
        RefusedBinary("only its header", Array("bplist00".utf8), .truncated, at: 8),
        RefusedBinary("version 01", good.with { $0.header = Array("bplist01".utf8) }, .unsupportedVersion, at: 6),
        RefusedBinary("version 15", good.with { $0.header = Array("bplist15".utf8) }, .unsupportedVersion, at: 6),
        RefusedBinary("version 16", good.with { $0.header = Array("bplist16".utf8) }, .unsupportedVersion, at: 6),
        RefusedBinary(
            "a version of NULs", good.with { $0.header = Array("bplist\0\0".utf8) }, .unsupportedVersion, at: 6),
        RefusedBinary("no trailer", Array("bplist00".utf8) + [0x09], .truncated, at: 9),
        RefusedBinary(
            "31 bytes behind its header", Array("bplist00".utf8) + Array(repeating: 0, count: 31), .truncated, at: 39),
        RefusedBinary(
            "nothing but zeros in its trailer", Array("bplist00".utf8) + Array(repeating: 0, count: 32), .offsetSize(0),
            at: 14),
        RefusedBinary("an unused byte set", good.with { $0.unused[0] = 1 }, .unusedBytesNotZero, at: 17),
        RefusedBinary("the last unused byte set", good.with { $0.unused[4] = 0x80 }, .unusedBytesNotZero, at: 21),
        RefusedBinary("offsets of no byte", good.with { $0.declaredOffsetSize = 0 }, .offsetSize(0), at: 23),
        RefusedBinary("offsets of nine bytes", good.with { $0.declaredOffsetSize = 9 }, .offsetSize(9), at: 23),
        RefusedBinary("offsets of 255 bytes", good.with { $0.declaredOffsetSize = 255 }, .offsetSize(255), at: 23),
        RefusedBinary("references of no byte", good.with { $0.declaredReferenceSize = 0 }, .referenceSize(0), at: 24),
        RefusedBinary(
            "references of nine bytes", good.with { $0.declaredReferenceSize = 9 }, .referenceSize(9), at: 24),
        RefusedBinary("no object", good.with { $0.objectCount = 0 }, .noObjects, at: 25),
        RefusedBinary("one object too many", good.with { $0.objectCount = 4 }, .offsetTableOutOfRange, at: 41),
        RefusedBinary("one object too few", good.with { $0.objectCount = 2 }, .offsetTableOutOfRange, at: 41),
        RefusedBinary(
            "more objects than the limit", good.with { $0.objectCount = 100_001 },
            .limitReached(.objectCount, limit: 100_000), at: 25),
        RefusedBinary(
            "2^63 objects", good.with { $0.objectCount = 1 << 63 }, .limitReached(.objectCount, limit: 100_000), at: 25),
        RefusedBinary(
            "2^64-1 objects", good.with { $0.objectCount = .max }, .limitReached(.objectCount, limit: 100_000), at: 25),
        RefusedBinary(
            "a table whose size overflows", good.with { ($0.objectCount, $0.declaredOffsetSize) = (1 << 39, 8) },
            .offsetTableOutOfRange, at: 41, limits: PlistLimits(objectCount: 1 << 40)),
        RefusedBinary("a top object behind the last", good.with { $0.topObject = 3 }, .topObjectOutOfRange, at: 33),
        RefusedBinary("a top object of 2^64-1", good.with { $0.topObject = .max }, .topObjectOutOfRange, at: 33),
        RefusedBinary("a table in its header", good.with { $0.tableOffset = 7 }, .offsetTableOutOfRange, at: 41),
        RefusedBinary(
            "a table right behind its header",
            PlistForge(objects: []).with {
                $0.objectCount = 1; $0.afterTable = [8]
            }, .offsetTableOutOfRange, at: 33),
        RefusedBinary("a table one byte early", good.with { $0.tableOffset = 13 }, .offsetTableOutOfRange, at: 41),
        RefusedBinary("a table one byte late", good.with { $0.tableOffset = 15 }, .offsetTableOutOfRange, at: 41),
        RefusedBinary("a table in its trailer", good.with { $0.tableOffset = 17 }, .offsetTableOutOfRange, at: 41),
        RefusedBinary("a table behind its end", good.with { $0.tableOffset = 1_000 }, .offsetTableOutOfRange, at: 41),
        RefusedBinary("a table at 2^63", good.with { $0.tableOffset = 1 << 63 }, .offsetTableOutOfRange, at: 41),
        RefusedBinary("a table at 2^64-1", good.with { $0.tableOffset = .max }, .offsetTableOutOfRange, at: 41),
        RefusedBinary("a table at 2^63-1", good.with { $0.tableOffset = 1 << 63 - 1 }, .offsetTableOutOfRange, at: 41),
        RefusedBinary("bytes behind its table", good.with { $0.afterTable = [0] }, .offsetTableOutOfRange, at: 42),
        RefusedBinary("an offset in its header", good.with { $0.offsets[1] = 7 }, .offsetOutOfRange, at: 15),
        RefusedBinary("an offset of 0", good.with { $0.offsets[0] = 0 }, .offsetOutOfRange, at: 14),
        RefusedBinary("an offset at its table", good.with { $0.offsets[2] = 14 }, .offsetOutOfRange, at: 16),
        RefusedBinary("an offset behind its end", good.with { $0.offsets[2] = 255 }, .offsetOutOfRange, at: 16),
        RefusedBinary(
            "an offset of 2^64-1",
            good.with {
                $0.offsetSize = 8; $0.offsets[1] = .max
            }, .offsetOutOfRange, at: 22),
        RefusedBinary(
            "an offset of 2^63",
            good.with {
                $0.offsetSize = 8; $0.offsets[0] = 1 << 63
            }, .offsetOutOfRange, at: 14),
        RefusedBinary(
            "a bad offset nobody refers to", PlistForge(PlistForge.yes, PlistForge.no).with { $0.offsets[1] = 200 },
            .offsetOutOfRange, at: 11),
        RefusedBinary(
            "offsets too narrow for its length", PlistForge(PlistForge.data(Array(repeating: 0, count: 300))),
            .offsetSize(1), at: 321),
        RefusedBinary(
            "references too narrow for its objects",
            PlistForge(objects: [PlistForge.array([1])] + Array(repeating: PlistForge.yes, count: 256)).with {
                $0.offsetSize = 2
            },
            .referenceSize(1), at: 8 + 2 + 256 + 257 * 2 + 7),
        RefusedBinary("a byte behind its trailer", good.with { $0.trailing = [0] }, .referenceSize(0), at: 25),
        RefusedBinary(
            "more bytes than the limit", good, .limitReached(.byteCount, limit: 48), at: 48,
            limits: PlistLimits(byteCount: 48)),
        RefusedBinary(
            "more objects than a limit of two", good, .limitReached(.objectCount, limit: 2), at: 25,
            limits: PlistLimits(objectCount: 2)),
    ]

    @Test(arguments: frames)
    func `A binary property list with a broken frame is refused`(_ refused: RefusedBinary) { refused.check() }

    @Test func `A binary property list is refused wherever it is cut`() {
        let bytes = Self.good.bytes
        for end in 0..<bytes.count {
            #expect(throws: PlistError.self, "cut at \(end)") { try PlistValue(parsing: Array(bytes[..<end])) }
        }
    }

    @Test func `A binary property list never traps, whichever byte is changed`() {
        let bytes = `A binary property list`.everything.bytes
        for index in bytes.indices {
            for value in UInt8.min...UInt8.max {
                var changed = bytes
                changed[index] = value
                do { _ = try PlistValue(parsing: changed) } catch {
                    #expect((0...bytes.count).contains(error.offset ?? -1))
                }
            }
        }
    }
}

@Suite struct `A binary property list with a broken object` {
    private typealias Forge = PlistForge

    static let unknownMarkers: [UInt8] =
        [0x00, 0x01, 0x07, 0x0A, 0x0C, 0x0D, 0x0E, 0x0F, 0x15, 0x16, 0x1F, 0x20, 0x21, 0x24, 0x25, 0x2F]
        + [0x30, 0x31, 0x32, 0x34, 0x3F, 0x70, 0x71, 0x7F, 0x90, 0x9F, 0xB0, 0xB1, 0xBF, 0xC0, 0xC1, 0xCF]
        + [0xE0, 0xEF, 0xF0, 0xFF]

    @Test(arguments: unknownMarkers)
    func `A binary property list is refused for an object of an unknown type`(_ marker: UInt8) {
        let top = PlistForge([marker, 0, 0, 0, 0, 0, 0, 0, 0])
        RefusedBinary("at the top", top, .unsupportedMarker(marker), at: 8).check()
        let inside = PlistForge(PlistForge.array([1]), [marker, 0, 0, 0, 0, 0, 0, 0, 0])
        RefusedBinary("inside", inside, .unsupportedMarker(marker), at: 10, path: "[0]").check()
    }

    static let objects: [RefusedBinary] = [
        RefusedBinary("an integer of two bytes cut", Forge([0x11, 0x01]), .objectOutOfRange, at: 8),
        RefusedBinary("an integer without bytes", Forge([0x10]), .objectOutOfRange, at: 8),
        RefusedBinary(
            "an integer of eight bytes cut", Forge(Array(Forge.integer(1).dropLast())), .objectOutOfRange, at: 8),
        RefusedBinary(
            "an integer of 65 bits", Forge([0x14] + Forge.number(1, size: 8) + Forge.number(0, size: 8)),
            .integerOutOfRange, at: 9),
        RefusedBinary(
            "a negative integer of 65 bits", Forge([0x14] + Forge.number(.max, size: 8) + Forge.number(0, size: 8)),
            .integerOutOfRange, at: 9),
        RefusedBinary(
            "an integer of 128 bits", Forge([0x14] + Forge.number(1 << 63, size: 8) + Forge.number(7, size: 8)),
            .integerOutOfRange, at: 9),
        RefusedBinary(
            "an integer of sixteen bytes cut", Forge([0x14] + Forge.number(0, size: 15)), .objectOutOfRange, at: 8),
        RefusedBinary("a float cut", Forge([0x22, 0, 0, 0]), .objectOutOfRange, at: 8),
        RefusedBinary("a double cut", Forge([0x23, 0, 0, 0, 0, 0, 0, 0]), .objectOutOfRange, at: 8),
        RefusedBinary("a date cut", Forge([0x33, 0, 0, 0, 0, 0, 0, 0]), .objectOutOfRange, at: 8),
        RefusedBinary("a date that is no number", Forge(Forge.date(.nan)), .invalidDate, at: 9),
        RefusedBinary("a date at infinity", Forge(Forge.date(.infinity)), .invalidDate, at: 9),
        RefusedBinary(
            "a date before all time", Forge(Forge.array([1]), Forge.date(-.infinity)), .invalidDate, at: 11, path: "[0]"
        ),
        RefusedBinary("data one byte too long", Forge([0x43, 1, 2]), .objectOutOfRange, at: 8),
        RefusedBinary("text one byte too long", Forge([0x52, 0x61]), .objectOutOfRange, at: 8),
        RefusedBinary("UTF-16 one unit too long", Forge([0x62, 0, 0x61, 0]), .objectOutOfRange, at: 8),
        RefusedBinary(
            "data of 2^63-1 bytes", Forge([0x4F, 0x13] + Forge.number(1 << 63 - 1, size: 8)), .objectOutOfRange, at: 8),
        RefusedBinary(
            "data of 2^63 bytes", Forge([0x4F, 0x13] + Forge.number(1 << 63, size: 8)), .objectOutOfRange, at: 9),
        RefusedBinary(
            "UTF-16 of 2^62 units", Forge([0x6F, 0x13] + Forge.number(1 << 62, size: 8)), .objectOutOfRange, at: 8),
        RefusedBinary(
            "an array of 2^63-1", Forge([0xAF, 0x13] + Forge.number(1 << 63 - 1, size: 8)), .objectOutOfRange, at: 8),
        RefusedBinary(
            "a dictionary of 2^62", Forge([0xDF, 0x13] + Forge.number(1 << 62, size: 8)), .objectOutOfRange, at: 8),
        RefusedBinary(
            "a dictionary of 2^64-1", Forge([0xDF, 0x13] + Forge.number(.max, size: 8)), .objectOutOfRange, at: 9),
        RefusedBinary(
            "a count of sixteen bytes", Forge([0x4F, 0x14] + Forge.number(1, size: 16)), .invalidCount, at: 9),
        RefusedBinary("a count that is text", Forge([0x5F, 0x51, 0x61]), .invalidCount, at: 9),
        RefusedBinary("a count that is real", Forge([0xAF] + Forge.real(1)), .invalidCount, at: 9),
        RefusedBinary("a count that is missing", Forge([0x4F]), .objectOutOfRange, at: 9),
        RefusedBinary("a count that is cut", Forge([0x4F, 0x11, 0]), .objectOutOfRange, at: 9),
        RefusedBinary("a byte that is not ASCII", Forge([0x52, 0x61, 0x80]), .notASCII, at: 10),
        RefusedBinary(
            "UTF-8 declared as ASCII", Forge(Forge.array([1]), Forge.ascii("ä")), .notASCII, at: 11, path: "[0]"),
        RefusedBinary("the first half of a pair", Forge(Forge.utf16(units: [0xD800])), .loneSurrogate(0xD800), at: 9),
        RefusedBinary(
            "the second half of a pair", Forge(Forge.utf16(units: [0x61, 0xDC00])), .loneSurrogate(0xDC00), at: 11),
        RefusedBinary(
            "a pair the wrong way round", Forge(Forge.utf16(units: [0xDC00, 0xD800])), .loneSurrogate(0xDC00), at: 9),
        RefusedBinary(
            "two first halves", Forge(Forge.utf16(units: [0xDBFF, 0xD800, 0xDC00])), .loneSurrogate(0xDBFF), at: 9),
        RefusedBinary(
            "half a pair before text", Forge(Forge.utf16(units: [0xD83D, 0x61])), .loneSurrogate(0xD83D), at: 9),
        RefusedBinary("a uid of 33 bits", Forge(Forge.uid(1 << 32, size: 5)), .uidOutOfRange, at: 9),
        RefusedBinary("a uid of 64 bits", Forge(Forge.uid(.max, size: 8)), .uidOutOfRange, at: 9),
        RefusedBinary("a uid of 128 bits", Forge([0x8F] + Array(repeating: 1, count: 16)), .uidOutOfRange, at: 9),
        RefusedBinary("a uid cut", Forge([0x81, 0]), .objectOutOfRange, at: 8),
        RefusedBinary(
            "a reference behind the last object", Forge(Forge.array([1])), .referenceOutOfRange, at: 9, path: "[0]"),
        RefusedBinary(
            "a second reference behind the last", Forge(Forge.array([1, 2]), Forge.yes), .referenceOutOfRange, at: 10,
            path: "[1]"),
        RefusedBinary(
            "a reference of 2^64-1", Forge(Forge.array([.max], size: 8)).with { $0.referenceSize = 8 },
            .referenceOutOfRange, at: 9, path: "[0]"),
        RefusedBinary(
            "an array that is its own element", Forge([0xA2, 1], Forge.yes).with { $0.offsets[1] = 8 }, .cycle, at: 8,
            path: "[0][0]"),
        RefusedBinary(
            "an array longer than the objects", Forge(Forge.yes, [0xA1]).with { $0.topObject = 1 }, .objectOutOfRange,
            at: 9),
        RefusedBinary(
            "a dictionary one reference short", Forge(Forge.ascii("k"), [0xD1, 0]).with { $0.topObject = 1 },
            .objectOutOfRange, at: 10),
        RefusedBinary(
            "a key that does not exist", Forge(Forge.dictionary(keys: [9], values: [0])), .referenceOutOfRange, at: 9),
        RefusedBinary(
            "a value that does not exist", Forge(Forge.dictionary(keys: [1], values: [9]), Forge.ascii("k")),
            .referenceOutOfRange, at: 10, path: "k"),
        RefusedBinary(
            "a key that is a boolean", Forge(Forge.dictionary(keys: [1], values: [1]), Forge.yes),
            .keyNotString(.boolean), at: 9),
        RefusedBinary(
            "a key that is an integer", Forge(Forge.dictionary(keys: [1], values: [1]), Forge.integer(1)),
            .keyNotString(.integer), at: 9),
        RefusedBinary(
            "a key that is data",
            Forge(Forge.dictionary(keys: [1, 2], values: [1, 1]), Forge.ascii("k"), Forge.data([1])),
            .keyNotString(.data), at: 10, path: "k"),
        RefusedBinary(
            "a key that is a dictionary",
            Forge(Forge.dictionary(keys: [1], values: [1]), Forge.dictionary(keys: [], values: [])),
            .keyNotString(.dictionary), at: 9),
        RefusedBinary(
            "one key object twice",
            Forge(Forge.dictionary(keys: [1, 1], values: [2, 2]), Forge.ascii("k"), Forge.yes), .duplicateKey("k"),
            at: 10),
        RefusedBinary(
            "one key in two objects",
            Forge(Forge.dictionary(keys: [1, 2], values: [3, 3]), Forge.ascii("k"), Forge.ascii("k"), Forge.yes),
            .duplicateKey("k"), at: 10),
        RefusedBinary(
            "one key in two encodings",
            Forge(Forge.dictionary(keys: [1, 2], values: [3, 3]), Forge.ascii("k"), Forge.utf16("k"), Forge.yes),
            .duplicateKey("k"), at: 10),
        RefusedBinary(
            "a duplicate key deep inside",
            Forge(
                Forge.dictionary(keys: [1], values: [2]), Forge.ascii("outer"), Forge.array([3]),
                Forge.dictionary(keys: [4, 4], values: [5, 5]), Forge.ascii("k"), Forge.yes),
            .duplicateKey("k"), at: 21, path: "outer[0]"),
    ]

    @Test(arguments: objects)
    func `A binary property list with a broken object is refused`(_ refused: RefusedBinary) { refused.check() }

    @Test func `A binary property list is refused when it has one of many keys twice`() {
        let keys = (0..<40).map { PlistForge.ascii("key \($0 == 39 ? 7 : $0)") }
        let numbers = (1...40).map { UInt64($0) }
        let forge = PlistForge(
            objects: [PlistForge.dictionary(keys: numbers, values: Array(repeating: 1, count: 40))] + keys
        ).with { $0.offsetSize = 2 }
        RefusedBinary("", forge, .duplicateKey("key 7"), at: 8 + 6 + 39).check()
    }
}
