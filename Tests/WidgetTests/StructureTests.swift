import Foundation
import TestSupport
import Testing

@Suite struct `widget structure` {
    private static let sun = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    private static let archive = ZipForge([
        .init(Array("b/".utf8), []), .init(Array("b/a.txt".utf8), Array("hello\n".utf8)),
        .init(Array("a empty".utf8), []),
    ]).build().bytes

    @Test func `accepts and lists the entries in canonical order`() throws {
        let folder = try Folder()
        let result = try Program.run(["structure", folder.write("a.zip", Self.archive)])
        #expect(
            result.output == """
                accept
                \(Self.sun)  0  a empty
                ----------------------------------------------------------------  0  b/
                5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03  6  b/a.txt

                """)
        #expect(result.error.isEmpty)
        #expect(result.exitCode == 0)
    }

    @Test func `says the same as JSON`() throws {
        let folder = try Folder()
        let result = try Program.run(["structure", folder.write("a.zip", Self.archive), "--json"])
        #expect(
            result.output == """
                {"verdict":"accept","entries":[{"path":"a empty","size":0,"sha256":"\(Self.sun)"},\
                {"path":"b/","size":0},{"path":"b/a.txt","size":6,\
                "sha256":"5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"}]}

                """)
        #expect(result.exitCode == 0)
    }

    @Test func `rejects with the reason and the offset, and exits with 1`() throws {
        let folder = try Folder()
        let path = try folder.write("a.zip", Self.archive + Array("xyz".utf8))
        let result = try Program.run(["structure", path])
        #expect(
            result.output
                == "reject\nreason  trailing-data: 3 bytes follow the end of the archive\noffset  \(Self.archive.count)\n"
        )
        #expect(result.error.isEmpty)
        #expect(result.exitCode == 1)
        let json = try Program.run(["structure", "--json", path])
        #expect(
            json.output
                == "{\"verdict\":\"reject\",\"reason\":\"trailing-data\",\"detail\":\"3 bytes follow the end of the archive\",\"offset\":\(Self.archive.count)}\n"
        )
        #expect(json.exitCode == 1)
    }

    @Test func `names the entry that is at fault, harmless to a terminal`() throws {
        let folder = try Folder()
        let bytes = ZipForge([.init(Array("../\u{1B}[2J".utf8), [])]).build().bytes
        let result = try Program.run(["structure", folder.write("a.zip", bytes)])
        #expect(result.output.contains("reason  unsafe-name"))
        #expect(result.output.contains("\nentry   "))
        #expect(!result.output.utf8.contains(0x1B))
        #expect(result.exitCode == 1)
    }

    @Test func `rejects what is no archive`() throws {
        let folder = try Folder()
        let result = try Program.run(["structure", folder.write("a.zip", Array("hello".utf8))])
        #expect(result.output.hasPrefix("reject\nreason  missing-end-record: "))
        #expect(result.exitCode == 1)
    }
}
