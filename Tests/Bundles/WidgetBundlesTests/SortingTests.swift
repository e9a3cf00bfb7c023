import Testing
import WidgetBundles
import WidgetBytes
import WidgetFindings
import WidgetPlist
import WidgetTestSupport
import WidgetZip

@Suite struct `What is kept` {
    @Test(arguments: Media.sound.indices) func `every allowed kind is kept byte for byte`(_ index: Int) throws {
        let (name, content) = Media.sound[index]
        let taken = try Intake.take(Intake.archive([(name, content)] + FirstScreenFiles.all), strict: true)
        #expect(taken.report.isClean)
        #expect(taken.report.kept.map(\.path).contains(name))
        #expect(try Opened.contents(taken.bytes)["Sample.bundle/\(name)"] == content)
    }

    @Test func `A document is a first screen, as a storyboard is`() throws {
        let document = Array(#"[{"kind": "label", "payload": {"text": "A"}}]"#.utf8)
        for path in ["Main.widgets.json", "Base.lproj/Main.widgets.json"] {
            let taken = try Intake.take(Intake.archive([(path, document)], stored: true))
            #expect(taken.report.findings.isEmpty && taken.report.kept.contains { $0.path.hasSuffix(path) })
        }
        let other = try Intake.take(Intake.archive([("Start.widgets.json", document)], stored: true))
        #expect(other.report.findings.map(\.code) == [.noInterface])
    }

    @Test func `a bundle may be as large as its limits allow, and no larger`() throws {
        var policy = BundlePolicy()
        policy.limits.listObjectCount = 3
        policy.limits.parsedByteCount = 1_000
        let strings = { (count: Int) in Array((0..<count).map { "k\($0)=v;" }.joined().utf8) }
        #expect(
            try Intake.refusal(Intake.archive([("a.json", Media.json)]), policy: policy)?.path
                == "Sample.bundle/Info.plist")
        policy.limits.listObjectCount = 20
        #expect(try Intake.refusal(Intake.archive([("a.strings", strings(20))]), policy: policy) == nil)
        let many = try Intake.refusal(Intake.archive([("a.strings", strings(21))]), policy: policy)
        guard case .plist(.strings, let error) = many?.reason else {
            Issue.record("\(String(describing: many))")
            return
        }
        #expect(error.reason == .limitReached(.objectCount, limit: 20))
        let large = Array("[\(String(repeating: " ", count: 999))]".utf8)
        let error2 = try Intake.refusal(Intake.archive([("a.json", large)], stored: true), policy: policy)
        #expect(error2?.reason == .tooLargeToRead(limit: 1_000))
        policy.limits.parsedByteCount = 2 << 20
        let larger = Array("[\(String(repeating: " ", count: 1 << 20))]".utf8)
        #expect(try Intake.refusal(Intake.archive([("a.json", larger)], stored: true), policy: policy) == nil)
    }

    @Test func `a canonical archive does not depend on the packer`() throws {
        let one = try Intake.take(Intake.archive(Media.sound))
        let other = try Intake.take(Intake.archive(Media.sound.reversed(), stored: true))
        #expect(one.report.contentDigest == other.report.contentDigest)
        #expect(one.report.digest != other.report.digest)
        #expect(one.bundle.manifest == other.bundle.manifest)
    }

    @Test func `a canonical archive is written the same a second time`() throws {
        let once = try Intake.take(
            Intake.archive(Media.sound + FirstScreenFiles.all + [("Sample", [0xFE, 0xED, 0xFA, 0xCE])]))
        let twice = try Intake.take(once.bytes, strict: true)
        #expect(once.bytes == twice.bytes)
    }

    @Test func `the content digest can be computed from the files alone`() throws {
        let taken = try Intake.take(Intake.archive([("a.json", Media.json)]))
        var list = ""
        for file in taken.bundle.files { list += "\(file.path)\0\(file.byteCount)\0\(file.digest.hex)\n" }
        #expect(taken.bundle.files.map(\.path) == ["Info.plist", "a.json"])
        #expect(taken.bundle.contentDigest == .sha256(Array(list.utf8)))
        #expect(taken.bundle.digest == .sha256(taken.bytes))
    }

    @Test func `a kept file can be read at its offset in the archive`() throws {
        let taken = try Intake.take(Intake.archive([("a.json", Media.json), ("b.png", Media.png())], stored: true))
        for file in taken.bundle.files {
            #expect(file.method == .stored && file.compressedByteCount == file.byteCount)
            let content = Array(taken.bytes[file.offset..<(file.offset + file.byteCount)])
            #expect(file.digest == .sha256(content))
        }
    }

    @Test func `a canonical archive begins with its folder and holds the folders of its files`() throws {
        let taken = try Intake.take(Intake.archive([("en.lproj/x/a.json", Media.json)]))
        let names = try Opened.contents(taken.bytes).keys.sorted()
        #expect(
            names == [
                "Sample.bundle/", "Sample.bundle/Info.plist", "Sample.bundle/en.lproj/", "Sample.bundle/en.lproj/x/",
                "Sample.bundle/en.lproj/x/a.json",
            ])
    }

    @Test func `files are kept by the policy`() throws {
        var policy = BundlePolicy()
        policy.kept.append("*.pdf")
        let pdf = Array("%PDF-1.7\n%%EOF".utf8)
        let archive = Intake.archive([("a.pdf", pdf)] + FirstScreenFiles.all)
        #expect(try Intake.take(archive, strict: true, policy: policy).report.isClean)
        policy.kept = ["Info.plist"]
        let taken = try Intake.take(Intake.archive([("a.json", Media.json)]), policy: policy)
        #expect(taken.report.stripped.map(\.rule) == [.notAllowed])
    }

    @Test func `code is never kept under any policy`() throws {
        var policy = BundlePolicy()
        policy.kept = ["*"]
        for name in ["a.dylib", "a.js", "a.sh", "a.py", "a.zip", "a.mobileprovision"] {
            let taken = try Intake.take(Intake.archive([(name, [1, 2, 3])]), policy: policy)
            #expect(taken.report.stripped.map(\.path) == ["Sample.bundle/\(name)"])
        }
        let error = try Intake.refusal(Intake.archive([("a.txt", [0x7F, 0x45, 0x4C, 0x46])]), policy: policy)
        #expect(error?.reason == .disguised(name: .other, content: .elf))
    }
}

@Suite struct `What is stripped` {
    static let code: [UInt8] = [0xCF, 0xFA, 0xED, 0xFE, 0x0C, 0, 0, 1]

    static let rules: [(String, [UInt8], StripRule)] = [
        ("Sample", code, .executable), ("Sample", Media.json, .executable), ("SAMPLE", [1], .executable),
        ("x.dylib", [1], .executable), ("x.so", [1], .executable), ("x.a", [1], .executable),
        ("x.o", [1], .executable), ("x.metallib", [1], .executable), ("x.py", [1], .executable),
        ("x.dSYM/Contents/Info.plist", Media.plist, .executable), ("x.scpt", [1], .executable),
        ("Frameworks/X.framework/Info.plist", Media.plist, .codeFolder),
        ("Frameworks/X.framework/X", code, .executable),
        ("PlugIns/X.appex/Info.plist", Media.plist, .codeFolder),
        ("XPCServices/x.json", Media.json, .codeFolder), ("Watch/W.app/Info.plist", Media.plist, .codeFolder),
        ("SwiftSupport/x.json", Media.json, .codeFolder),
        ("_CodeSignature/CodeResources", Media.plist, .signature), ("CodeResources", Media.plist, .signature),
        ("SC_Info/x.plist", Media.plist, .signature), ("embedded.mobileprovision", [0x30, 0x82], .signature),
        ("META-INF/x.plist", Media.plist, .packaging), ("PkgInfo", Array("APPL????".utf8), .packaging),
        ("Inner.bundle/Info.plist", Media.plist, .nestedBundle), ("Inner.app/a.json", Media.json, .nestedBundle),
        ("x.zip", [1], .nestedArchive), ("data.bin", [0x50, 0x4B, 3, 4], .nestedArchive),
        ("x.js", Array("alert(1)".utf8), .activeContent), ("x.html", Array("<p>".utf8), .activeContent),
        ("x.svg", Array("<svg>".utf8), .activeContent), ("x.pdf", Array("%PDF-1".utf8), .activeContent),
        ("README.md", [1], .notAllowed), ("noextension", [1], .notAllowed), ("x.txt", [1], .notAllowed),
        ("x.storyboard", Array("<?xml version=\"1.0\"?><document/>".utf8), .notAllowed),
        ("x.omo", Media.optimizedModel, .notAllowed), (".hidden", [1], .notAllowed),
        (".DS_Store", [0, 0, 0, 1], .noise), ("a/._x.png", [0, 5, 22, 7], .noise), ("__MACOSX/x", [1], .noise),
        ("Thumbs.db", [1], .noise), ("desktop.ini", [1], .noise), ("._Info.plist", code, .noise),
    ]

    @Test(arguments: rules.indices) func `a stripped file is reported with its rule`(_ index: Int) throws {
        let (name, content, rule) = Self.rules[index]
        let sound = FirstScreenFiles.all + [("a.json", Media.json)]
        let archive = Intake.archive([(name, content)] + sound)
        let taken = try Intake.take(archive)
        #expect(taken.report.stripped.map(\.path) == ["Sample.bundle/\(name)"])
        #expect(taken.report.stripped.map(\.rule) == [rule])
        #expect(taken.report.stripped[0].byteCount == content.count)
        #expect(taken.report.stripped[0].digest == .sha256(content))
        #expect(taken.report.kept.map(\.path) == ["Info.plist"] + sound.map(\.0))
        // The same without the one file is clean: the rule is about it.
        #expect(try Intake.take(Intake.archive(sound), strict: true).bytes == taken.bytes)
    }

    @Test(arguments: rules.indices) func `a file that would be stripped is refused when strict`(_ index: Int) throws {
        let (name, content, rule) = Self.rules[index]
        let error = try Intake.refusal(Intake.archive([(name, content)] + FirstScreenFiles.all), strict: true)
        #expect(error?.code == .policyRefused)
        // A source is a finding besides.
        #expect(error?.details.map(\.code) == (name == "x.storyboard" ? ["sources"] : []) + [rule.rawValue])
    }

    @Test(arguments: Media.foreign.indices) func `foreign content is recognised under a name that is not kept`(
        _ index: Int
    ) throws {
        let (name, content, kind) = Media.foreign[index]
        let taken = try Intake.take(Intake.archive([("\(name).data", content)]))
        #expect(taken.report.stripped.map(\.kind.rawValue) == [kind])
    }

    @Test(arguments: Media.foreign.indices) func `foreign content is refused as disguised under a name that is kept`(
        _ index: Int
    ) throws {
        let (_, content, kind) = Media.foreign[index]
        for name in ["a.json", "a.png", "a.strings", "a.nib", "a.car", "a.plist", "a.mom", "a.ttf"] {
            let error = try Intake.refusal(Intake.archive([(name, content)]))
            #expect(error?.code == .entryRefused, "\(name)")
            #expect(error?.path == "Sample.bundle/\(name)")
            guard case .disguised(_, let found) = error?.reason else {
                Issue.record("\(name): \(String(describing: error))")
                continue
            }
            #expect(found.rawValue == kind)
        }
    }

    @Test func `an independent check finds no executable in a canonical archive`() throws {
        var files = Media.sound
        for (name, content, _) in Media.foreign { files.append(("junk/\(name)", content)) }
        for (name, content, _) in Self.rules where name != "SAMPLE" && !files.contains(where: { $0.0 == name }) {
            files.append((name, content))
        }
        let taken = try Intake.take(Intake.archive(files))
        #expect(taken.report.stripped.count == files.count - Media.sound.count)
        for (name, content) in try Opened.contents(taken.bytes) where !name.hasSuffix("/") {
            for (_, magic, kind) in Media.foreign where kind != "SVG" {
                #expect(!content.starts(with: magic.prefix(8)), "\(name)")
            }
        }
    }
}
