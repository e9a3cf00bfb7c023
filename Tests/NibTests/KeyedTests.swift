import Nib
import TestSupport
import Testing

private typealias Forge = PlistForge

@Suite struct `A keyed archive` {
    private let bytes = KeyedForge.interface.forge.bytes

    @Test func `is written again byte for byte`() throws {
        #expect(try NibDocument(parsing: bytes).encode() == bytes)
        // Objects in another order, with bytes between them.
        let forge = KeyedForge.interface.forge
        let moved = forge.with { $0.gap = [0x0F, 0x0F] }.bytes
        #expect(try NibDocument(parsing: moved).encode() == moved)
        let late = forge.with { $0.header += [0x0F] }.bytes
        #expect(try NibDocument(parsing: late).encode() == late)
    }

    @Test func `is read as the same kind of interface as the form with tables`() throws {
        let graph = try NibDocument(parsing: bytes).graph
        let interface = NibInterface(graph)
        #expect(interface.topLevelObjects.map(\.className) == ["UIView", "UIProxyObject"])
        let view = try #require(interface.owned("view"))
        #expect(view.frame == NibRect(x: 0, y: 0, width: 320, height: 460))
        #expect(view.boolean("UIOpaque") == true)
        #expect(view.content("UIBackgroundColor") == .null)
        #expect(graph.classes.first { $0.name == "UIView" }?.fallbacks.count == 1)
        let label = try #require(NibViewTree(view).entries.last?.view)
        #expect(label.className == "UILabel")
        #expect(label.string("UIText") == "Hello")
        #expect(label.integer("UINumberOfLines") == 3)
        #expect(label.double("UIMinimumFontSize") == 10.5)
        #expect(label.double("UIAlpha") == 0.5)
        #expect(try Array(#require(label.data("raw"))) == [1, 2, 3])
        #expect(interface.attributes(of: label).map(\.value) == [.number(6)])
    }

    @Test func `may be a property list of the XML form, and says the same there`() throws {
        let text = KeyedForge.interface.xml
        let document = try NibDocument(parsing: Array(text.utf8))
        #expect(document.encode() == Array(text.utf8))
        #expect(document.graph == (try NibDocument(parsing: bytes).graph))
        // A dictionary that only looks like a reference is none, and an object that is not there is refused.
        let wrong = text.replacing("<integer>13</integer>", with: "<integer>999</integer>", maxReplacements: 1)
        let error = #expect(throws: NibError.self) { try NibDocument(parsing: Array(wrong.utf8)) }
        #expect(error?.reason == .objectOutOfRange(999))
    }

    @Test func `is refused when it is none, or its references lead nowhere`() {
        func reason(_ change: (inout KeyedForge) -> Void) -> NibError.Reason? {
            var forge = KeyedForge.interface
            change(&forge)
            do {
                _ = try NibDocument(parsing: forge.forge.bytes)
                return nil
            } catch {
                return error.reason
            }
        }
        #expect(reason { $0.archiver = "Somebody" } == .unknownArchiver("Somebody"))
        #expect(reason { $0.top = [("a", .uid(23))] } == .objectOutOfRange(23))
        #expect(reason { $0.objects[3] = .dictionary([("a", .uid(999))]) } == .objectOutOfRange(999))
        #expect(throws: NibError.self) {
            try NibDocument(parsing: PlistForge(PlistForge.ascii("nothing")).bytes)
        }
        #expect(throws: NibError.self) { try NibDocument(parsing: Array("<?xml version='1.0'?>".utf8)) }
        for mark in ["streamtyped", "typedstream"] {
            let error = #expect(throws: NibError.self) {
                try NibDocument(parsing: [4, 11] + Array(mark.utf8) + [0x81, 0xE8, 3])
            }
            #expect(error?.reason == .typedStream)
        }
    }

    @Test func `may hold cycles, which are data`() throws {
        var forge = KeyedForge.interface
        forge.objects[3] = .dictionary([("$class", .uid(4)), ("UISubviews", .uid(9))])
        forge.objects[9] = .dictionary([("$class", .uid(2)), ("NS.objects", .list([.uid(3), .uid(9), .uid(11)]))])
        let graph = try NibDocument(parsing: forge.forge.bytes).graph
        let tree = NibViewTree(graph.element(3))
        #expect(tree.entries.count == 3)
    }

    @Test func `may hold lists that contain each other, which are one object each`() throws {
        let graph = try NibDocument(parsing: KeyedForge.tangled.bytes).graph
        // The three, each once more in place, and the root.
        #expect(graph.objects.count == 7)
        #expect(graph.values.count == 36)
    }

    @Test func `is refused or read when it is cut at any byte, and when any byte is another`() throws {
        let bytes = KeyedForge.small.forge.bytes
        for count in bytes.indices {
            #expect(throws: NibError.self) { try NibDocument(parsing: Array(bytes[..<count])) }
        }
        for position in bytes.indices {
            for byte in [0, 1, 0x0F, 0x7F, 0x80, 0xD2, 0xFF] as [UInt8] {
                var changed = bytes
                changed[position] = byte
                guard let document = try? NibDocument(parsing: changed) else { continue }
                #expect(document.encode() == changed)
            }
        }
    }

    @Test func `is refused when its objects overlap, however little it takes`() throws {
        // Two hundred objects that are all one long text.
        let forge = PlistForge(
            objects: [PlistForge.data([UInt8](repeating: 7, count: 100_000))]
                + (0..<200).map { _ in PlistForge.yes }
        ).with { forge in
            forge.offsetSize = 4
            for object in 1...200 { forge.offsets[object] = 8 }
        }
        let error = #expect(throws: NibError.self) { try NibDocument(parsing: forge.bytes) }
        #expect(error?.reason == .propertyList("an object begins inside another"))
    }
}

/// Files that are small, and that would take long if what is shared in them were gone through for each place it is in.
@Suite struct `A hostile keyed archive that shares` {
    /// Twenty thousand objects, each of a class with a number of its own, and all numbers stand for what `described` is.
    private func archive(_ described: [UInt8], _ more: [[UInt8]]) -> [UInt8] {
        var objects: [[UInt8]] = [
            PlistForge.dictionary(keys: [1, 2, 3], values: [4, 5, 6], size: 3), PlistForge.ascii("$archiver"),
            PlistForge.ascii("$objects"), PlistForge.ascii("$top"), PlistForge.ascii("NSKeyedArchiver"), [],
            PlistForge.dictionary(keys: [], values: [], size: 3), PlistForge.ascii("$class"), described,
        ]
        objects += more
        let count = 20_000
        var archived: [UInt64] = []
        for number in 0..<count {
            archived.append(UInt64(objects.count))
            objects.append(
                PlistForge.dictionary(keys: [7], values: [UInt64(objects.count + 1)], size: 3))
            objects.append(PlistForge.uid(UInt64(count + number), size: 4))
        }
        objects[5] = PlistForge.array(archived + Array(repeating: 8, count: count), size: 3)
        return PlistForge(objects: objects).with {
            $0.referenceSize = 3
            $0.offsetSize = 4
        }.bytes
    }

    @Test func `one description with many keys between many classes takes no longer`() {
        let keys = (0..<20_000).map { UInt64(9 + $0) }
        let described = PlistForge.dictionary(keys: keys, values: keys, size: 3)
        let bytes = archive(described, keys.map { PlistForge.ascii("k\($0)") })
        #expect(ProcessorTime.spent { _ = try? NibDocument(parsing: bytes) } < .seconds(2))
    }

    @Test func `one list of hints for many classes takes no longer`() {
        // Every class is described by one object, whose list of hints begins at the object 13.
        let hints = (0..<2_000).map { UInt64(13 + $0) }
        let described = PlistForge.dictionary(keys: [9, 10], values: [11, 12], size: 3)
        let more = [PlistForge.ascii("$classname"), PlistForge.ascii("$classhints"), PlistForge.ascii("A")]
        let bytes = archive(
            described, more + [PlistForge.array(hints, size: 3)] + hints.map { PlistForge.ascii("hint \($0)") })
        #expect(ProcessorTime.spent { _ = try? NibDocument(parsing: bytes) } < .seconds(2))
    }

    /// A dictionary whose keys all name a class is no value, however often it is looked at.
    @Test func `one object that stands in the list many times takes no longer`() {
        let pairs = [UInt64](repeating: 8, count: 40_000)
        var objects: [[UInt8]] = [
            PlistForge.dictionary(keys: [1, 2, 3], values: [4, 5, 6], size: 3), PlistForge.ascii("$archiver"),
            PlistForge.ascii("$objects"), PlistForge.ascii("$top"), PlistForge.ascii("NSKeyedArchiver"),
            PlistForge.array([UInt64](repeating: 7, count: 100_000), size: 3),
            PlistForge.dictionary(keys: [], values: [], size: 3),
            PlistForge.dictionary(keys: pairs, values: pairs.map { _ in 9 }, size: 3), PlistForge.ascii("$class"),
        ]
        objects.append(PlistForge.uid(1, size: 1))
        let bytes = PlistForge(objects: objects).with {
            $0.referenceSize = 3
            $0.offsetSize = 4
        }.bytes
        var reason: NibError.Reason?
        let time = ProcessorTime.spent {
            do throws(NibError) { _ = try NibDocument(parsing: bytes) } catch { reason = error.reason }
        }
        #expect(reason == .limitReached(.valueCount, limit: 500_000))
        #expect(time < .seconds(2))
    }
}
