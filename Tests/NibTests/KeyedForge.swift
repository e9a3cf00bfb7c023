import Bytes
import TestSupport

private typealias Forge = PlistForge

/// Property lists that are keyed archives, made value by value.
struct KeyedForge: Sendable {
    /// What `$objects` holds, by position.
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

    /// The same archive as the XML form has it, as Interface Builder wrote it before Xcode 3.
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
