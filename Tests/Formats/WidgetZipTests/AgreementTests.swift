import Testing
import WidgetTestSupport
import WidgetZip

@Suite struct `The two headers of an entry` {
    static let refusals: [Refusal] = [
        .init("another name of the same length", .headersDisagree(.name), entry: "w/a.txt", at: { $0.local[1] + 30 }) {
            $0.entries[1].local.name = Array("w/c.txt".utf8)
        },
        .init("a longer name", .headersDisagree(.name), entry: "w/a.txt", at: { $0.local[1] + 26 }) {
            $0.entries[1].local.name += [0x78]
        },
        .init("a name in another case", .headersDisagree(.name), entry: "w/a.txt", at: { $0.local[1] + 30 }) {
            $0.entries[1].local.name = Array("w/A.txt".utf8)
        },
        .init(
            "a name whose bytes hide in the extra fields", .headersDisagree(.name), entry: "w/a.txt",
            at: { $0.local[1] + 26 }
        ) { $0.entries[1].local.nameLength = 3 },
        .init("stored here, deflated there", .headersDisagree(.method), entry: "w/a.txt", at: { $0.local[1] + 8 }) {
            $0.entries[1].local.method = 0
        },
        .init(
            "an unknown method in the local header", .headersDisagree(.method), entry: "w/b.bin",
            at: { $0.local[2] + 8 }
        ) { $0.entries[2].local.method = 99 },
        .init("encrypted in the local header only", .headersDisagree(.flags), entry: "w/a.txt", at: { $0.local[1] + 6 })
        {
            $0.entries[1].local.flags = 1
        },
        .init("UTF-8 in the directory only", .headersDisagree(.flags), entry: "w/a.txt", at: { $0.local[1] + 6 }) {
            $0.entries[1].central.flags = 1 << 11
        },
        .init(
            "a descriptor promised by the local header only", .headersDisagree(.flags), entry: "w/a.txt",
            at: { $0.local[1] + 6 }, in: Forged.described
        ) { $0.entries[1].central.flags = 0 },
        .init(
            "a descriptor promised by the directory only", .headersDisagree(.flags), entry: "w/a.txt",
            at: { $0.local[1] + 6 }, in: Forged.described
        ) { $0.entries[1].local.flags = 0 },
        .init("another checksum", .headersDisagree(.checksum), entry: "w/a.txt", at: { $0.local[1] + 14 }) {
            $0.entries[1].local.checksum ^= 1
        },
        .init("no checksum where none follows", .headersDisagree(.checksum), entry: "w/a.txt", at: { $0.local[1] + 14 })
        {
            $0.entries[1].local.checksum = 0
        },
        .init(
            "another compressed size", .headersDisagree(.compressedByteCount), entry: "w/a.txt",
            at: { $0.local[1] + 18 }
        ) { $0.entries[1].local.compressedSize += 1 },
        .init("another size", .headersDisagree(.byteCount), entry: "w/a.txt", at: { $0.local[1] + 22 }) {
            $0.entries[1].local.size -= 1
        },
        .init(
            "no sizes where no descriptor follows", .headersDisagree(.compressedByteCount), entry: "w/b.bin",
            at: { $0.local[2] + 18 }
        ) {
            $0.entries[2].local.compressedSize = 0
            $0.entries[2].local.size = 0
        },
        .init(
            "a wrong checksum although a descriptor follows", .headersDisagree(.checksum), entry: "w/a.txt",
            at: { $0.local[1] + 14 }, in: Forged.described
        ) { $0.entries[1].local.checksum = 1 },
        .init(
            "a wrong compressed size although a descriptor follows", .headersDisagree(.compressedByteCount),
            entry: "w/a.txt", at: { $0.local[1] + 18 }, in: Forged.described
        ) { $0.entries[1].local.compressedSize = 1 },
        .init(
            "a wrong size although a descriptor follows", .headersDisagree(.byteCount), entry: "w/a.txt",
            at: { $0.local[1] + 22 }, in: Forged.described
        ) { $0.entries[1].local.size = 1 },
        .init("a later version in the local header", .unsupportedVersion(63), entry: "w/a.txt", at: { $0.local[1] + 4 })
        {
            $0.entries[1].local.version = 63
        },
        .init("a descriptor on a stored entry", .descriptorOnStored, entry: "w/b.bin", at: { $0.central[2] + 8 }) {
            $0.entries[2].useDescriptor()
        },
        .init(
            "a promised descriptor that is not there", .descriptorMissing, entry: "w/a.txt",
            at: { $0.descriptor[1] }, in: Forged.described
        ) { $0.entries[1].descriptor = [] },
        .init("half a descriptor", .descriptorMissing, entry: "w/a.txt", at: { $0.descriptor[1] }, in: Forged.described)
        {
            $0.entries[1].descriptor.removeLast(8)
        },
        .init(
            "a descriptor with another checksum", .descriptorDisagrees(.checksum), entry: "w/a.txt",
            at: { $0.descriptor[1] + 4 }, in: Forged.described
        ) { $0.entries[1].descriptor[4] ^= 1 },
        .init(
            "a descriptor with another compressed size", .descriptorDisagrees(.compressedByteCount), entry: "w/a.txt",
            at: { $0.descriptor[1] + 8 }, in: Forged.described
        ) { $0.entries[1].descriptor[8] ^= 1 },
        .init(
            "a descriptor with another size", .descriptorDisagrees(.byteCount), entry: "w/a.txt",
            at: { $0.descriptor[1] + 12 }, in: Forged.described
        ) { $0.entries[1].descriptor[12] ^= 1 },
        .init(
            "a descriptor with another signature", .descriptorDisagrees(.checksum), entry: "w/a.txt",
            at: { $0.descriptor[1] }, in: Forged.described
        ) { $0.entries[1].descriptor[0] ^= 1 },
        .init(
            "an unsigned descriptor with another checksum", .descriptorDisagrees(.checksum), entry: "w/a.txt",
            at: { $0.descriptor[1] }, in: Forged.describedUnsigned
        ) { $0.entries[1].descriptor[0] ^= 1 },
        .init(
            "a descriptor of eight-byte sizes where they are four", .descriptorDisagrees(.byteCount), entry: "w/a.txt",
            at: { $0.descriptor[1] + 12 }, in: Forged.described
        ) {
            let sizes = $0.entries[1].central
            $0.entries[1].descriptor.replaceSubrange(
                8..., with: ZipForge.bytes(UInt64(sizes.compressedSize)) + ZipForge.bytes(UInt64(sizes.size)))
        },
        .init(
            "bytes after the descriptor", .gap(byteCount: 2), entry: "w/b.bin", at: { $0.descriptor[1] + 16 },
            in: Forged.described
        ) { $0.entries[1].descriptor += [0, 0] },
        .init("a descriptor nobody promised", .gap(byteCount: 16), entry: "w/b.bin", at: { $0.descriptor[1] }) {
            $0.entries[1].descriptor = Forged.described().entries[1].descriptor
        },
        .init(
            "a descriptor after the last entry cut off by the directory", .descriptorMissing, entry: "w/a.txt",
            at: { $0.descriptor[1] }, in: { ZipForge(Array(Forged.described().entries.prefix(2))) }
        ) { $0.entries[1].descriptor = [0x50, 0x4B, 7, 8] },
    ]

    @Test(arguments: refusals) func `The two headers of an entry must agree`(_ refusal: Refusal) throws {
        try refusal.check()
    }

    @Test func `The two headers of an entry may differ in times, versions and extra fields`() throws {
        var forge = Forged.plain()
        forge.entries[1].local.time = 0
        forge.entries[1].local.date = 0
        forge.entries[1].local.version = 10
        forge.entries[1].local.extra = ZipForge.extra(0x5855, Array(repeating: 1, count: 12))
        forge.entries[1].central.extra = ZipForge.extra(0x5855, Array(repeating: 1, count: 8))
        #expect(try Archive.read(forge.build().bytes).contents[1] == Array(Forged.text.utf8))
    }

    @Test func `The local headers may have another order than the directory`() throws {
        var forge = Forged.plain()
        let marks = forge.build().marks
        for (index, entry) in forge.entries.enumerated() {
            forge.entries[index].central.offset = UInt32(marks.local[index]); _ = entry
        }
        let (first, second) = (forge.entries[1].central, forge.entries[2].central)
        (forge.entries[1].central, forge.entries[2].central) = (second, first)
        let read = try Archive.read(forge.build().bytes)
        #expect(read.directory.entries.map(\.name.text) == ["w/", "w/b.bin", "w/a.txt"])
        #expect(read.contents == [[], Array("0123456789".utf8), Array(Forged.text.utf8)])
    }

    @Test(arguments: [false, true]) func `The two headers of an entry may be completed by a descriptor`(
        _ isSigned: Bool
    ) throws {
        var forge = Forged.plain()
        forge.entries[1].useDescriptor(signed: isSigned)
        #expect(try Archive.read(forge.build().bytes).contents[1] == Array(Forged.text.utf8))
        // Also when the local header knew already.
        forge.entries[1].local.checksum = forge.entries[1].central.checksum
        forge.entries[1].local.compressedSize = forge.entries[1].central.compressedSize
        forge.entries[1].local.size = forge.entries[1].central.size
        #expect(try Archive.refusal(forge.build().bytes) == nil)
    }

    @Test func `The two headers of an entry may end in an unsigned descriptor that looks signed`() throws {
        // Four bytes chosen so that the checksum is the descriptor's signature.
        let content = Self.content(withChecksum: 0x0807_4B50)
        var forge = ZipForge([.init("w/"), .init(Array("w/a".utf8), content + [])])
        forge.entries[1].both(\.method, 8)
        forge.entries[1].data = ZipForge.deflate(content)
        forge.entries[1].both(\.compressedSize, UInt32(forge.entries[1].data.count))
        forge.entries[1].useDescriptor(signed: false)
        #expect(forge.entries[1].descriptor.starts(with: [0x50, 0x4B, 7, 8]))
        #expect(try Archive.read(forge.build().bytes).contents[1] == content)
    }

    /// CRC-32 is linear: four bytes reach any value; found by running the register backwards.
    private static func content(withChecksum wanted: UInt32) -> [UInt8] {
        var table: [UInt32] = []
        for index in 0..<256 as Range<UInt32> {
            table.append((0..<8).reduce(index) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 })
        }
        var register = ~wanted
        for _ in 0..<4 {
            let index = UInt32(table.firstIndex { $0 >> 24 == register >> 24 } ?? 0)
            register = (register ^ table[Int(index)]) << 8 | index
        }
        return ZipForge.bytes(register ^ 0xFFFF_FFFF)
    }
}

extension Forged {
    static func describedUnsigned() -> ZipForge {
        var forge = plain()
        forge.entries[1].useDescriptor(signed: false)
        return forge
    }
}
