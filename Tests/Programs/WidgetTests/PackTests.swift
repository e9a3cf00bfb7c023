import CommandSupport
import Foundation
import Testing
import WidgetTestSupport

@Suite(.callingThreads) struct `widget pack` {
    private static let product = "\(Corpus.repositoryRoot)/Bundles/RawProduct/Greeting.app"

    @Test func `pack strips a raw product and writes an archive that needs no more stripping`() throws {
        let folder = try Folder()
        let result = try Program.run(["pack", Self.product, "-o", folder.path("out.zip")])
        #expect(result.error.isEmpty)
        #expect(result.exitCode == 0)
        #expect(result.output.contains("stripped code: 3 files, 6144 B\n"))
        #expect(!result.output.utf8.contains(0x1B))
        let structure = try Program.run(["structure", folder.path("out.zip")])
        let names = structure.output.split(separator: "\n").dropFirst().compactMap { $0.split(separator: " ").last }
        #expect(
            names.filter { !$0.hasSuffix("/") } == [
                "Greeting.bundle/GreetingViewController.json", "Greeting.bundle/Info.plist",
                "Greeting.bundle/StubService.json", "Greeting.bundle/en.lproj/Localizable.strings",
                "Greeting.bundle/sun.png", "Greeting.bundle/sun@2x.png", "Greeting.bundle/wave.png",
            ])
        let again = try Program.run(["pack", folder.path("out.zip"), "-o", folder.path("again.zip")])
        #expect(!again.output.contains("stripped"))
        #expect(try folder.bytes("again.zip") == folder.bytes("out.zip"))
        #expect(try folder.names == ["again.zip", "out.zip"])
    }

    @Test func `pack names the archive after the bundle, and keeps an existing file`() throws {
        let folder = try Folder()
        let result = try Program.run(["pack", Self.product], in: folder.url)
        #expect(result.output.hasSuffix("wrote   Greeting.zip\n"))
        let first = try folder.bytes("Greeting.zip")
        let second = try Program.run(["pack", Self.product], in: folder.url)
        #expect(second.exitCode == 1)
        #expect(second.error.contains("hint: `-o OUT.zip` names the file to write, and replaces it\n"))
        #expect(try folder.bytes("Greeting.zip") == first)
        #expect(try folder.names == ["Greeting.zip"])
    }

    @Test func `pack never writes over its source`() throws {
        let folder = try Folder()
        let bytes = SampleBundle.archive([("Frameworks/x", "x")])
        let path = try folder.write("Sample.zip", bytes)
        for arguments in [
            ["pack", path, "-o", path], ["pack", "Sample.zip"], ["pack", "./Sample.zip", "-o", "Sample.zip"],
        ] {
            let result = try Program.run(arguments, in: folder.url)
            #expect(result.error.contains(" is what is to be packed\nhint: "))
            #expect(result.exitCode == 2)
        }
        #expect(try folder.bytes("Sample.zip") == bytes)
        #expect(try folder.names == ["Sample.zip"])
    }

    @Test func `pack refuses a bundle with the finding's place, and writes nothing`() throws {
        let folder = try Folder()
        let path = try folder.write("evil.zip", SampleBundle.evil)
        let result = try Program.run(["pack", path, "-o", folder.path("out.zip")])
        #expect(result.error.hasPrefix("error: \(path): Feed.json:2:26: "))
        #expect(result.error.ranges(of: "Feed.json:2:26: ").count == 1, "\(result.error)")
        #expect(result.error.contains("[predicate-argument]\n"))
        #expect(result.output.isEmpty)
        #expect(result.exitCode == 1)
        #expect(try folder.names == ["evil.zip"])
    }

    @Test func `pack refers to widget structure when the archive is malformed`() throws {
        let folder = try Folder()
        let path = try folder.write("bad.zip", Array("no archive".utf8))
        let result = try Program.run(["pack", path, "-o", folder.path("out.zip")])
        #expect(result.error.contains("\nhint: `widget structure \(path)` "))
        #expect(result.exitCode == 1)
        #expect(try folder.names == ["bad.zip"])
    }

    @Test func `pack gives no hint about archives when a folder is at fault`() throws {
        let folder = try Folder()
        try folder.write("Sample.bundle/Info.plist", SampleBundle.info)
        try folder.write("Sample.bundle/con.json", Array("{}".utf8))
        let path = folder.path("Sample.bundle")
        for command in ["pack", "inspect"] {
            let result = try Program.run([command, path], in: folder.url)
            #expect(result.error.contains("con.json"))
            #expect(!result.error.contains("widget structure"))
            #expect(result.error.contains("\nhint: a folder becomes an archive, whose rules apply; "))
            #expect(result.exitCode == 1)
        }
    }

    @Test func `pack stores a file that compression would make look like a bomb`() throws {
        let folder = try Folder()
        func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
            let body = Array(type.utf8) + data
            return ZipForge.bytes(UInt32(data.count)).reversed() + body
                + ZipForge.bytes(ZipForge.checksum(body)).reversed()
        }
        let picture =
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", [0, 0, 0, 4, 0, 0, 0, 4, 8, 6, 0, 0, 0])
            + chunk("IDAT", [UInt8](repeating: 0, count: 2 << 20)) + chunk("IEND", [])
        try folder.write("Sample.bundle/Info.plist", SampleBundle.info)
        try folder.write("Sample.bundle/Default.png", picture)
        let result = try Program.run(["pack", folder.path("Sample.bundle"), "-o", folder.path("out.zip")])
        #expect(result.exitCode == 0, "\(result.error)")
        #expect(try folder.bytes("out.zip").count > picture.count)
        #expect(try Program.run(["inspect", folder.path("out.zip")]).exitCode == 0)
    }

    @Test func `pack recognises its source under every name, and other files of equal size as different`() throws {
        let folder = try Folder()
        let bytes = SampleBundle.archive([("Frameworks/x", "x")])
        let path = try folder.write("Sample.zip", bytes)
        try FileManager.default.linkItem(atPath: path, toPath: folder.path("Linked.zip"))
        let refused = try Program.run(["pack", path, "-o", folder.path("Linked.zip")])
        #expect(refused.exitCode == 2)
        #expect(try folder.bytes("Linked.zip") == bytes)
        let copy = try folder.write("Copy.zip", bytes)
        #expect(try Program.run(["pack", path, "-o", copy]).exitCode == 0)
        #expect(try folder.bytes("Copy.zip") != bytes)
    }

    @Test func `pack works beside its output, and needs no other folder`() throws {
        let folder = try Folder()
        let path = try folder.write("Sample.zip", SampleBundle.archive([("a.json", "{}")]))
        let environment = ["TMPDIR": folder.path("none")]
        let packed = try Program.run(["pack", path, "-o", folder.path("out.zip")], environment: environment)
        #expect(packed.exitCode == 0)
        #expect(try folder.names == ["Sample.zip", "out.zip"])
        // inspect needs a folder for work in progress, and names the one that is missing.
        let inspected = try Program.run(["inspect", path], environment: environment)
        #expect(inspected.error.contains("\(folder.path("none"))"))
        #expect(inspected.exitCode == 1)
    }

    @Test func `pack shows no progress to a pipe`() throws {
        let folder = try Folder()
        let result = try Program.run(["pack", Self.product, "-o", folder.path("out.zip")])
        #expect(result.error.isEmpty)
    }

    @Test func `pack says that it cannot write when the folder is missing`() throws {
        let folder = try Folder()
        let result = try Program.run(["pack", Self.product, "-o", folder.path("none/out.zip")])
        #expect(result.error.contains("No such file or directory"))
        #expect(result.exitCode == 1)
    }

    @Test func `pack prints the report as JSON`() throws {
        let folder = try Folder()
        let result = try Program.run(["pack", Self.product, "-o", folder.path("out.zip"), "--json"])
        let object = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        let stripped = try #require(object["stripped"] as? [[String: Any]])
        #expect(stripped.count == 9)
        let findings = try #require(object["findings"] as? [[String: Any]])
        #expect(findings.map { $0["code"] as? String } == ["no-interface"])
        let size = try folder.bytes("out.zip").count
        #expect(object["size"] as? Int == size)
    }
}
