import JSONText
import Nib
import Testing
import WidgetBundles

/// Names of objects in schemes, which compiled interfaces give.
@Suite struct `An object that a scheme names` {
    private static let scheme = FindingCase(
        path: "A.json",
        marked: """
            {"A": {
              "objects": {
                "list": {"type": "TableDisplayController", "alias": "rows",
                  "outlets": {"tableView": "table", "searchBar": ‹unknown-object›"search", "all": ["list", ‹unknown-object›"none"]}}
              },
              "elements": {
                "@self": {"attrs": {}}, "***": ["a comment"],
                "title": {"bindings": [], "action": {"target": "rows", "selector": "performAction"}},
                ‹unknown-object›"subtitle": {"outlets": {"next": "title"}},
                "button": {"action": {"target": ‹unknown-object›"nobody", "selector": "performAction"}}
              }
            }}
            """)

    /// An interface whose objects have these identifiers.
    private static func interface(_ names: [String]) -> [UInt8] {
        var builder = NibGraphBuilder()
        builder.beginObject(builder.classIndex("NSObject"))
        builder.add("UINibKeyValuePairsKey", .object(1))
        builder.beginObject(builder.classIndex("NSArray"))
        builder.add(NibKey.isInlined, .boolean(true))
        for number in names.indices { builder.add(NibKey.element, .object(UInt32(2 + number * 4))) }
        for (number, name) in names.enumerated() {
            builder.beginObject(builder.classIndex("UINibKeyValuePair"))
            for (place, key) in ["UIObject", "UIKeyPath", "UIValue"].enumerated() {
                builder.add(key, .object(UInt32(3 + number * 4 + place)))
            }
            builder.beginObject(builder.classIndex("UIView"))
            for text in ["wx.identifier", name] {
                builder.beginObject(builder.classIndex("NSString"))
                builder.add(NibKey.bytes, .data(builder.store(text.utf8)))
            }
        }
        return NibArchive(builder.finish()).encode()
    }

    private func findings(_ interfaces: [[UInt8]], before: Bool = true) throws -> [Finding] {
        var scan = FindingScan()
        if before { for bytes in interfaces { scan.read(interface: bytes) } }
        scan.read(Self.scheme.path, try JSONTable(parsing: Array(Self.scheme.unmarked.text.utf8)))
        if !before { for bytes in interfaces { scan.read(interface: bytes) } }
        return scan.findings
    }

    @Test(arguments: [true, false])
    func `is warned of when neither the scheme nor any interface has it`(_ before: Bool) throws {
        let found = try findings([Self.interface(["table", "title"]), Self.interface(["button"])], before: before)
        #expect(
            found.map { FindingCase.Place(code: $0.code, line: $0.line, column: $0.column) }
                == Self.scheme.unmarked.places)
        #expect(found.allSatisfy { $0.severity == .warning && $0.path == "A.json" })
        #expect(found.first?.detail.contains("search") == true)
    }

    @Test func `is there when an interface has it`() throws {
        let names = ["table", "title", "button", "search", "none", "subtitle", "nobody"]
        #expect(try findings([Self.interface(names)]).isEmpty)
    }

    @Test func `is not looked for without interfaces, or when one of them cannot be read`() throws {
        #expect(try findings([]).isEmpty)
        let good = Self.interface(["table"])
        #expect(try findings([good, Array("NIBArchive".utf8)]).isEmpty)
        #expect(try findings([Array("NIBArchive".utf8), good]).isEmpty)
    }
}
