import Testing
import WidgetPlist
import WidgetTestSupport

@Suite struct `A keyed archive` {
    private static let node = ["Node", "NSObject"]

    /// Two nodes that name each other, a list, a dictionary and a text that occurs once.
    private static func bytes() -> [UInt8] {
        var builder = KeyedArchiveBuilder()
        let (first, second) = (builder.reserve(), builder.reserve())
        let list = builder.add(array: [.uid(first), .uid(second), KeyedArchiveBuilder.null])
        let dictionary = builder.add(dictionary: [("a", builder.add(.integer(7))), ("b", .uid(first))])
        builder.define(
            first, node,
            [
                ("name", builder.add("one")), ("next", .uid(second)), ("list", list), ("count", .integer(3)),
                ("isGood", .boolean(true)), ("nothing", builder.add(nil)),
            ])
        builder.define(second, node, [("name", builder.add("one")), ("next", .uid(first)), ("members", dictionary)])
        return builder.encoded(top: [("root", .uid(first))])
    }

    @Test func `A keyed archive is followed one reference at a time, in circles too`() throws {
        let archive = try KeyedArchive(parsing: Self.bytes())
        #expect(archive.archiver == "NSKeyedArchiver")
        #expect(archive.version == 100_000)
        let root = try archive.root()
        #expect(root.classNames == Self.node)
        #expect(try root.string("name") == "one")
        #expect(try root.integer("count") == 3)
        #expect(try root.boolean("isGood") == true)
        #expect(try root.object("nothing") == nil)
        #expect(try root.object("absent") == nil)
        let next = try #require(try root.object("next"))
        #expect(try next.object("next")?.number == root.number)
        let list = try #require(try root.object("list")).elements()
        #expect(list.map(\.number).prefix(2) == [root.number, next.number])
        #expect(list.last?.isNull == true)
        let entries = try #require(try next.object("members")).namedEntries()
        #expect(entries.map(\.key) == ["a", "b"])
        #expect(entries.first?.value.scalar == .integer(7))
        #expect(root.keys == ["name", "next", "list", "count", "isGood", "nothing"])
    }

    @Test func `A keyed archive names the place of a dangling reference or a value of the wrong type`() throws {
        var builder = KeyedArchiveBuilder()
        let root = builder.add(Self.node, [("next", .uid(99)), ("name", .integer(1)), ("list", .uid(99))])
        let object = try KeyedArchive(parsing: builder.encoded(top: [("root", root)])).root()
        let dangling = #expect(throws: PlistError.self) { try object.object("next") }
        #expect(dangling?.description == "$objects[1].next: the archive has no object 99")
        let wrong = #expect(throws: PlistError.self) { try object.string("name") }
        #expect(wrong?.reason == .wrongType(expected: .string, found: .integer))
        let missing = #expect(throws: PlistError.self) {
            try KeyedArchive(parsing: builder.encoded(top: [("other", root)])).root()
        }
        #expect(missing?.reason == .missingMember("root"))
        let outside = #expect(throws: PlistError.self) {
            try KeyedArchive(parsing: builder.encoded(top: [("root", .uid(50))])).root()
        }
        #expect(outside?.reason == .danglingReference(50))
    }

    @Test func `A keyed archive may list its collections the old way, one key for each element`() throws {
        let text = """
            <plist version="1.0"><dict><key>$archiver</key><string>NSKeyedArchiver</string><key>$version</key>
            <integer>100000</integer><key>$top</key><dict><key>root</key><dict><key>CF$UID</key><integer>1</integer></dict></dict>
            <key>$objects</key><array><string>$null</string><dict><key>$class</key><dict><key>CF$UID</key><integer>4</integer></dict>
            <key>NS.key.0</key><dict><key>CF$UID</key><integer>2</integer></dict>
            <key>NS.object.0</key><dict><key>CF$UID</key><integer>3</integer></dict></dict><string>k</string><string>v</string>
            <dict><key>$classname</key><string>NSDictionary</string></dict></array></dict></plist>
            """
        let root = try KeyedArchive(parsing: Array(text.utf8)).root()
        #expect(root.className == "NSDictionary")
        let entries = try root.namedEntries()
        #expect(entries.map(\.key) == ["k"])
        #expect(entries.map(\.value.scalar) == [.string("v")])
    }

    @Test func `A keyed archive unwraps texts, data and dates from their objects`() throws {
        var builder = KeyedArchiveBuilder()
        let text = builder.add(["NSMutableString", "NSString", "NSObject"], [("NS.string", .string("t"))])
        let data = builder.add(["NSMutableData", "NSData", "NSObject"], [("NS.data", .data([1]))])
        let date = builder.add(["NSDate", "NSObject"], [("NS.time", .real(5))])
        let root = builder.add(array: [text, data, date])
        let elements = try KeyedArchive(parsing: builder.encoded(top: [("root", root)])).root().elements()
        let expected: [PlistValue?] = [.string("t"), .data([1]), PlistDate(secondsSince2001: 5).map { .date($0) }]
        #expect(elements.map(\.scalar) == expected)
    }
}

@Suite struct `A binary property list that we write` {
    static let values: [PlistValue] = [
        .string(""), .string("ascii"), .string("Zürich 😀"), .string(String(repeating: "x", count: 300)), .integer(0),
        .integer(255), .integer(256), .integer(65_536), .integer(1 << 40), .integer(-1), .integer(.min),
        .largeInteger(.max), .real(-0.5), .boolean(true), .boolean(false), .data([]), .data(Array(0...255)),
        .uid(7), .uid(70_000), .array([]), .array(Array(repeating: .string("same"), count: 20)),
        .array((0..<300).map { .integer(Int64($0)) }),
    ]

    @Test(arguments: values)
    func `A binary property list that we write is read as the value it was made of`(_ value: PlistValue) throws {
        let root = PlistValue.array([
            value, .dictionary(PlistDictionary([("k", value), ("é", .array([value]))]) ?? .init()),
        ])
        let bytes = root.encodedBinary()
        #expect(try PlistValue(parsing: bytes) == root)
        #expect(root.encodedBinary() == bytes)
    }

    @Test(.enabled(if: ExternalTool("python3") != nil, "needs python3"))
    func `A binary property list that we write is read by Python's plistlib`() throws {
        let value = PlistValue.array(Self.values.filter { $0.uid == nil })
        let hex = value.encodedBinary().map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0\(digits)" : digits
        }.joined()
        let script =
            "import plistlib, sys; v = plistlib.loads(bytes.fromhex(sys.argv[1])); print(len(v), v[2], v[11], v[10])"
        let output = try #require(ExternalTool("python3")?.output(["-c", script, hex]))
        #expect(String(decoding: output, as: UTF8.self) == "20 Zürich 😀 18446744073709551615 -9223372036854775808\n")
    }
}
