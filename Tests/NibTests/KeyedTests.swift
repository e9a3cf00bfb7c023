import Nib
import TestSupport
import Testing

private typealias Forge = PlistForge

/// Property lists that are keyed archives, made value by value.
private struct KeyedForge {
    /// What `$objects` holds, by position.
    var objects: [Value]
    var top: [(String, Value)]
    var archiver = "NSKeyedArchiver"

    indirect enum Value {
        case text(String), uid(UInt64), integer(UInt64, Int), real(Double), float(Float), truth(Bool), data([UInt8])
        case list([Value])
        case dictionary([(String, Value)])
    }

    var forge: PlistForge {
        var encoded: [[UInt8]] = []
        func add(_ value: Value) -> UInt64 {
            let position = encoded.count
            encoded.append([])
            switch value {
            case .text(let text): encoded[position] = Forge.ascii(text)
            case .uid(let number): encoded[position] = Forge.uid(number, size: number > 255 ? 2 : 1)
            case .integer(let number, let size): encoded[position] = Forge.integer(number, size: size)
            case .real(let number): encoded[position] = Forge.real(number)
            case .float(let number): encoded[position] = Forge.float(number)
            case .truth(let flag): encoded[position] = flag ? Forge.yes : [0x08]
            case .data(let bytes): encoded[position] = Forge.data(bytes)
            case .list(let elements):
                let references = elements.map { add($0) }
                encoded[position] = Forge.array(references, size: 2)
            case .dictionary(let members):
                let keys = members.map { add(.text($0.0)) }
                let values = members.map { add($0.1) }
                encoded[position] = Forge.dictionary(keys: keys, values: values, size: 2)
            }
            return UInt64(position)
        }
        _ = add(
            .dictionary([
                ("$version", .integer(100_000, 4)), ("$objects", .list(objects)), ("$archiver", .text(archiver)),
                ("$top", .dictionary(top)),
            ]))
        return PlistForge(objects: encoded).with {
            $0.referenceSize = 2
            $0.offsetSize = 2
        }
    }

    /// A window-less interface as iOS 5 has them: a view with a label, an outlet, a runtime attribute.
    static let interface = KeyedForge(
        objects: [
            .text("$null"),
            .dictionary([("$class", .uid(2)), ("NS.objects", .list([.uid(3), .uid(5)]))]),
            .dictionary([("$classname", .text("NSArray")), ("$classes", .list([.text("NSArray"), .text("NSObject")]))]),
            .dictionary([
                ("$class", .uid(4)), ("UIBounds", .uid(7)), ("UICenter", .uid(8)), ("UISubviews", .uid(9)),
                ("UIBackgroundColor", .uid(0)), ("UIOpaque", .truth(true)),
            ]),
            .dictionary([
                ("$classname", .text("UIView")), ("$classes", .list([.text("UIView"), .text("NSObject")])),
                ("$classhints", .list([.text("NSView")])),
            ]),
            .dictionary([("$class", .uid(6)), ("UIProxiedObjectIdentifier", .uid(10))]),
            .dictionary([("$classname", .text("UIProxyObject"))]),
            .text("{{0, 0}, {320, 460}}"),
            .text("{160, 230}"),
            .dictionary([("$class", .uid(2)), ("NS.objects", .list([.uid(11)]))]),
            .text("IBFilesOwner"),
            .dictionary([
                ("$class", .uid(12)), ("UIText", .uid(13)), ("UINumberOfLines", .integer(3, 1)),
                ("UIMinimumFontSize", .real(10.5)), ("UIAlpha", .float(0.5)), ("raw", .data([1, 2, 3])),
            ]),
            .dictionary([("$classname", .text("UILabel"))]),
            .text("Hello"),
            .dictionary([("$class", .uid(2)), ("NS.objects", .list([.uid(15)]))]),
            .dictionary([
                ("$class", .uid(16)), ("UILabel", .uid(17)), ("UISource", .uid(5)), ("UIDestination", .uid(3)),
            ]),
            .dictionary([("$classname", .text("UIRuntimeOutletConnection"))]),
            .text("view"),
            .dictionary([("$class", .uid(2)), ("NS.objects", .list([.uid(19)]))]),
            .dictionary([("$class", .uid(20)), ("UIObject", .uid(11)), ("UIKeyPath", .uid(21)), ("UIValue", .uid(22))]),
            .dictionary([("$classname", .text("UINibKeyValuePair"))]),
            .text("cornerRadius"),
            .integer(6, 1),
        ],
        top: [
            ("UINibTopLevelObjectsKey", .uid(1)), ("UINibObjectsKey", .uid(1)), ("UINibConnectionsKey", .uid(14)),
            ("UINibKeyValuePairsKey", .uid(18)),
        ])
}

@Suite struct `A keyed archive` {
    private let bytes = KeyedForge.interface.forge.bytes

    @Test func `is written again byte for byte`() throws {
        #expect(try NibDocument(parsing: bytes).encode() == bytes)
        // Objects in another order, with bytes between them.
        let forge = KeyedForge.interface.forge
        let moved = forge.with { $0.gap = [0x0F, 0x0F] }.bytes
        #expect(try NibDocument(parsing: moved).encode() == moved)
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
    }

    @Test func `may hold cycles, which are data`() throws {
        var forge = KeyedForge.interface
        forge.objects[3] = .dictionary([("$class", .uid(4)), ("UISubviews", .uid(9))])
        forge.objects[9] = .dictionary([("$class", .uid(2)), ("NS.objects", .list([.uid(3), .uid(9), .uid(11)]))])
        let graph = try NibDocument(parsing: forge.forge.bytes).graph
        let tree = NibViewTree(graph.element(3))
        #expect(tree.entries.count == 3)
    }

    @Test func `is refused or read when it is cut at any byte, and when any byte is another`() throws {
        let small = KeyedForge(
            objects: [
                .text("$null"), .dictionary([("$class", .uid(2)), ("NS.objects", .list([.uid(1), .uid(3)]))]),
                .dictionary([("$classname", .text("NSArray"))]), .text("Hello"),
            ], top: [("root", .uid(1))])
        let bytes = small.forge.bytes
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
