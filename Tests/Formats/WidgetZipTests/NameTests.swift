import Testing
import WidgetTestSupport
import WidgetZip

@Suite struct `The name of an entry` {
    struct Name: CustomTestStringConvertible, Sendable {
        let bytes: [UInt8]
        let hazard: ZipName.Hazard
        var isUTF8 = true

        init(_ text: String, _ hazard: ZipName.Hazard) {
            bytes = Array(text.utf8)
            self.hazard = hazard
        }

        init(bytes: [UInt8], _ hazard: ZipName.Hazard, isUTF8: Bool = true) {
            self.bytes = bytes
            self.hazard = hazard
            self.isUTF8 = isUTF8
        }

        var testDescription: String { "\(hazard): \(bytes.map { String($0, radix: 16) }.joined(separator: " "))" }
    }

    static let unsafe: [Name] = [
        .init("/etc/passwd", .absolute), .init("/", .absolute), .init("//server/share/x", .networkPath),
        .init("\\\\server\\share\\x", .networkPath), .init("C:/x", .drive), .init("c:x", .drive),
        .init("C:\\x", .drive),
        .init("..", .parentDirectory), .init("../x", .parentDirectory), .init("w/../x", .parentDirectory),
        .init("w/..", .parentDirectory), .init("w/../", .parentDirectory), .init("../../../../x", .parentDirectory),
        .init(".", .currentDirectory), .init("./x", .currentDirectory), .init("w/./x", .currentDirectory),
        .init("w/.", .currentDirectory), .init("w//x", .emptyComponent), .init("w/x//", .emptyComponent),
        .init("w\\x", .backslash), .init("\\x", .backslash), .init("w\\..\\x", .backslash), .init("w/a\\", .backslash),
        .init("w/a:b", .colon), .init("w/a:$DATA", .colon), .init(":", .colon),
        .init("w/a\0.txt", .nul), .init("\0", .nul),
        .init("w/a\n", .controlCharacter(0x0A)), .init("w/a\r", .controlCharacter(0x0D)),
        .init("w/\u{1B}[2J", .controlCharacter(0x1B)), .init("w/a\t", .controlCharacter(0x09)),
        .init("w/\u{7F}", .controlCharacter(0x7F)), .init("w/\u{85}", .controlCharacter(0x85)),
        .init("w/\u{9B}", .controlCharacter(0x9B)), .init("w/\u{2028}", .controlCharacter(0x2028)),
        .init("w/\u{2029}", .controlCharacter(0x2029)),
        .init("w/\u{202E}gpj.exe", .bidirectionalControl(0x202E)), .init("w/\u{200F}", .bidirectionalControl(0x200F)),
        .init("w/\u{2066}x\u{2069}", .bidirectionalControl(0x2066)), .init("w/\u{061C}", .bidirectionalControl(0x061C)),
        .init("w/a\u{200B}", .invisibleCharacter(0x200B)), .init("w/a\u{200D}b", .invisibleCharacter(0x200D)),
        .init("w/\u{FEFF}a", .invisibleCharacter(0xFEFF)), .init("w/a\u{AD}b", .invisibleCharacter(0xAD)),
        .init("w/a\u{2060}", .invisibleCharacter(0x2060)), .init("w/a\u{FE0F}", .invisibleCharacter(0xFE0F)),
        .init("w/\u{3164}", .invisibleCharacter(0x3164)), .init("w/\u{E0041}", .invisibleCharacter(0xE0041)),
        .init(bytes: [0xEF, 0xBF, 0xBE], .noncharacter(0xFFFE)),
        .init(bytes: [0xEF, 0xB7, 0x90], .noncharacter(0xFDD0)),
        .init(bytes: [0xF0, 0x9F, 0xBF, 0xBF], .noncharacter(0x1FFFF)),
        .init(bytes: [0xF4, 0x8F, 0xBF, 0xBF], .noncharacter(0x10FFFF)),
        .init("w/a.", .trailingDot), .init("w./a", .trailingDot), .init("...", .trailingDot),
        .init("w/.../a", .trailingDot),
        .init("w/a ", .trailingSpace), .init("w /a", .trailingSpace), .init(" ", .trailingSpace),
        .init("w/.. /a", .trailingSpace),
        .init("CON", .deviceName), .init("w/nul", .deviceName), .init("w/Aux.txt", .deviceName),
        .init("w/prn.tar.gz", .deviceName), .init("w/COM1", .deviceName), .init("w/lpt9.json", .deviceName),
        .init("w/com¹", .deviceName), .init("w/LPT³.txt", .deviceName), .init("nul/a", .deviceName),
        .init("w/CONIN$", .deviceName), .init("w/conout$.txt", .deviceName), .init("w/nul .txt", .deviceName),
        .init("w/%2e%2e/a", .percentEncoding), .init("w/%2E", .percentEncoding), .init("w%2fa", .percentEncoding),
        .init("w%5Ca", .percentEncoding), .init("w/a%00.png", .percentEncoding),
        .init("w\u{FF0F}a", .compatibleSeparator(0xFF0F)), .init("w\u{FF3C}a", .compatibleSeparator(0xFF3C)),
        .init("w\u{FE68}a", .compatibleSeparator(0xFE68)), .init("w/\u{2100}", .compatibleSeparator(0x2100)),
        .init("w/\u{2101}", .compatibleSeparator(0x2101)), .init("w/\u{2105}", .compatibleSeparator(0x2105)),
        .init("w/\u{2106}", .compatibleSeparator(0x2106)),
        .init("\u{FF0E}\u{FF0E}/a", .compatibleDots), .init("w/\u{2025}/a", .compatibleDots),
        .init("\u{2024}/a", .compatibleDots), .init(".\u{FE52}/a", .compatibleDots),
        .init("w/\u{FE30}", .compatibleDots),
        // A mark, a skin tone and a letter that Unicode joins to the character beside it.
        .init("w/\u{308}a.json", .joinedPunctuation), .init("w/\u{1F3FD}", .joinedPunctuation),
        .init("w\u{D4E}/a", .joinedPunctuation), .init("w/\u{D4E}.json", .joinedPunctuation),
        .init("w/a.\u{20DD}json", .joinedPunctuation),
        .init(bytes: [0x77, 0x2F, 0xFF], .invalidUTF8), .init(bytes: [0xC0, 0xAE, 0xC0, 0xAE, 0x2F], .invalidUTF8),
        .init(bytes: [0xE0, 0x80, 0xAF], .invalidUTF8), .init(bytes: [0xED, 0xA0, 0x80], .invalidUTF8),
        .init(bytes: [0xF4, 0x90, 0x80, 0x80], .invalidUTF8), .init(bytes: [0x77, 0xC3], .invalidUTF8),
        .init(bytes: [0x63, 0x61, 0x66, 0x82], .unknownEncoding, isUTF8: false),
        // Over-long, cut off, half a pair.
        .init(bytes: [0x63, 0xC1, 0xA1], .unknownEncoding, isUTF8: false),
        .init(bytes: [0x63, 0x61, 0x66, 0xC3], .unknownEncoding, isUTF8: false),
        .init(bytes: [0x63, 0xED, 0xA0, 0x80], .unknownEncoding, isUTF8: false),
        // Valid UTF-8 without its flag is judged like any other.
        .init(bytes: Array("../caf\u{E9}".utf8), .parentDirectory, isUTF8: false),
        .init(bytes: Array("w/\u{202E}gpj.exe".utf8), .bidirectionalControl(0x202E), isUTF8: false),
        .init("w/" + String(repeating: "a", count: 256), .componentTooLong(255)),
        .init("w/" + String(repeating: "é", count: 128), .componentTooLong(255)),
        .init(Array(repeating: "a", count: 17).joined(separator: "/"), .tooDeep(16)),
    ]

    @Test(arguments: unsafe) func `The name of an entry is refused if it is hazardous`(_ name: Name) throws {
        let printable = try #require(
            try Archive.refusal(
                {
                    var forge = Forged.plain()
                    forge.entries[1].both(\.name, name.bytes)
                    forge.entries[1].both(\.flags, name.isUTF8 ? 1 << 11 : 0)
                    return forge.build().bytes
                }())?.entry)
        let refusal = Refusal(
            "", .unsafeName(name.hazard), entry: printable, at: { $0.central[1] + 46 }
        ) {
            $0.entries[1].both(\.name, name.bytes)
            $0.entries[1].both(\.flags, name.isUTF8 ? 1 << 11 : 0)
        }
        try refusal.check()
        // What is printed of it cannot move a cursor or turn the text around.
        #expect(
            printable.unicodeScalars.allSatisfy {
                ($0.value >= 0x20 && $0.value < 0x7F) || $0.properties.generalCategory != .format
            })
    }

    @Test func `The name of an entry is refused when it is longer than the limit, before it is read`() throws {
        let long = Array(repeating: Array("abcdefg/".utf8), count: 65).flatMap { $0 }
        let refusal = Refusal("", .unsafeName(.tooLong(512)), at: { $0.central[1] + 28 }) {
            $0.entries[1].both(\.name, long)
        }
        try refusal.check()
    }

    @Test(arguments: [
        "a", "Info.plist", "é.txt", "日本語/テスト.json", "a b.txt", ".hidden", "..a", "a..b/c", "...a", "100%.txt", "%2.txt",
        "%zz",
        "a%2Gb", "con1", "console.log", "com0", "com10", "nullable", "auxiliary/x", "~", "-rf", "#", "a;b", "'\"<>|?*",
        "ſ", "…/a",
        "x…", "😀.png", "Ω", "ﬁ.txt", "½", "a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p",
    ]) func `The name of an entry may be any other text`(_ name: String) throws {
        var forge = Forged.plain()
        forge.entries[1].both(\.name, Array(name.utf8))
        forge.entries[1].both(\.flags, 1 << 11)
        let read = try Archive.read(forge.build().bytes)
        #expect(read.directory.entries[1].name.repairs.isEmpty)
        #expect(Array(read.directory.entries[1].name.text.utf8) == Array(name.utf8))
    }

    @Test func `The name of an entry may be as long and as deep as the limits say`() throws {
        let component = String(repeating: "a", count: 255)
        for name in ["\(component)/\(component)/", Array(repeating: "é", count: 16).joined(separator: "/") + "/"] {
            #expect(try ZipName(name).components.count > 1)
        }
        #expect(throws: ZipName.Hazard.tooLong(512)) { _ = try ZipName("\(component)/\(component)/a") }
    }

    @Test func `The name of an entry is brought to normalisation form C, with a remark`() throws {
        var forge = Forged.plain()
        forge.entries[1].both(\.name, Array("w/e\u{301}\u{212B}.txt".utf8))
        forge.entries[1].both(\.flags, 1 << 11)
        let entry = try Archive.read(forge.build().bytes).directory.entries[1]
        #expect(Array(entry.name.text.utf8) == Array("w/\u{E9}\u{C5}.txt".utf8))
        #expect(entry.name.repairs == .normalization)
        #expect(try Archive.read(Archive.rewritten(forge.build().bytes).bytes).directory.entries[2].name == entry.name)
    }

    @Test(arguments: [0, 10] as [UInt16])
    func `The name of an entry has its backslashes turned in an archive from Windows`(_ host: UInt16)
        throws
    {
        var forge = ZipForge([.init("w\\a.txt", Forged.text), .init("w\\sub\\b.bin", "1"), .init("w\\empty\\")])
        for index in forge.entries.indices {
            forge.entries[index].central.madeBy = host << 8 | 20
            forge.entries[index].central.externalAttributes = 0
        }
        let entries = try Archive.read(forge.build().bytes).directory.entries
        #expect(entries.map(\.name.text) == ["w/a.txt", "w/sub/b.bin", "w/empty/"])
        #expect(entries.allSatisfy { $0.name.repairs == .separators })
    }

    @Test func `A name with backslashes is refused if one entry is not from Windows or has a slash`() throws {
        var forge = ZipForge([.init("w\\a.txt", Forged.text), .init("w\\b.bin", "1")])
        forge.entries[0].central.madeBy = 20
        #expect(try Archive.refusal(forge.build().bytes)?.reason == .unsafeName(.backslash))
        forge.entries[1].central.madeBy = 20
        for index in 0...1 { forge.entries[index].central.externalAttributes = 0 }
        #expect(try Archive.refusal(forge.build().bytes) == nil)
        forge.entries[1].both(\.name, Array("w/b.bin".utf8))
        #expect(try Archive.refusal(forge.build().bytes)?.reason == .unsafeName(.backslash))
        forge.entries[1].both(\.name, Array("w\\..\\b".utf8))
        #expect(try Archive.refusal(forge.build().bytes)?.reason == .unsafeName(.parentDirectory))
        forge.entries[1].both(\.name, Array("\\\\b\\c".utf8))
        #expect(try Archive.refusal(forge.build().bytes)?.reason == .unsafeName(.networkPath))
    }
}

@Suite struct `Two names` {
    struct Pair: CustomTestStringConvertible, Sendable {
        let first: String
        let second: String
        var testDescription: String { "\(first) and \(second)" }

        init(_ first: String, _ second: String) {
            self.first = first
            self.second = second
        }

        func archive() -> (bytes: [UInt8], marks: ZipForge.Marks) {
            var forge = Forged.plain()
            for (index, name) in [first, second].enumerated() { forge.entries[index + 1] = .init(name) }
            return forge.build()
        }
    }

    @Test(arguments: [
        Pair("x/a", "x/a"), Pair("x/a", "x/A"), Pair("É", "é"), Pair("é", "e\u{301}"), Pair("straße", "STRASSE"),
        Pair("σ", "ς"), Pair("K", "\u{212A}"), Pair("s", "ſ"), Pair("ß", "ẞ"), Pair("ﬀ", "FF"), Pair("x/", "x/"),
        Pair("x/a", "X/b"), Pair("x/", "X/"), Pair("É/a", "e\u{301}/b"), Pair("x/Y/z/1", "x/y/q/2"), Pair("W/x", "y"),
    ]) func `Two names are refused when they mean one place`(_ pair: Pair) throws {
        let (bytes, marks) = pair.archive()
        let error = try #require(try Archive.refusal(bytes))
        guard case .duplicateName = error.reason else {
            Issue.record("refused for another reason: \(error)")
            return
        }
        #expect(marks.central.contains { $0 == error.offset })
    }

    @Test(arguments: [
        Pair("x", "x/a"), Pair("x/a", "x"), Pair("x", "x/"), Pair("x/", "x"), Pair("x", "X/a"), Pair("a/b", "a/b/c/d"),
        Pair("w", "y"),
    ]) func `Two names are refused when one is a file and the other its directory`(_ pair: Pair) throws {
        let (bytes, marks) = pair.archive()
        let error = try #require(try Archive.refusal(bytes))
        guard case .fileIsAlsoDirectory = error.reason else {
            Issue.record("refused for another reason: \(error)")
            return
        }
        #expect(error.offset == marks.central[pair.first == "w" ? 1 : 2])
    }

    @Test(arguments: [
        Pair("x/a", "x/b"), Pair("xa", "x/a"), Pair("x/", "x/a"), Pair("x/a", "x/"), Pair("w/a", "w.txt"),
        Pair("a", "á"),
    ])
    func `Two names may lie side by side`(_ pair: Pair) throws {
        #expect(try Archive.refusal(pair.archive().bytes) == nil)
    }

    @Test func `Two names are distinguished among thousands`() throws {
        var forge = ZipForge((0..<4_000).map { .init("w/\($0 % 40)/\($0 % 7)/\($0)") })
        #expect(try Archive.refusal(forge.build().bytes) == nil)
        forge.entries[3_999] = .init("W/5/5/5")
        let (bytes, marks) = forge.build()
        #expect(try Archive.refusal(bytes)?.offset == marks.central[3_999])
    }
}

/// Names of UTF-8 that no flag declares, as Archive Utility and `zip` without a UTF-8 locale write them.
@Suite struct `A name without the flag of UTF-8` {
    /// Two folders, a file with a name beyond ASCII, and one with an ASCII name.
    static func unmarked(host: UInt16 = 3, name: [UInt8] = Array("w/gr\u{F6}\u{DF}e.txt".utf8)) -> ZipForge {
        var forge = Forged.plain()
        forge.entries[1].both(\.name, name)
        for index in forge.entries.indices { forge.entries[index].central.madeBy = host << 8 | 20 }
        return forge
    }

    private static let name = Array("w/gr\u{F6}\u{DF}e.txt".utf8)

    static let refusals: [Refusal] = [
        .init(
            "an unmarked name by a tool of DOS", .unsafeName(.unknownEncoding), entry: "w/gr\u{F6}\u{DF}e.txt",
            at: { $0.central[1] + 46 }, in: { unmarked() }
        ) { $0.entries[1].central.madeBy = 20 },
        .init(
            "an unmarked name by a tool of Windows", .unsafeName(.unknownEncoding), entry: "w/gr\u{F6}\u{DF}e.txt",
            at: { $0.central[1] + 46 }, in: { unmarked() }
        ) { $0.entries[1].central.madeBy = 10 << 8 | 20 },
        .init(
            "an unmarked name with a Unicode path", .unsafeName(.unknownEncoding), entry: "w/gr\u{F6}\u{DF}e.txt",
            at: { $0.central[1] + 46 }, in: { unmarked() }
        ) {
            $0.entries[1].central.extra = ZipForge.extra(
                0x7075, [1] + ZipForge.bytes(ZipForge.checksum(name)) + name)
        },
        .init(
            "an unmarked name beside one that is not UTF-8", .unsafeName(.unknownEncoding),
            entry: "w/gr\u{F6}\u{DF}e.txt", at: { $0.central[1] + 46 }, in: { unmarked() }
        ) { $0.entries[2].both(\.name, [0x77, 0x2F, 0x81, 0x82]) },
        .init(
            "an unmarked name in code page 437", .unsafeName(.unknownEncoding), entry: "w/gr\u{FFFD}\u{FFFD}e.txt",
            at: { $0.central[1] + 46 }, in: { unmarked() }
        ) { $0.entries[1].both(\.name, Array("w/gr".utf8) + [0x94, 0xE1] + Array("e.txt".utf8)) },
        .init(
            "an unmarked name that leaves the folder", .unsafeName(.parentDirectory), entry: "w/../\u{F6}",
            at: { $0.central[1] + 46 }, in: { unmarked() }
        ) { $0.entries[1].both(\.name, Array("w/../\u{F6}".utf8)) },
        .init(
            "two unmarked names that fold to one", .duplicateName(first: "w/gr\u{F6}\u{DF}e.txt"),
            entry: "w/GR\u{D6}SSE.txt", at: { $0.central[2] }, in: { unmarked() }
        ) { $0.entries[2].both(\.name, Array("w/GR\u{D6}SSE.txt".utf8)) },
    ]

    @Test(arguments: refusals) func `A name without the flag of UTF-8 is refused when it has other readings`(
        _ refusal: Refusal
    ) throws {
        try refusal.check()
    }

    @Test(arguments: [3, 19] as [UInt16])
    func `A name without the flag of UTF-8 is read as UTF-8 by Unix and macOS, and written with the flag`(
        _ host: UInt16
    ) throws {
        let forge = Self.unmarked(host: host)
        let entries = try Archive.read(forge.build().bytes).directory.entries
        #expect(entries.map(\.name.text) == ["w/", "w/gr\u{F6}\u{DF}e.txt", "w/b.bin"])
        #expect(entries.map(\.name.repairs) == [[], .encoding, []])
        let written = try Archive.rewritten(forge.build().bytes).bytes
        let again = try Archive.read(written).directory.entries
        #expect(again.map(\.name.text) == ["w/", "w/b.bin", "w/gr\u{F6}\u{DF}e.txt"])
        #expect(again.allSatisfy { $0.name.repairs.isEmpty })
        // The last of the three directory headers: its flags are at 8.
        let header = try #require(written.indices.last { written[$0...].starts(with: [0x50, 0x4B, 1, 2]) })
        #expect(written[header + 9] == 0x08)
    }

    @Test func `A name without the flag of UTF-8 may be beside marked names and be decomposed`() throws {
        var forge = Self.unmarked(name: Array("w/gro\u{308}\u{DF}e.txt".utf8))
        forge.entries[2].both(\.name, Array("w/\u{E9}.bin".utf8))
        forge.entries[2].both(\.flags, 1 << 11)
        let entries = try Archive.read(forge.build().bytes).directory.entries
        #expect(Array(entries[1].name.text.utf8) == Self.name)
        #expect(entries.map(\.name.repairs) == [[], [.encoding, .normalization], []])
    }
}
