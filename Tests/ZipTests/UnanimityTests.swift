import Files
import TestSupport
import Testing
import Zip

/// Goal: what we serve is the same tree to everybody.
/// Method: many accepted archives are rewritten into one folder, and one script has every tool that is installed
/// unpack all of them and compares paths and contents with what we read.
@Suite(.enabled(if: Tool.exists("python3"))) struct `What we write` {
    static var archives: [(name: String, bytes: [UInt8])] {
        var forges: [(String, ZipForge)] = [
            ("plain", Forged.plain()), ("described", Forged.described()), ("unsigned", Forged.describedUnsigned()),
            ("wide", Forged.wide()), ("wide-described", Forged.wideDescribed()), ("large", Forged.large()),
        ]
        for (index, name) in ["é", "日本語/テスト", "a b", "-rf", "'\"<>|?*", "😀", "x…", "%zz", "#", "~", "é/e\u{301}x"]
            .enumerated()
        {
            var forge = Forged.plain()
            forge.entries[1].both(\.name, Array("w/\(name)".utf8))
            forge.entries[1].both(\.flags, 1 << 11)
            forges.append(("name-\(index)", forge))
        }
        var windows = ZipForge([.init("w\\a.txt", Forged.text), .init("w\\sub\\b.bin", "1"), .init("w\\empty\\")])
        for index in windows.entries.indices {
            windows.entries[index].central.madeBy = 20
            windows.entries[index].central.externalAttributes = 0
        }
        forges.append(("windows", windows))
        forges.append(
            ("many", ZipForge((0..<300).map { .init("w/\($0 % 9)/\($0)", String(repeating: "\($0)", count: $0)) })))
        var result = forges.map { ($0.0, $0.1.build().bytes) }
        if Samples.exist, let demo = try? Samples.bytes("WidgetDemo.zip") { result.append(("demo", demo)) }
        // Single-byte changes that are still accepted.
        for (base, bytes) in `A changed archive`.bases.enumerated() {
            for index in stride(from: base, to: bytes.count, by: 3) {
                var changed = bytes
                changed[index] ^= 1
                if (try? Archive.read(changed)) != nil { result.append(("changed-\(base)-\(index)", changed)) }
            }
        }
        return result
    }

    @Test func `is the same tree to every tool`() throws {
        let scratch = try ScratchDirectory(in: "/tmp")
        for (name, bytes) in Self.archives {
            let read = try Archive.read(bytes)
            let (rewritten, _) = try Archive.rewritten(bytes)
            try scratch.directory.replaceFile("\(name).zip", with: rewritten)
            // One line for each entry: its path and its checksum, as we read the original.
            let lines = read.directory.entries.map { "\($0.name.text)\t\($0.isDirectory ? 0 : $0.checksum)\n" }
            try scratch.directory.replaceFile("\(name).tree", with: Array(lines.joined().utf8))
        }
        let result = try Tool.run("python3", [Tool.oracle("unanimity.py"), scratch.path])
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.contains("python"))
    }
}
