import Testing
import WidgetNib
import WidgetTestSupport

private typealias Forge = ArchiveForge

/// Goal: many references to one thing cost little more than a single one. Method: interfaces that took minutes when
/// each reference was followed.
@Suite struct `A hostile interface` {
    private static let marks = Array(String(repeating: "\u{301}", count: 65).utf8)

    /// Adds an object with many values that no test reads.
    private static func large(_ builder: inout NibGraphBuilder, _ name: String, _ count: Int) {
        builder.beginObject(builder.classIndex(name))
        let key = builder.keyIndex("filler")
        for _ in 0..<count { builder.add(key, .boolean(true)) }
    }

    @Test func `a large object that is listed 20,000 times is read once`() {
        var builder = NibGraphBuilder()
        builder.beginObject(builder.classIndex("NSObject"))
        for key in [
            "UINibTopLevelObjectsKey", "UINibObjectsKey", "UINibConnectionsKey", "UINibKeyValuePairsKey",
        ] { builder.add(key, .object(1)) }
        builder.beginObject(builder.classIndex("NSArray"))
        let element = builder.keyIndex(NibKey.element)
        for _ in 0..<20_000 { builder.add(element, .object(2)) }
        Self.large(&builder, "UIRuntimeOutletConnection", 280_000)
        builder.add("UISource", .object(0))
        builder.add("UIDestination", .object(0))
        builder.add("UILabel", .object(3))
        builder.beginObject(builder.classIndex("NSString"))
        builder.add(NibKey.bytes, .data(builder.store(Array("name".utf8))))
        let interface = NibInterface(builder.finish())
        #expect(interface.topLevelObjects.count == 1 && interface.objects.count == 1)
        #expect(interface.outlets.map(\.name) == ["name"])
    }

    @Test func `a large object that is connected 20,000 times is searched quickly`() {
        var builder = NibGraphBuilder()
        builder.beginObject(builder.classIndex("NSObject"))
        builder.add("UINibConnectionsKey", .object(1))
        builder.beginObject(builder.classIndex("NSArray"))
        let element = builder.keyIndex(NibKey.element)
        for place in 0..<20_000 { builder.add(element, .object(UInt32(4 + place))) }
        Self.large(&builder, "UIProxyObject", 200_000)
        builder.add("UIProxiedObjectIdentifier", .object(3))
        builder.add("UIProxiedObjectIdentifier", .object(0))
        builder.beginObject(builder.classIndex("NSString"))
        builder.add(NibKey.bytes, .data(builder.store(Array("Other".utf8))))
        let keys = ["UISource", "UIDestination", "UILabel"].map { builder.keyIndex($0) }
        let outlet = builder.classIndex("UIRuntimeOutletConnection")
        for _ in 0..<20_000 {
            builder.beginObject(outlet)
            for (key, object) in zip(keys, [2, 2, 3] as [UInt32]) { builder.add(key, .object(object)) }
        }
        let interface = NibInterface(builder.finish())
        #expect(interface.outlets.count == 20_000 && interface.owned("Other") == nil)
        #expect(interface.outlets.allSatisfy { $0.source.proxyName == "Other" }, "the first value of a key counts")
    }

    @Test func `a large object is read like a small one`() {
        for count in [3, 63, 64, 65, 1_000] {
            var builder = NibGraphBuilder()
            builder.beginObject(builder.classIndex("NSObject"))
            // Each key twice, in an order that is not theirs.
            for key in (0..<count).reversed() { _ = builder.keyIndex("key \(key * 7 % count)") }
            for round in 0..<2 {
                for key in 0..<count { builder.add("key \(key)", .int32(Int32(key + round * count))) }
            }
            let root = builder.finish().rootElement
            for key in 0..<count where root.integer("key \(key)") != key {
                Issue.record("key \(key) of \(count) is \(String(describing: root.integer("key \(key)")))")
            }
            #expect(!root.has("key \(count)") && !root.has("else"))
        }
    }

    @Test func `many combining marks on one letter of a text or a name are refused`() {
        let refusal = NibError.Reason.limitReached(.markCount, limit: 64)
        let inText = Forge.everyType.with {
            $0.tables[2][8] = Forge.value(0, 8, Forge.number(130) + Self.marks)
        }
        let inKey = Forge.everyType.with { $0.tables[1][0] = Forge.number(130) + Self.marks }
        let inClass = Forge.everyType.with {
            $0.tables[3][0] = Forge.named(String(repeating: "\u{301}", count: 65))
        }
        for forge in [inText, inKey, inClass] {
            let error = #expect(throws: NibError.self) { try NibDocument(parsing: forge.bytes) }
            #expect(error?.reason == refusal)
        }
        #expect("\(refusal)" == "more than 64 combining marks on one letter")
        var keyed = KeyedForge.interface
        keyed.objects[13] = .dictionary([("$class", .uid(2)), ("NS.bytes", .data(Self.marks))])
        let error = #expect(throws: NibError.self) { try NibDocument(parsing: keyed.forge.bytes) }
        #expect(error?.reason == refusal)
    }
}

/// A small interface with all kinds of connections: a table with a prototype, an outlet, an event, attributes.
enum SampleInterface {
    static var archive: [UInt8] { NibArchive(graph(prototype: NibArchive(cell).encode())).encode() }

    /// Objects by their classes and what they hold; the first is the root.
    static func build(_ objects: [(String, [(String, Value)])]) -> NibGraph {
        var builder = NibGraphBuilder()
        for (name, values) in objects {
            builder.beginObject(builder.classIndex(name, fallbacks: name == "UIColor" ? ["NSColor"] : []))
            for (key, value) in values {
                switch value {
                case .content(let content): builder.add(key, content)
                case .bytes(let bytes): builder.add(key, .data(builder.store(bytes)))
                }
            }
        }
        return builder.finish()
    }

    enum Value {
        case content(NibContent)
        case bytes([UInt8])

        static func object(_ index: UInt32) -> Value { .content(.object(index)) }
    }

    static func text(_ text: String) -> (String, [(String, Value)]) {
        ("NSString", [(NibKey.bytes, .bytes(Array(text.utf8)))])
    }

    static func list(_ elements: [UInt32], _ name: String = "NSArray") -> (String, [(String, Value)]) {
        (name, [(NibKey.isInlined, .content(.boolean(true)))] + elements.map { (NibKey.element, .object($0)) })
    }

    private static var cell: NibGraph {
        build([
            ("NSObject", [("UINibTopLevelObjectsKey", .object(1)), ("UINibObjectsKey", .object(1))]),
            list([2]), ("UITableViewCell", [("UIReuseIdentifier", .object(3))]), text("Cell"),
        ])
    }

    private static func graph(prototype: [UInt8]) -> NibGraph {
        build([
            (
                "NSObject",
                [
                    ("UINibTopLevelObjectsKey", .object(1)), ("UINibObjectsKey", .object(1)),
                    ("UINibConnectionsKey", .object(2)), ("UINibKeyValuePairsKey", .object(3)),
                ]
            ),
            list([4, 5]), list([6, 7]), list([8]),
            (
                "UITableView",
                [
                    ("UIBounds", .bytes(NibElement.pack([0, 0, 320, 480]))),
                    ("UICenter", .bytes(NibElement.pack([160, 240]))), ("UISubviews", .object(9)),
                    ("UITableViewCellPrototypeNibs", .object(10)),
                    ("UITableViewCellPrototypeNibExternalObjects", .object(11)), ("UIBackgroundColor", .object(18)),
                ]
            ),
            ("UIProxyObject", [("UIProxiedObjectIdentifier", .object(12))]),
            (
                "UIRuntimeOutletConnection",
                [("UISource", .object(5)), ("UIDestination", .object(4)), ("UILabel", .object(13))]
            ),
            (
                "UIRuntimeEventConnection",
                [
                    ("UISource", .object(4)), ("UIDestination", .object(5)), ("UILabel", .object(14)),
                    ("UIEventMask", .content(.int8(64))),
                ]
            ),
            ("UINibKeyValuePair", [("UIObject", .object(4)), ("UIKeyPath", .object(15)), ("UIValue", .object(16))]),
            list([4], "NSMutableArray"), list([17, 19], "NSDictionary"), list([17, 20], "NSDictionary"),
            text("IBFilesOwner"), text("view"), text("tap:"), text("wx.identifier"), text("tableView"), text("Cell"),
            (
                "UIColor",
                [
                    ("UIColorComponentCount", .content(.int8(4))), ("UIRed", .content(.float(0.5))),
                    ("UIGreen", .content(.float(0.25))), ("UIBlue", .content(.float(1))),
                    ("UIAlpha", .content(.float(1))),
                ]
            ),
            ("UINib", [("archiveData", .object(21))]), list([13, 5], "NSDictionary"),
            ("NSData", [(NibKey.bytes, .bytes(prototype))]),
        ])
    }
}
