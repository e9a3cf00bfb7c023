import Testing
import WidgetNib
import WidgetTestSupport

private typealias Forge = ArchiveForge

@Suite struct `An archive with tables` {
    @Test(arguments: [1, 9, 10] as [UInt32])
    func `every value is read with its type and written again byte for byte`(_ coder: UInt32) throws {
        let bytes = Forge.everyType.with { $0.coderVersion = coder }.bytes
        let archive = try NibArchive(parsing: bytes)
        let graph = archive.graph
        #expect(archive.coderVersion == coder)
        #expect(graph.keys == ["a", "größe", ""])
        #expect(graph.values.map(\.key) == [0, 0, 1, 1, 2, 2, 0, 0, 0, 0, 0])
        #expect(graph.values[0].content == .int8(-128))
        #expect(graph.values[1].content == .int16(0x7FFF))
        #expect(graph.values[2].content == .int32(0x0403_0201))
        #expect(graph.values[3].content == .int64(0x0807_0605_0403_0201))
        #expect(graph.values[4].content == .boolean(false))
        #expect(graph.values[5].content == .boolean(true))
        // Every NaN keeps its bits.
        #expect(graph.values[6].content == .float(bits: 0x7F80_0001))
        #expect(graph.values[7].content == .double(bits: 0xFFF0_0000_0000_0001))
        #expect(try Array(graph.bytes(of: #require(graph.values[8].content.data))) == [9, 8, 7])
        #expect(graph.values[9].content == .null)
        #expect(graph.values[10].content == .object(1))
        #expect(graph.classes.map(\.name) == ["NSObject", "UIColor"])
        #expect(graph.classes[1].fallbacks == [0])
        #expect(archive.encode() == bytes)
    }

    @Test func `numbers with longer encodings than they need are kept`() throws {
        for width in 2...10 {
            let forge = Forge.everyType.with {
                $0.tables[0] = [Forge.object(0, 0, 11, width: width), Forge.object(1, 11, 0)]
                $0.tables[2][8] = Forge.number(0, width: width) + [8] + Forge.number(3, width: width) + [9, 8, 7]
                $0.tables[3][0] = Forge.number(9, width: width) + Forge.number(0, width: width) + "NSObject\0".utf8
            }
            let archive = try NibArchive(parsing: forge.bytes)
            #expect(archive.graph == (try NibArchive(parsing: Forge.everyType.bytes)).graph)
            #expect(archive.encode() == forge.bytes)
        }
    }

    @Test func `bytes at the end and between the tables, and the tables' order, are kept`() throws {
        let forges = [
            Forge.everyType.with { $0.trailing = [0, 0, 0, 1] },
            Forge.everyType.with { $0.before = [0: [1], 2: [2, 3], 3: [4]] },
            Forge.everyType.with { $0.order = [3, 1, 0, 2] },
            Forge.everyType.with {
                $0.order = [2, 0, 3, 1]; $0.before = [1: [7]]; $0.trailing = [8]
            },
            Forge.everyType.with { $0.tables[3][0] = Forge.named("NSObject", terminator: []) },
            // No keys and no values: empty tables.
            Forge(objects: [Forge.object(0, 0, 0)], keys: [], values: [], classes: [Forge.named("NSObject")]),
        ]
        for forge in forges { #expect(try NibArchive(parsing: forge.bytes).encode() == forge.bytes) }
    }

    @Test func `an archive of a built graph is read as the same graph`() throws {
        var builder = NibGraphBuilder()
        builder.beginObject(builder.classIndex("NSObject"))
        builder.add("one", .int8(1))
        builder.add("text", .data(builder.store("größe".utf8)))
        builder.add("next", .object(1))
        builder.beginObject(builder.classIndex("UIFont", fallbacks: ["NSFont"]))
        builder.add("one", .double(1.5))
        let graph = builder.finish()
        let bytes = NibArchive(graph, coderVersion: 10).encode()
        let read = try NibArchive(parsing: bytes)
        #expect(read.graph == graph)
        #expect(read.encode() == bytes)
    }

    @Test(arguments: RefusedArchive.all)
    func `an archive with a fault is refused`(_ refused: RefusedArchive) {
        let error = #expect(throws: NibError.self) { try NibArchive(parsing: refused.bytes) }
        #expect(error?.reason == refused.reason)
        #expect((0...refused.bytes.count).contains(error?.offset ?? -1))
    }

    @Test func `an archive whose tables overlap is refused`() {
        // The values would begin again where the keys do.
        let forge = Forge(
            objects: [Forge.object(0, 0, 0)], keys: ["\u{84}"], values: [], classes: [Forge.named("A")]
        ).with {
            $0.counts[2] = 1; $0.offsets[2] = 54
        }
        let error = #expect(throws: NibError.self) { try NibArchive(parsing: forge.bytes) }
        #expect(error?.offset != nil)
    }

    @Test func `an archive that is cut off or changed at any byte is refused or read`() throws {
        let bytes = Forge.everyType.bytes
        for count in bytes.indices {
            #expect(throws: NibError.self) { try NibArchive(parsing: Array(bytes[..<count])) }
        }
        for position in bytes.indices {
            for byte in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
                var changed = bytes
                changed[position] = byte
                guard let archive = try? NibArchive(parsing: changed) else { continue }
                #expect(archive.encode() == changed)
            }
        }
    }
}

@Suite struct `A tree of views` {
    /// Views that all have the same list of all of them.
    private static func tangled(_ count: Int) -> NibGraph {
        var builder = NibGraphBuilder()
        builder.beginObject(builder.classIndex("NSArray"))
        builder.add(NibKey.isInlined, .boolean(true))
        for view in 1...count { builder.add(NibKey.element, .object(UInt32(view))) }
        for _ in 1...count {
            builder.beginObject(builder.classIndex("UIView"))
            builder.add("UISubviews", .object(0))
        }
        return builder.finish()
    }

    @Test func `a tree has each view once, at no extra cost for views that contain each other`() {
        let graph = Self.tangled(20_000)
        let entries = NibViewTree(graph.element(1)).entries
        #expect(entries.count == 20_000)
        #expect(Set(entries.map(\.view.index)).count == 20_000)
    }
}

/// An archive with one fault, and how it is refused.
struct RefusedArchive: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var bytes: [UInt8]
    var reason: NibError.Reason

    init(_ name: String, _ forge: ArchiveForge, _ reason: NibError.Reason) {
        testDescription = name
        bytes = forge.bytes
        self.reason = reason
    }

    static let all = [
        RefusedArchive(
            "a format of the future", Forge.everyType.with { $0.formatVersion = 2 }, .unknownFormatVersion(2)),
        RefusedArchive(
            "a coder of the future", Forge.everyType.with { $0.coderVersion = 11 }, .unknownCoderVersion(11)),
        RefusedArchive("no objects", Forge.everyType.with { $0.counts[0] = 0 }, .noObjects),
        RefusedArchive("an offset in the header", Forge.everyType.with { $0.offsets[1] = 49 }, .tableOutOfRange(.keys)),
        RefusedArchive(
            "an offset behind the end", Forge.everyType.with { $0.offsets[2] = 9999 }, .tableOutOfRange(.values)),
        RefusedArchive(
            "a count beyond the file", Forge.everyType.with { $0.counts[3] = 200 }, .tableOutOfRange(.classes)),
        RefusedArchive(
            "a count beyond the limit", Forge.everyType.with { $0.counts[2] = .max },
            .limitReached(.valueCount, limit: 500_000)),
        RefusedArchive(
            "two tables in one place",
            Forge.everyType.with {
                $0.offsets[3] = 56; $0.tables[3] = []
            }, .classOutOfRange(0)),
        RefusedArchive(
            "a class that is not there", Forge.everyType.with { $0.tables[0][1] = Forge.object(2, 11, 0) },
            .classOutOfRange(2)),
        RefusedArchive(
            "a fallback that is not there",
            Forge.everyType.with { $0.tables[3][1] = Forge.named("UIColor", fallbacks: [2]) }, .classOutOfRange(2)),
        RefusedArchive(
            "a negative fallback",
            Forge.everyType.with { $0.tables[3][1] = Forge.named("UIColor", fallbacks: [.max]) }, .classOutOfRange(-1)),
        RefusedArchive(
            "values beyond the table", Forge.everyType.with { $0.tables[0][0] = Forge.object(0, 1, 11) },
            .valuesOutOfRange),
        RefusedArchive(
            "values of two objects", Forge.everyType.with { $0.tables[0][1] = Forge.object(1, 10, 1) }, .valuesOverlap),
        RefusedArchive(
            "a key that is not there", Forge.everyType.with { $0.tables[2][4] = Forge.value(3, 4, []) },
            .keyOutOfRange(3)),
        RefusedArchive(
            "an object that is not there",
            Forge.everyType.with { $0.tables[2][10] = Forge.value(0, 10, [2, 0, 0, 0]) }, .objectOutOfRange(2)),
        RefusedArchive(
            "an unknown type", Forge.everyType.with { $0.tables[2][4] = Forge.value(0, 11, []) }, .unknownValueType(11)),
        RefusedArchive(
            "a number of 32 bits",
            Forge.everyType.with { $0.tables[2][8] = [0x80, 8, 0x7F, 0x7F, 0x7F, 0x7F, 0x8F] }, .numberTooLarge),
        RefusedArchive(
            "a number without an end",
            Forge.everyType.with { $0.tables[2][8] = [0x80, 8] + [UInt8](repeating: 0, count: 64) }, .numberTooLarge),
        RefusedArchive(
            "a key that is not text", Forge.everyType.with { $0.tables[1][0] = [0x81, 0xFF] }, .invalidUTF8),
    ]
}

/// Builds the form with tables field by field, valid or invalid. Fields that are not set are right.
struct ArchiveForge {
    var formatVersion: UInt32 = 1
    var coderVersion: UInt32 = 10
    /// Encoded entries of objects, keys, values and classes.
    var tables: [[[UInt8]]]
    /// The order of the tables in the file.
    var order = [0, 1, 2, 3]
    /// Bytes before a table that belong to no table, by table.
    var before: [Int: [UInt8]] = [:]
    var trailing: [UInt8] = []
    /// Replacements for the right counts, by table.
    var counts: [Int: UInt32] = [:]
    var offsets: [Int: UInt32] = [:]

    init(objects: [[UInt8]], keys: [String], values: [[UInt8]], classes: [[UInt8]]) {
        tables = [objects, keys.map { Self.number(UInt32($0.utf8.count)) + $0.utf8 }, values, classes]
    }

    /// A root that has a value of each type.
    static let everyType = ArchiveForge(
        objects: [object(0, 0, 11), object(1, 11, 0)], keys: ["a", "größe", ""],
        values: [
            value(0, 0, [0x80]), value(0, 1, [0xFF, 0x7F]), value(1, 2, [1, 2, 3, 4]),
            value(1, 3, [1, 2, 3, 4, 5, 6, 7, 8]), value(2, 4, []), value(2, 5, []),
            value(0, 6, [1, 0, 0x80, 0x7F]), value(0, 7, [1, 0, 0, 0, 0, 0, 0xF0, 0xFF]),
            value(0, 8, number(3) + [9, 8, 7]), value(0, 9, []), value(0, 10, [1, 0, 0, 0]),
        ],
        classes: [named("NSObject"), named("UIColor", fallbacks: [0])])

    func with(_ change: (inout ArchiveForge) -> Void) -> ArchiveForge {
        var copy = self
        change(&copy)
        return copy
    }

    var bytes: [UInt8] {
        var body: [UInt8] = []
        var found = [UInt32](repeating: 0, count: 4)
        for table in order {
            body += before[table] ?? []
            found[table] = UInt32(50 + body.count)
            body += tables[table].flatMap { $0 }
        }
        var bytes = Array("NIBArchive".utf8) + Self.fixed(formatVersion) + Self.fixed(coderVersion)
        for table in 0..<4 {
            bytes += Self.fixed(counts[table] ?? UInt32(tables[table].count))
            bytes += Self.fixed(offsets[table] ?? found[table])
        }
        return bytes + body + trailing
    }

    static func fixed(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }

    /// Returns seven bits a byte, the lowest first, the last with the high bit; with `width` bytes when that is more.
    static func number(_ value: UInt32, width: Int = 1) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = value
        repeat {
            bytes.append(UInt8(rest & 0x7F))
            rest >>= 7
        } while rest > 0
        while bytes.count < width { bytes.append(0) }
        bytes[bytes.count - 1] |= 0x80
        return bytes
    }

    static func object(_ classIndex: UInt32, _ first: UInt32, _ count: UInt32, width: Int = 1) -> [UInt8] {
        number(classIndex, width: width) + number(first, width: width) + number(count, width: width)
    }

    static func value(_ key: UInt32, _ type: UInt8, _ payload: [UInt8]) -> [UInt8] { number(key) + [type] + payload }

    static func named(_ name: String, fallbacks: [UInt32] = [], terminator: [UInt8] = [0]) -> [UInt8] {
        number(UInt32(name.utf8.count + terminator.count)) + number(UInt32(fallbacks.count))
            + fallbacks.flatMap { fixed($0) } + Array(name.utf8) + terminator
    }
}
