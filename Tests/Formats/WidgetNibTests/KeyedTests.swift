import Testing
import WidgetBytes
import WidgetNib
import WidgetTestSupport

private typealias Forge = PlistForge

@Suite struct `A keyed archive of an interface` {
    private let bytes = KeyedForge.interface.forge.bytes

    @Test func `a keyed archive is written again byte for byte`() throws {
        #expect(try NibDocument(parsing: bytes).encode() == bytes)
        // Objects in another order, with bytes between them.
        let forge = KeyedForge.interface.forge
        let moved = forge.with { $0.gap = [0x0F, 0x0F] }.bytes
        #expect(try NibDocument(parsing: moved).encode() == moved)
        let late = forge.with { $0.header += [0x0F] }.bytes
        #expect(try NibDocument(parsing: late).encode() == late)
    }

    @Test func `a keyed archive is read like the form with tables`() throws {
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

    @Test func `a keyed archive in the XML form is read as the same interface`() throws {
        let text = KeyedForge.interface.xml
        let document = try NibDocument(parsing: Array(text.utf8))
        #expect(document.encode() == Array(text.utf8))
        #expect(document.graph == (try NibDocument(parsing: bytes).graph))
        // A dictionary that only resembles a reference is refused, and so is a reference to a missing object.
        let wrong = text.replacing("<integer>13</integer>", with: "<integer>999</integer>", maxReplacements: 1)
        let error = #expect(throws: NibError.self) { try NibDocument(parsing: Array(wrong.utf8)) }
        #expect(error?.reason == .objectOutOfRange(999))
    }

    @Test func `a property list without an archive, or with wrong references, is refused`() {
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
        #expect(reason { $0.archiver = "OtherArchiver" } == .unknownArchiver("OtherArchiver"))
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

    @Test func `cycles in a keyed archive are read as data`() throws {
        var forge = KeyedForge.interface
        forge.objects[3] = .dictionary([("$class", .uid(4)), ("UISubviews", .uid(9))])
        forge.objects[9] = .dictionary([("$class", .uid(2)), ("NS.objects", .list([.uid(3), .uid(9), .uid(11)]))])
        let graph = try NibDocument(parsing: forge.forge.bytes).graph
        let tree = NibViewTree(graph.element(3))
        #expect(tree.entries.count == 3)
    }

    @Test func `lists that contain each other are one object each`() throws {
        let graph = try NibDocument(parsing: KeyedForge.tangled.bytes).graph
        // The three, each once more in place, and the root.
        #expect(graph.objects.count == 7)
        #expect(graph.values.count == 36)
    }

    @Test func `a keyed archive that is cut off or changed at any byte is refused or read`() throws {
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

    @Test func `a keyed archive with overlapping objects is refused`() throws {
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

/// Small files that would take long if their shared parts were visited for each reference.
@Suite struct `A hostile keyed archive that shares` {
    /// Twenty thousand objects, each of a class with a separate number; all numbers refer to the content of
    /// `described`.
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

    @Test func `a description with many keys that many classes share is read quickly`() {
        let keys = (0..<20_000).map { UInt64(9 + $0) }
        let described = PlistForge.dictionary(keys: keys, values: keys, size: 3)
        let bytes = archive(described, keys.map { PlistForge.ascii("k\($0)") })
        #expect(ProcessorTime.spent { _ = try? NibDocument(parsing: bytes) } < .seconds(2))
    }

    @Test func `a list of hints that many classes share is read quickly`() {
        // Every class is described by one object, whose list of hints begins at the object 13.
        let hints = (0..<2_000).map { UInt64(13 + $0) }
        let described = PlistForge.dictionary(keys: [9, 10], values: [11, 12], size: 3)
        let more = [PlistForge.ascii("$classname"), PlistForge.ascii("$classhints"), PlistForge.ascii("A")]
        let bytes = archive(
            described, more + [PlistForge.array(hints, size: 3)] + hints.map { PlistForge.ascii("hint \($0)") })
        #expect(ProcessorTime.spent { _ = try? NibDocument(parsing: bytes) } < .seconds(2))
    }

    /// A dictionary whose keys all name a class is never a value, however many references it has.
    @Test func `an object that is listed many times is read quickly`() {
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

/// Property lists that are keyed archives, made value by value.
struct KeyedForge: Sendable {
    /// The content of `$objects`, by position.
    var objects: [Value]
    var top: [(String, Value)]
    var archiver = "NSKeyedArchiver"

    indirect enum Value: Sendable {
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

    /// The same archive in the XML form, as Interface Builder wrote it before Xcode 3.
    var xml: String {
        func text(_ value: Value) -> String {
            switch value {
            case .text(let text): "<string>\(text)</string>"
            case .uid(let number): "<dict>\n<key>CF$UID</key>\n<integer>\(number)</integer>\n</dict>"
            case .integer(let number, _): "<integer>\(number)</integer>"
            case .real(let number): "<real>\(number)</real>"
            case .float(let number): "<real>\(number)</real>"
            case .truth(let flag): flag ? "<true/>" : "<false/>"
            case .data(let bytes): "<data>\n\(Base64.string(bytes))\n</data>"
            case .list(let elements): "<array>\n" + elements.map { text($0) + "\n" }.joined() + "</array>"
            case .dictionary(let members):
                "<dict>\n" + members.map { "\t<key>\($0.0)</key>\n\t\(text($0.1))\n" }.joined() + "</dict>"
            }
        }
        let root = Value.dictionary([
            ("$version", .integer(100_000, 4)), ("$objects", .list(objects)), ("$archiver", .text(archiver)),
            ("$top", .dictionary(top)),
        ])
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple Computer//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            \(text(root))
            </plist>

            """
    }

    /// An interface without a window in the form of iOS 5: a view with a label, an outlet, a runtime attribute.
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

    static let small = KeyedForge(
        objects: [
            .text("$null"), .dictionary([("$class", .uid(2)), ("NS.objects", .list([.uid(1), .uid(3)]))]),
            .dictionary([("$classname", .text("NSArray"))]), .text("Hello"),
        ], top: [("root", .uid(1))])

    /// Three lists, each with all three twice, in the place of a value.
    static let tangled = PlistForge(
        objects: [
            PlistForge.dictionary(keys: [1, 2, 3], values: [4, 5, 6]), PlistForge.ascii("$archiver"),
            PlistForge.ascii("$objects"), PlistForge.ascii("$top"), PlistForge.ascii("NSKeyedArchiver"),
            PlistForge.array([7, 8, 9]), PlistForge.dictionary(keys: [], values: []),
        ] + (0..<3).map { _ in PlistForge.array([7, 8, 9, 7, 8, 9]) })
}
