import Testing
import WidgetBundles
import WidgetBytes
import WidgetFindings
import WidgetTestSupport
import WidgetZip

/// Goal: what the tools of publishers write is taken in, and the report says how it was read. Method: bundles as Finder,
/// `zip` in a bare container, translators and converters of pictures leave them.
@Suite struct `An ordinary bundle` {
    /// The bundle of a publisher whose `zip` sets no flags.
    private static func unmarked(host: UInt16, _ files: [(String, [UInt8])]) -> ZipForge {
        var forge = ZipForge(
            ([("Info.plist", Intake.info)] + FirstScreenFiles.all + files).map {
                .init(Array("Sample.bundle/\($0.0)".utf8), $0.1)
            })
        for index in forge.entries.indices {
            forge.entries[index].both(\.flags, 0)
            forge.entries[index].central.madeBy = host << 8 | 20
        }
        return forge
    }

    @Test(arguments: [3, 19] as [UInt16])
    func `An ordinary bundle with unmarked names is taken in, reported and written with the flag`(
        _ host: UInt16
    ) throws {
        let forge = Self.unmarked(host: host, [("gro\u{308}\u{DF}e.json", Media.json), ("a.json", Media.json)])
        let taken = try Intake.take(forge.build().bytes)
        let path = "Sample.bundle/gr\u{F6}\u{DF}e.json"
        #expect(taken.bundle.files.map { Array($0.path.utf8) }.contains(Array("gr\u{F6}\u{DF}e.json".utf8)))
        #expect(taken.report.warnings.map(\.code) == [.nameNotMarked, .nameNormalized])
        #expect(taken.report.warnings.allSatisfy { $0.path == path })
        // The served form is the one that a marked archive gives, and needs no repair.
        let marked = try Intake.take(
            Intake.archive(FirstScreenFiles.all + [("gr\u{F6}\u{DF}e.json", Media.json), ("a.json", Media.json)]))
        #expect(taken.bytes == marked.bytes)
        let again = try Intake.take(taken.bytes, strict: true)
        #expect(again.report.isClean && again.bytes == taken.bytes)
        let refusal = try #require(try Intake.refusal(forge.build().bytes, strict: true))
        #expect(refusal.code == .policyRefused)
        #expect(refusal.details.map(\.code) == ["name-not-marked", "name-normalized"])
        #expect(refusal.details[0].detail.contains("pack with a tool that marks names as UTF-8"))
    }

    @Test func `An ordinary bundle with many unmarked names has one warning about them`() throws {
        let names = ["\u{E4}.json", "\u{F6}.json", "\u{FC}.json"]
        let taken = try Intake.take(Self.unmarked(host: 3, names.map { ($0, Media.json) }).build().bytes)
        #expect(taken.report.warnings.map(\.code) == [.nameNotMarked])
        #expect(taken.report.warnings.first?.path == "Sample.bundle/\u{E4}.json")
        #expect(taken.report.warnings.first?.detail.hasSuffix("read as UTF-8, and 2 further names as well") == true)
    }

    @Test func `An ordinary bundle with a name in an unknown encoding is refused, with a way out`() throws {
        var forge = Self.unmarked(host: 3, [("x.json", Media.json), ("y.json", Media.json)])
        let last = forge.entries.count - 1
        forge.entries[last - 1].both(\.name, Array("Sample.bundle/caf".utf8) + [0x82] + Array(".json".utf8))
        forge.entries[last].both(\.name, Array("Sample.bundle/\u{E9}.json".utf8))
        let error = try #require(try Intake.refusal(forge.build().bytes))
        #expect(error.code == .entryRefused)
        #expect(error.sentence.contains("neither ASCII nor marked as UTF-8") && error.remedy.contains("widget pack"))
        let windows = Self.unmarked(host: 0, [("\u{E9}.json", Media.json)])
        #expect(try Intake.refusal(windows.build().bytes)?.code == .entryRefused)
    }

    @Test func `An ordinary bundle's translations are read as CoreFoundation reads them, with warnings`() throws {
        let text = """
            "a" = "1";
            "b" = "\\(x\\)";
            "a" = "2";
            "c" = "caf\\u00e9";
            """
        let archive = Intake.archive([("de.lproj/Localizable.strings", Array(text.utf8))])
        let taken = try Intake.take(archive)
        let found = taken.report.findings.filter { $0.place?.file == "de.lproj/Localizable.strings" }
        #expect(
            found.map { "\($0.place?.line ?? 0):\($0.place?.column ?? 0) \($0.code.rawValue)" } == [
                "2:8 needless-backslash", "2:11 needless-backslash", "3:1 repeated-key", "4:11 small-u",
            ])
        #expect(found.allSatisfy { $0.severity == .warning })
        // The file itself is served as it came.
        #expect(
            try Opened.contents(taken.bytes)["Sample.bundle/de.lproj/Localizable.strings"] == Array(text.utf8))
        let refusal = try #require(try Intake.refusal(archive, strict: true))
        let details = refusal.details.filter { $0.path == "de.lproj/Localizable.strings" }
        #expect(refusal.code == .policyRefused && details.count == 4)
        #expect(details[2].detail.hasPrefix("line 3, column 1: the key a is given again"))
    }

    @Test func `An ordinary bundle's property list may repeat a key, with a warning`() throws {
        let text = "<plist version=\"1.0\"><dict>\n<key>a</key><true/>\n<key>a</key><false/>\n</dict></plist>"
        let archive = Intake.archive([
            ("de.lproj/Plurals.stringsdict", Array(text.utf8)), ("a.plist", Array(text.utf8)),
        ])
        let found = try Intake.take(archive).report.findings.filter { $0.code == .repeatedKey }
        #expect(
            found.map { "\($0.place?.file ?? ""):\($0.place?.line ?? 0)" } == [
                "a.plist:3", "de.lproj/Plurals.stringsdict:3",
            ])
        #expect(try Intake.refusal(archive, strict: true)?.code == .policyRefused)
    }

    @Test func `An ordinary bundle's Info.plist may repeat a key, but not with another identity`() throws {
        func info(_ more: String) -> [UInt8] {
            let text = String(decoding: Intake.info, as: UTF8.self)
            return Array(text.replacing("</dict>", with: "\n\(more)</dict>").utf8)
        }
        let harmless = Intake.archive([
            ("Info.plist", info("<key>UIStatus</key><true/><key>UIStatus</key><false/>"))
        ])
        let warnings = try Intake.take(harmless).report.findings.filter { $0.place?.file == "Info.plist" }
        #expect(warnings.map { "\($0.place?.line ?? 0) \($0.code.rawValue)" } == ["4 repeated-key"])
        let same = info("<key>CFBundleVersion</key><string>7</string>")
        #expect(try Intake.take(Intake.archive([("Info.plist", same)])).bundle.manifest.build == "7")
        for key in [
            "CFBundleIdentifier", "CFBundleVersion", "CFBundleShortVersionString", "CFBundleName", "CFBundleExecutable",
        ] {
            let other = info("<key>\(key)</key><string>com.example.Other</string>")
            let error = try #require(try Intake.refusal(Intake.archive([("Info.plist", other)])))
            #expect(error.code == .infoPlistInvalid && error.line == 4 && error.path == "Sample.bundle/Info.plist")
            #expect(error.sentence.contains("the dictionary already has the key \(key)"))
        }
    }

    @Test(arguments: [
        ("a.png", Media.webp(), "it is a WebP picture; name it `.webp`"),
        ("a.png", Media.jpeg(), "it is a JPEG picture; name it `.jpg`"),
        ("a.gif", Media.png(), "it is a PNG picture; name it `.png`"),
        ("a.jpg", Media.gif(), "it is a GIF picture; name it `.gif`"),
        ("a.jpg", Media.heic(), "it is an HEIC picture; name it `.heic`"),
        ("a.webp", Media.png(), "it is a PNG picture; name it `.png`"),
        ("a.heic", Media.jpeg(), "it is a JPEG picture; name it `.jpg`"),
        ("a.ttf", Media.png(), "it is a PNG picture; name it `.png`"),
        (
            "a.png", Array("8BPS\0\u{1}".utf8) + [UInt8](repeating: 0, count: 60),
            "it is a Photoshop picture, which bundles do not hold"
        ),
        ("a.jpg", [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0], "it is a TIFF picture, which bundles do not hold"),
        (
            "a.png", Array("BM".utf8) + [UInt8](repeating: 0, count: 40),
            "it is a BMP picture, which bundles do not hold"
        ),
        (
            "a.jpg", [0, 0, 0, 20] + Array("ftypavif".utf8) + [0, 0, 0, 0],
            "it is an AVIF picture, which bundles do not hold"
        ),
    ])
    func `An ordinary bundle's picture under another name is refused with the right one`(
        _ name: String, _ content: [UInt8], _ sentence: String
    ) throws {
        let error = try #require(try Intake.refusal(Intake.archive([(name, content)])))
        #expect(error.code == .entryRefused && error.path == "Sample.bundle/\(name)")
        #expect(error.sentence == sentence)
        if sentence.hasSuffix("`") { #expect(error.remedy.hasPrefix("Rename the file")) }
    }

    @Test func `An ordinary bundle's picture is accepted under the name that its refusal gives`() throws {
        for (name, content) in [
            ("a.webp", Media.webp()), ("a.jpg", Media.jpeg()), ("a.png", Media.png()), ("a.gif", Media.gif()),
            ("a.heic", Media.heic()),
        ] {
            #expect(try Intake.refusal(Intake.archive([(name, content)])) == nil, "\(name)")
        }
    }

    @Test func `An ordinary bundle's source of an interface is named as such`() throws {
        let xib = `A file that is not what its name says`.xib
        let error = try #require(try Intake.refusal(Intake.archive([("a.nib", xib)])))
        #expect(error.sentence.contains("it is the source of an interface; build the bundle with `widget build`"))
    }

    @Test func `An ordinary bundle's JSON is refused for two members that are one text to Unicode`() throws {
        let text = "{\"masterKeyPath\": \"id\",\n \"master\u{212A}eyPath\": \"name\"}"
        let error = try #require(try Intake.refusal(Intake.archive([("Feed.json", Array(text.utf8))])))
        #expect(error.code == .invalidJSON && error.line == 2 && error.column == 2)
        #expect(error.sentence.contains("spelled with other code points of Unicode"))
        let utf16 = try #require(
            try Intake.refusal(Intake.archive([("Feed.json", [0xFF, 0xFE, 0x7B, 0, 0x7D, 0])])))
        #expect(utf16.sentence == "the document is in UTF-16; save it as UTF-8")
    }

    @Test func `An ordinary bundle's service may lead back to its application`() throws {
        let service = "{\"auth\": {\"callbackUrl\": \"twitterdemo://oauth\"}}"
        let taken = try Intake.take(Intake.archive([("Service.json", Array(service.utf8))]))
        #expect(taken.report.findings.allSatisfy { $0.place?.file != "Service.json" })
        let script = Array(service.replacing("twitterdemo:", with: "javascript:").utf8)
        #expect(try Intake.refusal(Intake.archive([("Service.json", script)]))?.code == .policyRefused)
    }

    @Test func `An ordinary folder with a very regular picture is packed and taken in`() throws {
        // Like a screen of one colour, stored uncompressed in its file: packing makes nearly nothing of it.
        let picture =
            Media.pngSignature + Media.header(4, 4)
            + Media.chunk("IDAT", [UInt8](repeating: 0, count: 2 << 20)) + Media.chunk("IEND")
        let taken = try `A folder`.take(
            [("Info.plist", Intake.info), ("Default.png", picture)], named: "Sample.bundle")
        #expect(taken.bundle.files.map(\.path) == ["Default.png", "Info.plist"])
        #expect(taken.bundle.files[0].method == .stored && taken.bundle.files[1].method == .deflate)
    }
}
