import Testing
import WidgetBundles
import WidgetBytes
import WidgetFiles
import WidgetTestSupport

/// Goal: archives of a product by the packers that people use are taken in, and come out as one and the same tree.
/// Method: one product folder is packed by every tool that is installed, and all outputs are compared.
@Suite struct `What a real packer makes` {
    static let product: [(String, [UInt8])] =
        Media.sound + [
            ("Info.plist", Intake.info), ("Sample", `What is stripped`.code), ("PkgInfo", Array("APPL????".utf8)),
            ("Frameworks/X.framework/X", `What is stripped`.code), ("_CodeSignature/CodeResources", Media.plist),
            ("large.json", Array(("[" + String(repeating: "1, ", count: 90_000) + "0]").utf8)),
        ]

    /// Packs `Sample.app`, which is in the folder, into `out.zip` beside it.
    static let packers: [(String, String)] = [
        ("zip", "zip -q -r out.zip Sample.app"), ("zip without folders", "zip -q -r -D out.zip Sample.app"),
        ("zip without extras", "zip -q -X -r out.zip Sample.app"), ("zip stored", "zip -q -0 -r out.zip Sample.app"),
        ("7z", "7z a -bd -tzip out.zip Sample.app"), ("bsdtar", "bsdtar -c --format zip -f out.zip Sample.app"),
        ("python3 zipfile", "python3 -m zipfile -c out.zip Sample.app"),
        ("python3 shutil", "python3 -c 'import shutil; shutil.make_archive(\"out\", \"zip\", \".\", \"Sample.app\")'"),
        ("python3 payload", "mkdir Payload && mv Sample.app Payload/ && python3 -m zipfile -c out.zip Payload"),
        ("zip contents", "cd Sample.app && zip -q -r ../out.zip ."),
        (
            "zip like the Finder",
            "mkdir -p __MACOSX/Sample.app && printf x > __MACOSX/Sample.app/._b && printf y > Sample.app/.DS_Store && "
                + "zip -q -r out.zip Sample.app __MACOSX"
        ),
        (
            "python3 with backslashes",
            """
            python3 -c 'import os, zipfile
            with zipfile.ZipFile("out.zip", "w", zipfile.ZIP_DEFLATED) as out:
                for folder, _, names in os.walk("Sample.app"):
                    for name in names:
                        path = os.path.join(folder, name)
                        info = zipfile.ZipInfo("x"); info.filename = path.replace("/", chr(92)); info.create_system = 0
                        out.writestr(info, open(path, "rb").read(), zipfile.ZIP_DEFLATED)'
            """
        ),
    ]

    @Test func `an archive of any installed packer is taken in`() throws {
        let packers = Self.packers.filter { Tool.exists(String($0.0.prefix { $0 != " " })) }
        let scratch = try ScratchDirectory(in: TemporaryPlace.path)
        var lines: [String] = []
        for (number, (_, script)) in packers.enumerated() {
            for (path, content) in Self.product {
                try scratch.write(["\(number)", "Sample.app"] + path.split(separator: "/").map(String.init), content)
            }
            lines.append(
                "(cd '\(scratch.path)/\(number)' && \(script.replacing("python3 ", with: "\(Tool.python) ")))")
        }
        // One shell for all: an archive that is not there says which packer has failed.
        let packed = try Tool.run("sh", ["-c", lines.joined(separator: "\n")])
        let expected = try Intake.take(Intake.archive(Self.product))
        for (number, (name, _)) in packers.enumerated() {
            guard let file = try? FileDescriptor.reading("\(scratch.path)/\(number)/out.zip") else {
                Issue.record("\(name): \(packed.output)")
                continue
            }
            let taken = try Intake.take(try file.read(at: 0, count: try file.status().byteCount))
            #expect(taken.report.contentDigest == expected.report.contentDigest, "\(name)")
            #expect(taken.bundle.folder == "Sample.bundle", "\(name)")
            #expect(
                taken.report.stripped.filter { $0.rule != .noise }.map(\.digest)
                    == expected.report.stripped.map(\.digest), "\(name)")
        }
    }

    @Test(.enabled(if: Tool.exists("python3"), "needs python3"))
    func `a canonical archive is one and the same tree to every tool`() throws {
        let scratch = try ScratchDirectory(in: TemporaryPlace.path)
        var archives = [
            ("product", Intake.archive(Self.product)), ("sound", Intake.archive(Media.sound, stored: true)),
        ]
        archives.append(("contents", Intake.raw([("Info.plist", Intake.info), ("日本/é.json", Media.json)])))
        archives.append(("payload", Intake.raw([("Payload/A b.app/Info.plist", Intake.info)])))
        if Samples.exist { archives.append(("demo", try Samples.bytes("WidgetDemo.zip"))) }
        for (name, bytes) in archives {
            let taken = try Intake.take(bytes)
            try scratch.write(["\(name).zip"], taken.bytes)
            var lines = ""
            for (path, content) in try Opened.contents(taken.bytes) {
                lines += "\(path)\t\(path.hasSuffix("/") ? 0 : ZipForge.checksum(content))\n"
            }
            try scratch.write(["\(name).tree"], Array(lines.utf8))
        }
        let result = try Tool.run("python3", [Tool.oracle("unanimity.py"), scratch.path])
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.contains("python"))
    }
}
