import JSONText
import Testing
import WidgetPlist
import WidgetTestSupport

/// Python's plistlib writes trees in both forms and says in JSON what they hold; both must read as that.
@Suite struct `What Python's plistlib writes` {
    private static let script = #"""
        import base64, datetime, json, plistlib, random
        random.seed(20)
        words = ['', 'a', 'key', 'Zürich', '😀', 'a<b>&"\'', ' x ', 'n' * 20, 'line\nline', 'é', 'e\u0301', ']]>']
        def scalar():
            return random.choice([
                lambda: random.choice(words), lambda: random.choice([0, 1, -1, 255, 256, 65536, 2**31, 2**32, -2**63, 2**63 - 1, 2**63, 2**64 - 1]),
                lambda: random.choice([0.0, 1.5, -2.25e-10, 1e300, float('inf')]), lambda: random.random() < 0.5,
                lambda: bytes(random.randrange(256) for _ in range(random.choice([0, 1, 14, 15, 16, 300]))),
                lambda: datetime.datetime(random.randrange(1, 9999), random.randrange(1, 13), random.randrange(1, 29), random.randrange(24), random.randrange(60), random.randrange(60)),
            ])()
        def tree(depth):
            kind = random.random()
            if depth == 0 or kind < 0.5: return scalar()
            if kind < 0.75: return [tree(depth - 1) for _ in range(random.choice([0, 1, 3, 16]))]
            return {random.choice(words) + str(i): tree(depth - 1) for i in range(random.choice([0, 1, 3, 20]))}
        def said(v):
            if isinstance(v, dict): return ['d', [[k, said(w)] for k, w in v.items()]]
            if isinstance(v, list): return ['a', [said(w) for w in v]]
            if isinstance(v, str): return ['s', v]
            if isinstance(v, bool): return ['b', v]
            if isinstance(v, int): return ['i', str(v)]
            if isinstance(v, float): return ['r', repr(v)]
            if isinstance(v, bytes): return ['x', v.hex()]
            return ['t', (v - datetime.datetime(2001, 1, 1)).total_seconds()]
        for _ in range(60):
            v = {'root': tree(4), 'big': list(range(random.choice([0, 300])))}
            print(json.dumps({'said': said(v), 'forms': [plistlib.dumps(v, fmt=f, sort_keys=False).hex() for f in (plistlib.FMT_BINARY, plistlib.FMT_XML)]}))
        """#

    @Test(.enabled(if: ExternalTool("python3") != nil, "needs python3"))
    func `A property list of Python's plistlib is read as the tree it wrote, in both forms`() throws {
        let output = try #require(ExternalTool("python3")?.output(["-c", Self.script]))
        let lines = output.split(separator: UInt8(ascii: "\n"))
        #expect(lines.count == 60)
        let jsonLimits = JSONLimits(byteCount: 1 << 26, valueCount: 10_000_000)
        for (number, line) in lines.enumerated() {
            let sample = try JSONValue(parsing: Array(line), limits: jsonLimits)
            let said = try #require(sample["said"])
            let expected = try Self.tree(said)
            for form in try #require(sample["forms"]?.array) {
                let hex = try #require(form.string)
                let value = try PlistValue(parsing: Self.bytes(hex), limits: PlistLimits(byteCount: 1 << 24))
                #expect(value == expected, "sample \(number)")
                #expect(value.dictionary?.keys == expected.dictionary?.keys)
            }
        }
    }

    private static func tree(_ said: JSONValue) throws -> PlistValue {
        let pair = try #require(said.array)
        let text = pair[1].string ?? ""
        switch pair[0].string {
        case "d":
            let members = try #require(pair[1].array).map { member in
                let parts = try #require(member.array)
                return (try #require(parts[0].string), try tree(parts[1]))
            }
            return .dictionary(try #require(PlistDictionary(members)))
        case "a": return .array(try #require(pair[1].array).map(tree))
        case "s": return .string(text)
        case "b": return .boolean(pair[1].boolean == true)
        case "i":
            if let integer = Int64(text) { return .integer(integer) }
            return .largeInteger(try #require(UInt64(text)))
        case "r": return .real(try #require(Double(text)))
        case "x": return .data(bytes(text))
        default:
            let seconds = try #require(pair[1].double)
            let date = try #require(PlistDate(secondsSince2001: seconds))
            return .date(date)
        }
    }

    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.utf8.map { $0 < 0x3A ? $0 - 0x30 : $0 - 0x57 }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}

/// The framework's own demo bundle, when it lies beside the repository.
@Suite struct `The demo bundle's property lists` {
    private static func entry(_ name: String) -> [UInt8]? { try? Samples.demo(name) }

    private static let isHere = Samples.canBeUnpacked

    @Test(.enabled(if: isHere, "needs the original samples")) func `The demo bundle's property lists name the bundle`()
        throws
    {
        let bytes = try #require(Self.entry("Info.plist"))
        let info = try #require(try PlistValue(parsing: bytes).dictionary)
        #expect(try info.require("CFBundleName", as: String.self) == "WidgetDemo")
        #expect(try !info.require("CFBundleIdentifier", as: String.self).isEmpty)
    }

    @Test(
        .enabled(if: isHere, "needs the original samples"),
        arguments: ["Model.momd/VersionInfo.plist", "Model.momd/Model.mom", "Base.lproj/Main.storyboardc/Info.plist"])
    func `The demo bundle's property lists are read`(_ name: String) throws {
        let bytes = try #require(Self.entry(name))
        let value = try PlistValue(parsing: bytes)
        #expect(value.dictionary?.isEmpty == false)
    }

    @Test(
        .enabled(if: isHere, "needs the original samples"),
        arguments: ["FeedViewController.json", "NewPostViewController.json", "StubService.json"])
    func `The demo bundle's schemes are read, and written again to the same value`(_ name: String) throws {
        let bytes = try #require(Self.entry(name))
        let document = try JSONDocument(parsing: bytes, root: .container)
        var writer = JSONWriter()
        writer.value(document.root)
        #expect(try JSONValue(parsing: writer.bytes) == document.root)
    }
}
