import JSONText
import Testing
import WidgetBundles
import WidgetBytes
import WidgetFindings
import WidgetTestSupport

@Suite struct `A report` {
    static func sample() throws -> Intake.Result {
        let info = Intake.info(["CFBundleVersion": nil])
        return try Intake.take(
            Intake.archive([("Info.plist", info), ("a.json", Media.json), ("Sample", `What is stripped`.code)]))
    }

    @Test func `a report as JSON has exactly its members`() throws {
        let taken = try Self.sample()
        let root = try JSONValue(parsing: taken.report.json)
        #expect(
            root.object?.members.map(\.name) == [
                "findings", "warnings", "stripped", "kept", "source", "content", "sha256", "size",
            ])
        let stripped = try #require(root["stripped"]?.array?.first?.object)
        #expect(stripped.members.map(\.name) == ["path", "kind", "rule", "size", "sha256"])
        #expect(stripped["path"]?.string == "Sample.bundle/Sample")
        #expect(stripped["kind"]?.string == "Mach-O")
        #expect(stripped["rule"]?.string == "executable")
        #expect(stripped["size"]?.integer == 8)
        #expect(stripped["sha256"]?.string == Digest.sha256(`What is stripped`.code)?.hex)
        let warning = try #require(root["warnings"]?.array?.first?.object)
        #expect(warning.members.map(\.name) == ["code", "path", "detail"])
        #expect(warning["code"]?.string == "build-defaulted")
        let kept = try #require(root["kept"]?.array)
        #expect(kept.map { $0["path"]?.string } == ["Info.plist", "a.json"])
        #expect(root["content"]?.string == taken.bundle.contentDigest.hex)
        #expect(root["sha256"]?.string == Digest.sha256(taken.bytes)?.hex)
        #expect(root["source"]?["sha256"]?.string?.count == 64)
    }

    @Test func `a report is read back from its JSON`() throws {
        let report = try Self.sample().report
        #expect(try JSONDocument(parsing: report.json).cursor.decode() == report)
    }

    @Test(arguments: [
        ("\"kind\":\"Mach-O\"", "\"kind\":\"sorcery\""), ("\"rule\":\"executable\"", "\"rule\":\"whim\""),
        ("\"size\":8", "\"size\":-8"), ("\"size\":8", "\"size\":9000000000000000000"),
        ("\"content\":\"", "\"content\":\"x"), ("\"warnings\":[", "\"warnings\":[7,"),
    ])
    func `a report is not read from JSON that means something else`(_ text: String, _ other: String) throws {
        let json = String(decoding: try Self.sample().report.json, as: UTF8.self)
        try #require(json.contains(text))
        let document = try JSONDocument(parsing: Array(json.replacing(text, with: other, maxReplacements: 1).utf8))
        #expect(throws: JSONError.self) { try document.cursor.decode(as: BundleReport.self) }
    }

    @Test func `a report has the digest of the publisher's archive`() throws {
        let archive = Intake.archive([("a.json", Media.json)])
        let taken = try Intake.take(archive)
        #expect(taken.report.source == .init(digest: .sha256(archive), byteCount: archive.count))
    }

    @Test func `a report for people groups files by rule and shows sizes`() throws {
        let taken = try Self.sample()
        let lines = ReportText(taken.report).lines
        let size = taken.report.kept.reduce(0) { $0 + $1.byteCount }
        // Warnings and findings come first.
        #expect(lines[0].hasPrefix("warning Main.storyboardc: ") && lines[0].hasSuffix(" [no-interface]"))
        #expect(
            lines[1] == "warning Sample.bundle/Info.plist: CFBundleVersion is absent; 1 is used [build-defaulted]")
        #expect(
            lines[2]
                == "kept 2 files, \(size) B unpacked; \(taken.report.source.byteCount) B came in, \(taken.bytes.count) B go out"
        )
        #expect(lines[3] == "stripped code: 1 file, 8 B")
        #expect(lines[4] == "  Sample.bundle/Sample  Mach-O, 8 B")
        #expect(lines.allSatisfy { !$0.contains("\u{1B}") })
        #expect(ReportText(taken.report, usesColor: true).description.contains("\u{1B}[33mstripped\u{1B}[0m"))
    }

    @Test func `a report for people adds up any sizes`() throws {
        var report = try Self.sample().report
        report.kept = Array(repeating: try #require(report.kept.first), count: 3)
        report.stripped = Array(repeating: try #require(report.stripped.first), count: 3)
        for index in 0..<3 {
            report.kept[index].byteCount = .max / 2
            report.stripped[index].byteCount = .max / 2
        }
        #expect(ReportText(report).lines.contains { $0.hasPrefix("kept 3 files, ") })
    }

    @Test func `a report for people shows findings by line and column, and never moves the cursor`() {
        let finding = Finding(
            .error, Finding.Code(rawValue: "x"), "bad\nline",
            at: Place(file: "a\u{1B}[2J\u{202E}.json", line: 3, column: 9))
        #expect(
            ReportText.lines(for: [finding])
                == ["error a\\u{1b}[2J\\u{202e}.json:3:9: bad\\u{a}line [x]"])
    }
}

@Suite struct `A refusal` {
    @Test func `a refusal of JSON has line and column`() throws {
        for (text, line, column) in [
            ("{\"a\": 1,\n \"a\": 2}", 2, 2), ("[1,]", 1, 3), ("", 1, 1), ("1", 1, 1), ("\u{FEFF}{}", 1, 1),
            ("{\n\n  x}", 3, 3), ("\"text\"", 1, 1), ("[\"\\ud800\"]", 1, 3), ("[01]", 1, 2), ("{} {}", 1, 4),
            (String(repeating: "[", count: 65) + String(repeating: "]", count: 65), 1, 65),
        ] {
            let error = try Intake.refusal(Intake.archive([("x/a.json", Array(text.utf8))]))
            #expect(error?.code == .invalidJSON, "\(text)")
            #expect(error?.path == "Sample.bundle/x/a.json")
            #expect(error?.line == line, "\(text)")
            #expect(error?.column == column, "\(text)")
            #expect(error?.description.hasPrefix("Sample.bundle/x/a.json:\(line):\(column): ") == true)
        }
        let error = try Intake.refusal(Intake.archive([("a.json", [0x5B, 0xFF, 0x5D])]))
        #expect(error?.code == .invalidJSON)
    }

    static let lists: [(String, [UInt8])] = [
        ("a.plist", Array("{}".utf8)), ("a.plist", []),
        (
            "a.plist",
            Array("<!DOCTYPE plist [<!ENTITY a \"b\">]><plist version=\"1.0\"><string>&a;</string></plist>".utf8)
        ),
        ("a.plist", Array("<plist version=\"1.0\"><string>&b;</string></plist>".utf8)),
        (
            "a.stringsdict",
            Array("<plist version=\"1.0\"><dict><key>a</key><true/><key>a</key></dict></plist>".utf8)
        ),
        ("a.plist", PlistForge(PlistForge.array([0])).bytes), ("a.plist", Array(Media.binaryPlist.dropLast())),
        ("en.lproj/a.strings", Array("\"a\" = ".utf8)), ("a.strings", Array("a = b; a c;".utf8)),
    ]

    @Test(arguments: lists.indices) func `a refusal of a property list or strings names the file`(_ index: Int) throws {
        let (name, content) = Self.lists[index]
        let error = try Intake.refusal(Intake.archive([(name, content)]))
        #expect(error?.code == .entryRefused)
        #expect(error?.path == "Sample.bundle/\(name)")
        guard case .plist = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(arguments: ["a.json", "a.plist", "a.strings", "a.nib", "a.mom", "M.momd/a.omo"])
    func `a refusal of a file too large to read names the limit`(_ name: String) throws {
        var content = Array(repeating: UInt8(ascii: " "), count: (1 << 20) - 1)
        #expect(try Intake.refusal(Intake.archive([(name, content + [0x20])], stored: true))?.code != .tooLarge)
        content += [0x20, 0x20]
        let error = try Intake.refusal(Intake.archive([(name, content)], stored: true))
        #expect(error?.reason == .tooLargeToRead(limit: 1 << 20))
        #expect(error?.code == .tooLarge)
    }

    @Test func `a refusal of an archive has its code`() throws {
        func code(_ bytes: [UInt8], _ change: (inout BundleLimits) -> Void = { _ in }) throws -> BundleError.Code? {
            var policy = BundlePolicy()
            change(&policy.limits)
            return try Intake.refusal(bytes, policy: policy)?.code
        }
        let sound = Intake.archive([("a.json", Media.json)])
        #expect(try code(sound) == nil)
        #expect(try code(Array("<html>not a zip</html>, longer than an end record".utf8)) == .notAZip)
        #expect(try code([]) == .notAZip)
        #expect(try code(sound + [0]) == .archiveRefused)
        #expect(try code(sound) { $0.archiveByteCount = 100 } == .tooLarge)
        #expect(try code(sound) { $0.entryCount = 1 } == .tooManyFiles)
        #expect(try code(sound) { $0.expandedByteCount = 100 } == .expansionRefused)
        #expect(try code(sound) { $0.fileByteCount = 100 } == .expansionRefused)
        #expect(try code(sound) { $0.pathDepth = 1 } == .entryRefused)
        #expect(try code(sound) { $0.pathByteCount = 10 } == .entryRefused)
        #expect(try code(sound) { $0.parsedByteCount = 5 } == .tooLarge)
        // 301 files in 301 folders, of which the archive has no entries; 256 of them are free.
        let nested = Intake.archive((0..<300).map { ("\($0)/a.json", Media.json) })
        #expect(try code(nested) { $0.entryCount = 345 } == .tooManyFiles)
        #expect(try code(nested) { $0.entryCount = 346 } == nil)
        let white = Array(repeating: UInt8(ascii: " "), count: 2 << 20)
        #expect(try code(Intake.archive([("a.txt", white)])) == .expansionRefused)
        #expect(try code(Intake.raw([("Sample.bundle/../x", [])])) == .entryRefused)
        #expect(try code(Intake.raw([("A.bundle/a", []), ("A.bundle/A", [])])) == .entryRefused)
        var broken = Intake.raw([("Sample.bundle/Info.plist", Intake.info)], stored: true)
        broken[60] ^= 1
        #expect(try code(broken) == .entryRefused)
    }

    @Test func `a refusal under strict carries the whole report`() throws {
        let error = try Intake.refusal(
            Intake.archive([("a.txt", [1]), ("Info.plist", Intake.info(["CFBundleVersion": nil]))]), strict: true)
        #expect(error?.details.map(\.code) == ["no-interface", "build-defaulted", "not-allowed"])
        guard case .notStrict(let report) = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(report.stripped.count == 1 && report.warnings.count == 1)
    }
}
