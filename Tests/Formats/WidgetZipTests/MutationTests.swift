import Testing
import WidgetFiles
import WidgetTestSupport
import WidgetZip

/// Goal: no byte of an archive can be changed so that the reader fails in any way but a refusal, and whatever it
/// still accepts is rewritten to the same tree.
/// Method: every byte of small archives of every kind is changed in several ways, and random spans are.
@Suite struct `A changed archive` {
    static let bases: [[UInt8]] = [
        Forged.plain(), Forged.described(), Forged.describedUnsigned(), Forged.wide(), Forged.wideDescribed(),
    ].map { $0.build().bytes }

    /// Refuses, or accepts and rewrites to something that is accepted with the same contents.
    private func judge(_ bytes: [UInt8], _ note: @autoclosure () -> String) throws -> Bool {
        guard let read = try? Archive.read(bytes) else {
            #expect(try Archive.refusal(bytes)?.isRefusal == true, "\(note())")
            return false
        }
        let rewritten = try Archive.rewritten(bytes)
        let again = try Archive.read(rewritten.bytes)
        let before = zip(read.directory.entries, read.contents).map { ($0.name, $1) }
        let after = zip(again.directory.entries, again.contents).map { ($0.name, $1) }
        #expect(
            Dictionary(uniqueKeysWithValues: before) == Dictionary(uniqueKeysWithValues: after), "\(note())")
        return true
    }

    @Test(arguments: bases.indices) func `A changed archive is refused or means one thing, whichever byte is changed`(
        _ base: Int
    ) throws {
        let bytes = Self.bases[base]
        var accepted = 0
        for index in bytes.indices {
            for value in [bytes[index] ^ 1, bytes[index] ^ 0x80, 0, 0xFF, bytes[index] &+ 1] where value != bytes[index]
            {
                var changed = bytes
                changed[index] = value
                if try judge(changed, "byte \(index) of base \(base) is \(value)") { accepted += 1 }
            }
        }
        // Times, permissions and letters of names are free; structure is not.
        #expect(accepted > 0 && accepted < bytes.count * 5 / 4)
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `A changed archive is refused or means one thing, however it is mangled`(
        _ seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        for round in 0..<400 {
            var bytes = Self.bases[round % Self.bases.count]
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let start = Int.random(in: 0..<bytes.count, using: &generator)
                let count = min(Int.random(in: 1...8, using: &generator), bytes.count - start)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes.removeSubrange(start..<(start + count))
                case 1: bytes.insert(contentsOf: bytes[start..<(start + count)], at: start)
                case 2:
                    for index in start..<(start + count) { bytes[index] = UInt8.random(in: 0...255, using: &generator) }
                default: bytes.swapAt(start, Int.random(in: 0..<bytes.count, using: &generator))
                }
                if bytes.isEmpty { bytes = [0] }
            }
            _ = try judge(bytes, "seed \(seed), round \(round)")
        }
    }
}

/// Goal: what we serve is the same tree to everybody.
/// Method: many accepted archives are rewritten into one folder, and one script has every tool that is installed
/// unpack all of them and compares paths and contents with what we read.
@Suite(.enabled(if: Tool.exists("python3"), "needs python3")) struct `What we write` {
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

    @Test func `A written archive is the same tree to every tool`() throws {
        let scratch = try ScratchDirectory(in: TemporaryPlace.path)
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
