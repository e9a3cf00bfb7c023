import Nib
import TestSupport
import Testing

private typealias Forge = ArchiveForge

@Suite struct `An archive with tables` {
    @Test(arguments: [1, 9, 10] as [UInt32])
    func `gives every value with its type and is written again byte for byte`(_ coder: UInt32) throws {
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
        // Numbers that are none keep their bits.
        #expect(graph.values[6].content == .float(bits: 0x7F80_0001))
        #expect(graph.values[7].content == .double(bits: 0xFFF0_0000_0000_0001))
        #expect(try Array(graph.bytes(of: #require(graph.values[8].content.data))) == [9, 8, 7])
        #expect(graph.values[9].content == .null)
        #expect(graph.values[10].content == .object(1))
        #expect(graph.classes.map(\.name) == ["NSObject", "UIColor"])
        #expect(graph.classes[1].fallbacks == [0])
        #expect(archive.encode() == bytes)
    }

    @Test func `keeps numbers that are spelled longer than they need to be`() throws {
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

    @Test func `keeps bytes at its end, between its tables, and the tables' order`() throws {
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

    @Test func `of a built graph is read as the same graph`() throws {
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
    func `is refused when it holds`(_ refused: RefusedArchive) {
        let error = #expect(throws: NibError.self) { try NibArchive(parsing: refused.bytes) }
        #expect(error?.reason == refused.reason)
        #expect((0...refused.bytes.count).contains(error?.offset ?? -1))
    }

    @Test func `is refused when two of its tables overlap`() {
        // The values would begin again where the keys do.
        let forge = Forge(
            objects: [Forge.object(0, 0, 0)], keys: ["\u{84}"], values: [], classes: [Forge.named("A")]
        ).with {
            $0.counts[2] = 1; $0.offsets[2] = 54
        }
        let error = #expect(throws: NibError.self) { try NibArchive(parsing: forge.bytes) }
        #expect(error?.offset != nil)
    }

    @Test func `is refused or read when it is cut at any byte, and when any byte is another`() throws {
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

    @Test func `has each view once and takes no longer for views that contain each other`() {
        let graph = Self.tangled(20_000)
        let entries = NibViewTree(graph.element(1)).entries
        #expect(entries.count == 20_000)
        #expect(Set(entries.map(\.view.index)).count == 20_000)
    }
}
