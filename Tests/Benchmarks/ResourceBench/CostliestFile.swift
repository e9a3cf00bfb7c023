import WidgetObjectModel
import WidgetPlist
import WidgetTestSupport

/// Files as large as is accepted, each with as much as possible of one thing.
enum CostliestFile {
    static var all: [(String, [UInt8])] {
        [
            ("attributes.mom", attributes(6_600)), ("entities.mom", entities(3_500)), ("notes.mom", notes(890)),
            ("scalars.mom", scalars(45_000)), ("text.mom", text(70_000)), ("blocks.car", blocks(500_000)),
            ("renditions.car", renditions(15_000)),
            ("names.car", names(60_000)), ("properties.car", properties(400_000)),
        ]
    }

    private static func attributes(_ count: Int) -> [UInt8] {
        var entity = Entity(name: "E")
        entity.attributes = (0..<count).map { Attribute(name: "a\($0)", type: .string) }
        return DataModel(entities: [entity]).encoded()
    }

    private static func entities(_ count: Int) -> [UInt8] {
        let entities = (0..<count).map { number in
            var entity = Entity(name: "E\(number)")
            // One long line of heirs.
            if number > 0 { entity.superentity = "E\(number - 1)" }
            return entity
        }
        return DataModel(entities: entities).encoded()
    }

    /// One dictionary of notes that every attribute refers to.
    private static func notes(_ count: Int) -> [UInt8] {
        var builder = KeyedArchiveBuilder()
        let text = builder.add(.string(String(repeating: "t", count: 60_000)))
        let notes = builder.add(dictionary: (0..<90).map { ("k\($0)", text) })
        let attributes = (0..<count).map { number in
            let fields = [("NSPropertyName", builder.add(.string("a\(number)"))), ("NSUserInfo", notes)]
            return ("a\(number)", builder.add(["NSAttributeDescription", "NSObject"], fields))
        }
        let fields = [("NSEntityName", builder.add("E")), ("NSProperties", builder.add(dictionary: attributes))]
        let entity = builder.add(["NSEntityDescription", "NSObject"], fields)
        let root = builder.add(
            ["NSManagedObjectModel", "NSObject"], [("NSEntities", builder.add(dictionary: [("E", entity)]))])
        return builder.encoded(top: [("root", root)])
    }

    private static func scalars(_ count: Int) -> [UInt8] {
        var builder = KeyedArchiveBuilder()
        let elements = (0..<count).map { builder.add(.integer(Int64($0))) }
        let root = builder.add(
            ["NSManagedObjectModel", "NSObject"], [("NSVersionIdentifiers", builder.add(set: elements))])
        return builder.encoded(top: [("root", root)])
    }

    /// An archive in the XML form with as many objects as it may have.
    private static func text(_ count: Int) -> [UInt8] {
        let head = "<plist><dict><key>$archiver</key><string/><key>$top</key><dict/><key>$objects</key><array>"
        let pieces = (0..<count).map { $0 % 2 == 0 ? "<string/>" : "<integer>1</integer>" }.joined()
        return Array("\(head)\(pieces)</array></dict></plist>".utf8)
    }

    private static func blocks(_ count: Int) -> [UInt8] {
        var store = StoreForge()
        for _ in 0..<count { _ = store.add([]) }
        return store.bytes()
    }

    private static func renditions(_ count: Int) -> [UInt8] {
        var forge = CatalogForge()
        let rendition = ForgedRendition(width: 1, height: 1).bytes
        forge.renditions = (0..<count).map { number in
            ([UInt16(truncatingIfNeeded: number), UInt16(truncatingIfNeeded: number >> 16), 1, 1, 1, 1], rendition)
        }
        return forge.bytes
    }

    private static func names(_ count: Int) -> [UInt8] {
        var forge = CatalogForge()
        forge.facets = (0..<count).map { ("n\($0)", UInt16(truncatingIfNeeded: $0)) }
        return forge.bytes
    }

    private static func properties(_ count: Int) -> [UInt8] {
        var forge = CatalogForge()
        forge.add(
            "a", ForgedRendition(width: 1, height: 1).with { $0.properties = Array(repeating: (7, []), count: count) })
        return forge.bytes
    }
}
