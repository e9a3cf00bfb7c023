import Bytes
import TestSupport
import Testing
import WidgetBundles

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

    @Test(arguments: rules.indices) func `is said with its rule`(_ index: Int) throws {
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

    @Test(arguments: rules.indices) func `is refused when strict`(_ index: Int) throws {
        let (name, content, rule) = Self.rules[index]
        let error = try Intake.refusal(Intake.archive([(name, content)] + FirstScreenFiles.all), strict: true)
        #expect(error?.code == .policyRefused)
        // A source is a finding besides.
        #expect(error?.details.map(\.code) == (name == "x.storyboard" ? ["sources"] : []) + [rule.rawValue])
    }

    @Test(arguments: Media.foreign.indices) func `is known by its content under a name that is not kept`(
        _ index: Int
    ) throws {
        let (name, content, kind) = Media.foreign[index]
        let taken = try Intake.take(Intake.archive([("\(name).data", content)]))
        #expect(taken.report.stripped.map(\.kind.rawValue) == [kind])
    }

    @Test(arguments: Media.foreign.indices) func `is refused as disguised under a name that is kept`(
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

    @Test func `leaves no executable behind, by an independent look`() throws {
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
