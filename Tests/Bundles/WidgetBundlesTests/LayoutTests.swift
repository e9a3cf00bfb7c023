import Testing
import WidgetBundles
import WidgetTestSupport
import WidgetZip

@Suite struct `Where the bundle is` {
    static let info = ("Info.plist", Intake.info)

    @Test(arguments: [
        ("Sample.bundle/", "Sample"), ("My App.app/", "My App"), ("Payload/Wörld.app/", "Wörld"), ("", "Sample"),
        ("A.b.bundle/", "A.b"),
    ]) func `a bundle is found in four shapes of archives`(_ prefix: String, _ name: String) throws {
        let taken = try Intake.take(
            Intake.raw(
                [(prefix + "Info.plist", Intake.info), (prefix + "x/a.json", Media.json)]
                    + FirstScreenFiles.all(in: prefix)), strict: true)
        #expect(taken.bundle.name == name)
        #expect(taken.bundle.files.map(\.path) == ["Info.plist"] + FirstScreenFiles.all.map(\.0) + ["x/a.json"])
        #expect(try Opened.contents(taken.bytes)["\(name).bundle/x/a.json"] == Media.json)
    }

    @Test func `the one application of an archive of Xcode is the bundle, with a warning`() throws {
        let place = "W.xcarchive/Products/Applications/Weather.app/"
        let files: [(String, [UInt8])] = [
            ("W.xcarchive/Info.plist", Media.plist), (place + "Info.plist", Intake.info),
            (place + "x/a.json", Media.json),
            ("W.xcarchive/dSYMs/Weather.app.dSYM/Contents/Resources/DWARF/Weather", `What is stripped`.code),
        ]
        let taken = try Intake.take(Intake.raw(files))
        #expect(taken.bundle.name == "Weather")
        #expect(taken.bundle.files.map(\.path) == ["Info.plist", "x/a.json"])
        #expect(taken.report.stripped.map(\.rule) == [.packaging, .executable])
        #expect(taken.report.warnings.map(\.code) == [.fromXcodeArchive])
        #expect(try Intake.refusal(Intake.raw(files), strict: true)?.code == .policyRefused)
        let second = [("W.xcarchive/Products/Applications/B.app/Info.plist", Intake.info)]
        #expect(
            try Intake.refusal(Intake.raw(files + second))?.reason
                == .severalBundles(first: "Weather.app", second: "B.app"))
        #expect(try Intake.refusal(Intake.raw(files + [("b.json", Media.json)]))?.reason == .besideBundle)
        #expect(try Intake.refusal(Intake.raw([("W.xcarchive/Info.plist", Media.plist)]))?.reason == .noBundle)
    }

    @Test func `a bundle may have noise beside it, and an application packaging`() throws {
        let noisy = try Intake.take(
            Intake.raw([
                ("__MACOSX/Sample.bundle/._Info.plist", [0]), (".DS_Store", [1]),
                ("Sample.bundle/Info.plist", Intake.info),
            ]))
        #expect(noisy.report.stripped.map(\.rule) == [.noise, .noise])
        let packed = try Intake.take(
            Intake.raw([
                ("META-INF/com.apple.ZipMetadata.plist", [1]), ("Payload/A.app/Info.plist", Intake.info),
                ("SwiftSupport/iphoneos/libswiftCore.dylib", `What is stripped`.code), ("Symbols/x.symbols", [2]),
                ("iTunesArtwork", [3]), ("iTunesMetadata.plist", Media.plist),
            ]))
        #expect(packed.report.stripped.map(\.rule) == [.packaging, .executable, .packaging, .packaging, .packaging])
        #expect(packed.report.kept.map(\.path) == ["Info.plist"])
    }

    @Test func `bundles inside a bundle are stripped`() throws {
        let taken = try Intake.take(
            Intake.raw([
                ("Info.plist", Intake.info), ("X.bundle/Info.plist", Intake.info), ("X.bundle/a.json", [1]),
                ("b.json", Media.json),
            ]))
        #expect(taken.report.stripped.map(\.rule) == [.nestedBundle, .nestedBundle])
    }

    static let refused: [(String, [String], BundleError.Code, BundleError.Reason, String?)] = [
        ("no bundle", ["a/Info.plist"], .infoPlistMissing, .noBundle, nil),
        ("nothing", [], .infoPlistMissing, .noBundle, nil),
        ("noise alone", [".DS_Store", "__MACOSX/x"], .infoPlistMissing, .noBundle, nil),
        ("a file named so", ["X.bundle"], .infoPlistMissing, .noBundle, nil),
        (
            "two bundles", ["A.bundle/Info.plist", "B.bundle/Info.plist"], .archiveRefused,
            .severalBundles(first: "A.bundle", second: "B.bundle"), "B.bundle/Info.plist"
        ),
        (
            "a bundle and an application", ["A.app/Info.plist", "B.bundle/Info.plist"], .archiveRefused,
            .severalBundles(first: "A.app", second: "B.bundle"), "B.bundle/Info.plist"
        ),
        (
            "two applications", ["Payload/A.app/Info.plist", "Payload/B.app/Info.plist"], .archiveRefused,
            .severalBundles(first: "A.app", second: "B.app"), "Payload/B.app/Info.plist"
        ),
        (
            "a dictionary beside it", ["Info.plist", "A.bundle/Info.plist"], .entryRefused, .besideBundle, "Info.plist"
        ),
        (
            "a dictionary beside the payload", ["Info.plist", "a.plist", "Payload/A.app/Info.plist"], .entryRefused,
            .besideBundle, "Info.plist"
        ),
        ("a file beside it", ["A.bundle/Info.plist", "b.json"], .entryRefused, .besideBundle, "b.json"),
        ("a folder beside it", ["A.bundle/Info.plist", "b/c.json"], .entryRefused, .besideBundle, "b/c.json"),
        ("code beside it", ["A.app/Info.plist", "SwiftSupport/x"], .entryRefused, .besideBundle, "SwiftSupport/x"),
        (
            "a file beside the payload", ["Payload/A.app/Info.plist", "b.json"], .entryRefused, .besideBundle, "b.json"
        ),
        (
            "a file in the payload", ["Payload/A.app/Info.plist", "Payload/b.json"], .entryRefused, .besideBundle,
            "Payload/b.json"
        ),
        ("a payload without one", ["Payload/a.json"], .infoPlistMissing, .noBundle, nil),
        ("one in a folder", ["x/A.bundle/Info.plist"], .infoPlistMissing, .noBundle, nil),
        ("no name", [".bundle/Info.plist"], .infoPlistInvalid, .unnamedBundle, ".bundle"),
        (
            "the folder above for a name", ["...bundle/Info.plist"], .infoPlistInvalid, .unusableName(".."),
            "...bundle/Info.plist"
        ),
        ("no dictionary", ["A.bundle/a.json"], .infoPlistMissing, .infoPlistMissing, "A.bundle/Info.plist"),
        (
            "its dictionary in lower case", ["A.bundle/info.plist"], .infoPlistMissing, .infoPlistMissing,
            "A.bundle/Info.plist"
        ),
        (
            "its dictionary elsewhere", ["A.bundle/x/Info.plist"], .infoPlistMissing, .infoPlistMissing,
            "A.bundle/Info.plist"
        ),
    ]

    @Test(arguments: refused.indices) func `an archive without exactly one bundle is refused`(_ index: Int) throws {
        let (name, paths, code, reason, path) = Self.refused[index]
        let error = try Intake.refusal(Intake.raw(paths.map { ($0, Intake.info) }))
        #expect(error?.reason == reason, "\(name)")
        #expect(error?.code == code)
        #expect(error?.path == path)
    }

    @Test func `a bundle whose new name makes paths too deep or too long is refused`() throws {
        let deep = (0..<15).map { "\($0)" }.joined(separator: "/")
        #expect(try Intake.refusal(Intake.raw([Self.info, ("\(deep)/a.json", Media.json)])) != nil)
        let error = try Intake.refusal(Intake.raw([Self.info, ("\(deep)/a.json", Media.json)]))
        #expect(error?.reason == .unsafePath(.tooDeep(16)))
        #expect(error?.code == .entryRefused)
        #expect(error?.path == "\(deep)/a.json")
    }

    @Test func `replaced separators are a warning`() throws {
        var forge = ZipForge([.init("Sample.bundle\\Info.plist", String(decoding: Intake.info, as: UTF8.self))])
        forge.entries.append(.init("Sample.bundle\\x\\a.json", "{}"))
        for index in forge.entries.indices {
            forge.entries[index].central.madeBy = 20
            forge.entries[index].central.externalAttributes = 0
        }
        let taken = try Intake.take(forge.build().bytes)
        #expect(taken.report.warnings.map(\.code) == [.separatorsReplaced, .separatorsReplaced])
        #expect(taken.bundle.files.map(\.path) == ["Info.plist", "x/a.json"])
        #expect(try Intake.refusal(forge.build().bytes, strict: true)?.code == .policyRefused)
    }
}

@Suite struct `An information dictionary` {
    static func refusal(_ info: [UInt8]) throws -> BundleError? {
        try Intake.refusal(Intake.archive([("Info.plist", info)]))
    }

    @Test(arguments: [
        "a.b", "com.example.Sample", "A-1.b-2", "1.2", "com.example.\(String(repeating: "x", count: 143))",
    ]) func `an information dictionary has an identifier`(_ identifier: String) throws {
        let info = Intake.info(["CFBundleIdentifier": "<string>\(identifier)</string>"])
        #expect(try Intake.take(Intake.archive([("Info.plist", info)])).bundle.manifest.identifier == identifier)
    }

    @Test(arguments: [
        "", "c", "com", ".com", "com.", "com..x", "-a.b", "a-.b", "a.-b", "a.b-", "a.b_c", "a.b c", "a.ü", "a/b.c",
        "a.*",
        "$(PRODUCT_BUNDLE_IDENTIFIER)", "com.example.\(String(repeating: "x", count: 144))",
    ]) func `an information dictionary with an unsuitable identifier is refused`(_ identifier: String) throws {
        let info = Intake.info(["CFBundleIdentifier": "<string>\(identifier)</string>"])
        let error = try Self.refusal(info)
        #expect(error?.reason == .infoPlistKey("CFBundleIdentifier", .notAnIdentifier))
        #expect(error?.code == .infoPlistInvalid)
        #expect(error?.path == "Sample.bundle/Info.plist")
    }

    static let refused: [(String, String?, ManifestFault)] = [
        ("CFBundleIdentifier", nil, .missing), ("CFBundleIdentifier", "<integer>1</integer>", .notAString),
        ("CFBundleShortVersionString", "<string></string>", .notAVersion),
        ("CFBundleShortVersionString", "<string>1 0</string>", .notAVersion),
        ("CFBundleShortVersionString", "<string>1~0</string>", .notAVersion),
        ("CFBundleShortVersionString", "<real>1.0</real>", .notAString),
        ("CFBundleVersion", "<integer>1</integer>", .notAString),
        ("CFBundleVersion", "<string>1/2</string>", .notAVersion),
        ("CFBundleVersion", "<string>\(String(repeating: "1", count: 65))</string>", .notAVersion),
        ("CFBundleVersion", "<array/>", .notAString), ("CFBundleVersion", "<string>$(V)</string>", .notAVersion),
        ("CFBundleName", "<string>\(String(repeating: "n", count: 129))</string>", .tooLong),
        ("CFBundleName", "<true/>", .notAString), ("CFBundleName", "<string>a&#10;b</string>", .controlCharacter),
        ("CFBundleDisplayName", "<string>\(String(repeating: "n", count: 129))</string>", .tooLong),
        ("CFBundleDisplayName", "<string>a&#x202E;b</string>", .controlCharacter),
        ("CFBundleExecutable", "<string>Info.plist</string>", .namesInfoPlist),
        ("CFBundleExecutable", "<dict/>", .notAString),
        ("MinimumOSVersion", "<string>ten point one</string>", .notAVersion),
        ("WidgetHostMinimumVersion", "<integer>1</integer>", .notAString),
    ]

    @Test(arguments: refused.indices)
    func `an information dictionary with unsuitable values is refused`(_ index: Int) throws {
        let (key, value, fault) = Self.refused[index]
        let error = try Self.refusal(Intake.info([key: value]))
        #expect(error?.reason == .infoPlistKey(key, fault))
        #expect(error?.code == .infoPlistInvalid)
    }

    @Test func `an information dictionary that is not a property list is refused with the place`() throws {
        let broken = try Self.refusal(Array("<plist version=\"1.0\">\n<dict><key>a</key></dict></plist>".utf8))
        #expect(broken?.code == .infoPlistInvalid && broken?.line == 2)
        #expect(
            try Self.refusal(Array("<plist version=\"1.0\"><array/></plist>".utf8))?.reason == .infoPlistNotDictionary)
        #expect(try Self.refusal([])?.code == .infoPlistInvalid)
        #expect(try Self.refusal(Array("bplist00".utf8))?.code == .infoPlistInvalid)
        let large = Array("<plist version=\"1.0\"><dict/></plist>".utf8) + Array(repeating: 0x20, count: 1 << 20)
        let archive = Intake.archive([("Info.plist", large)], stored: true)
        #expect(try Intake.refusal(archive)?.reason == .tooLargeToRead(limit: 1 << 20))
    }

    @Test func `an information dictionary without versions gets them, with a warning`() throws {
        let info = Intake.info(["CFBundleShortVersionString": nil, "CFBundleVersion": nil])
        let taken = try Intake.take(Intake.archive([("Info.plist", info)]))
        #expect(taken.bundle.manifest.releaseKey == "1.0~1")
        #expect(taken.report.warnings.map(\.code) == [.versionDefaulted, .buildDefaulted])
        #expect(try Opened.contents(taken.bytes)["Sample.bundle/Info.plist"] == info)
    }

    @Test func `an information dictionary names the folder of contents without one`() throws {
        let named = try Intake.take(
            Intake.raw([("Info.plist", Intake.info(["CFBundleName": "<string>Ünder</string>"]))]))
        #expect(named.bundle.name == "Ünder")
        let unnamed = try Intake.take(Intake.raw([("Info.plist", Intake.info(["CFBundleName": nil]))]))
        #expect(unnamed.bundle.name == "Sample")
        #expect(unnamed.report.warnings.map(\.code) == [.nameDefaulted])
        for name in ["a/b", "..", "a\\b", "a:b", ""] {
            let error = try Intake.refusal(
                Intake.raw([("Info.plist", Intake.info(["CFBundleName": "<string>\(name)</string>"]))]))
            #expect(error?.reason == .unusableName(name))
            #expect(error?.code == .infoPlistInvalid)
        }
    }
}
