import Testing
import WidgetFiles
import WidgetTestSupport
import WidgetZip

@Suite struct `Features beyond stored and deflate` {
    static let flags: [Refusal] = [
        (0, .encrypted), (4, .enhancedDeflate), (5, .patchData), (6, .strongEncryption), (7, .unknownFlags(1 << 7)),
        (8, .unknownFlags(1 << 8)), (9, .unknownFlags(1 << 9)), (10, .unknownFlags(1 << 10)),
        (12, .unknownFlags(1 << 12)), (13, .maskedHeaders), (14, .unknownFlags(1 << 14)), (15, .unknownFlags(1 << 15)),
    ].map { (bit: Int, reason: ZipError.Reason) in
        Refusal("flag bit \(bit)", reason, entry: "w/a.txt", at: { $0.central[1] + 8 }) {
            $0.entries[1].both(\.flags, 1 << UInt16(bit))
        }
    }

    static let methods: [Refusal] = ([1, 2, 6, 7, 9, 10, 12, 14, 19, 93, 95, 96, 97, 98, 99, 65_535] as [UInt16]).map {
        method in
        Refusal("method \(method)", .unsupportedMethod(method), entry: "w/a.txt", at: { $0.central[1] + 10 }) {
            $0.entries[1].both(\.method, method)
        }
    }

    static let versions: [Refusal] = ([46, 50, 51, 62, 63, 255] as [UInt16]).map { version in
        Refusal("version \(version)", .unsupportedVersion(Int(version)), entry: "w/a.txt", at: { $0.central[1] + 6 }) {
            $0.entries[1].central.version = version
        }
    }

    static let extras: [Refusal] = [
        .init("one stray byte", .extraDoesNotDivide, entry: "w/a.txt", at: Self.central) {
            $0.entries[1].central.extra = [0]
        },
        .init("padding of three bytes", .extraDoesNotDivide, entry: "w/a.txt", at: Self.local) {
            $0.entries[1].local.extra = [0, 0, 0]
        },
        .init("a record longer than the block", .extraDoesNotDivide, entry: "w/a.txt", at: Self.central) {
            $0.entries[1].central.extra = [0x55, 0x54, 5, 0, 1, 2, 3, 4]
        },
        .init("a record shorter than the block", .extraDoesNotDivide, entry: "w/a.txt", at: Self.local) {
            $0.entries[1].local.extra = [0x55, 0x54, 1, 0, 1, 2]
        },
        .init("an extra block over the limit", .limitReached(.extraByteCount, limit: 4_096), at: { $0.central[1] + 30 })
        {
            $0.entries[1].central.extra = ZipForge.extra(0x5455, Array(repeating: 0, count: 4_093))
        },
        .init(
            "a local extra block over the limit", .limitReached(.extraByteCount, limit: 4_096), entry: "w/a.txt",
            at: { $0.local[1] + 28 }
        ) { $0.entries[1].local.extra = ZipForge.extra(0x5455, Array(repeating: 0, count: 4_093)) },
        .init("strong encryption", .strongEncryption, entry: "w/a.txt", at: Self.central) {
            $0.entries[1].central.extra = ZipForge.extra(0x0017, Array(repeating: 0, count: 8))
        },
        .init("recipients of encryption", .strongEncryption, entry: "w/a.txt", at: Self.local) {
            $0.entries[1].local.extra = ZipForge.extra(0x0019, Array(repeating: 0, count: 8))
        },
        .init("WinZip encryption", .encrypted, entry: "w/a.txt", at: Self.central) {
            $0.entries[1].central.extra = ZipForge.extra(0x9901, [2, 0, 0x41, 0x45, 3, 8, 0])
        },
        .init("a patch descriptor", .patchData, entry: "w/a.txt", at: Self.central) {
            $0.entries[1].central.extra = ZipForge.extra(0x000F, Array(repeating: 0, count: 12))
        },
        .init("a link target in PKWARE's Unix record", .notAFile(.link), entry: "w/a.txt", at: Self.local) {
            $0.entries[1].local.extra = ZipForge.extra(0x000D, Array(repeating: 0, count: 12) + Array("/etc".utf8))
        },
        .init("a link in ASi's Unix record", .notAFile(.link), entry: "w/a.txt", at: Self.local) {
            $0.entries[1].local.extra = ZipForge.extra(
                0x756E, [0, 0, 0, 0] + ZipForge.bytes(0o120777 as UInt16) + Array(repeating: 0, count: 8))
        },
        .init("a Unicode path that says another name", .unicodePathDisagrees, entry: "w/a.txt", at: Self.central) {
            $0.entries[1].central.extra = Self.unicodePath("w/c.txt", of: "w/a.txt")
        },
        .init("a Unicode path for another name", .unicodePathDisagrees, entry: "w/a.txt", at: Self.central) {
            $0.entries[1].central.extra = Self.unicodePath("w/a.txt", of: "w/c.txt")
        },
        .init(
            "a Unicode path in the local header that says another name", .unicodePathDisagrees, entry: "w/a.txt",
            at: Self.local
        ) { $0.entries[1].local.extra = Self.unicodePath("w/../c", of: "w/a.txt") },
        .init("a Unicode path of an unknown version", .unicodePathDisagrees, entry: "w/a.txt", at: Self.central) {
            $0.entries[1].central.extra = Self.unicodePath("w/a.txt", of: "w/a.txt")
            $0.entries[1].central.extra[4] = 2
        },
        .init("a Unicode path without a path", .unicodePathDisagrees, entry: "w/a.txt", at: Self.central) {
            $0.entries[1].central.extra = ZipForge.extra(0x7075, [1, 2])
        },
        .init("two Unicode paths", .extraRepeated(0x7075), entry: "w/a.txt", at: Self.central) {
            $0.entries[1].central.extra =
                Self.unicodePath("w/a.txt", of: "w/a.txt") + Self.unicodePath("w/c.txt", of: "w/a.txt")
        },
    ]

    private static let central: @Sendable (ZipForge.Marks) -> Int? = { $0.central[1] + 46 + 7 }
    private static let local: @Sendable (ZipForge.Marks) -> Int? = { $0.local[1] + 30 + 7 }

    static func unicodePath(_ path: String, of name: String) -> [UInt8] {
        ZipForge.extra(0x7075, [1] + ZipForge.bytes(ZipForge.checksum(Array(name.utf8))) + Array(path.utf8))
    }

    @Test(arguments: flags + methods + versions + extras) func `Features beyond stored and deflate are refused`(
        _ refusal: Refusal
    ) throws {
        try refusal.check()
    }

    @Test(arguments: [1, 2, 3] as [UInt16]) func `Features refused do not include the compressor's effort`(
        _ level: UInt16
    ) throws {
        var forge = Forged.plain()
        forge.entries[1].both(\.flags, level << 1)
        #expect(try Archive.refusal(forge.build().bytes) == nil)
    }

    @Test func `Features refused do not include informative extra fields`() throws {
        var forge = Forged.plain()
        let times = ZipForge.extra(0x5455, [3] + Array(repeating: 1, count: 8))
        forge.entries[1].local.extra = times + ZipForge.extra(0x7875, [1, 4, 0, 0, 0, 0, 4, 0, 0, 0, 0])
        forge.entries[1].central.extra = ZipForge.extra(0x000A, Array(repeating: 0, count: 32))
        forge.entries[2].central.extra = Self.unicodePath("w/b.bin", of: "w/b.bin")
        forge.entries[2].local.extra = ZipForge.extra(0x000D, Array(repeating: 0, count: 12))
        #expect(try Archive.refusal(forge.build().bytes) == nil)
    }

    @Test func `Features refused do not include a plain comment`() throws {
        var forge = Forged.plain()
        forge.end.comment = Array("made on a rainy day".utf8)
        forge.entries[1].central.comment = Array("~ a note ~".utf8)
        #expect(try Archive.refusal(forge.build().bytes) == nil)
        #expect(try Archive.refusal(Forged.commented().build().bytes) == nil)
        forge.end.comment = Array(repeating: 0x7E, count: 1_024)
        #expect(try Archive.refusal(forge.build().bytes) == nil)
    }
}

@Suite(.enabled(if: Samples.exist, "needs the original samples")) struct `The demo archive` {
    @Test func `The demo archive is accepted and rewritten, smaller, every file byte for byte`() throws {
        let bytes = try Samples.bytes("WidgetDemo.zip")
        let original = try Archive.read(bytes)
        #expect(original.directory.entries.count == 20)
        let (rewritten, written) = try Archive.rewritten(bytes)
        #expect(rewritten.count <= bytes.count)
        let final = try Archive.read(rewritten)
        #expect(final.directory == written.directory)
        let before = zip(original.directory.entries, original.contents).map { ($0.name.text, $1) }
        let after = zip(final.directory.entries, final.contents).map { ($0.name.text, $1) }
        #expect(Dictionary(uniqueKeysWithValues: before) == Dictionary(uniqueKeysWithValues: after))
        #expect(after.first?.0 == "WidgetDemo.bundle/")
        #expect(try Archive.rewritten(rewritten).bytes == rewritten)
    }
}
