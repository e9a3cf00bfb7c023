import Nib

/// A small interface with everything that connects objects: a table with a prototype, an outlet, an event, attributes.
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
