import Testing
import WidgetTestSupport
import WidgetZip

@Suite struct `The type of an entry` {
    private static func special(
        _ sentence: String, _ kind: ZipAttributes.Special, _ external: UInt32, madeBy: UInt16 = 0x0314
    ) -> Refusal {
        Refusal(sentence, .notAFile(kind), entry: "w/a.txt", at: { $0.central[1] + 38 }) {
            $0.entries[1].central.externalAttributes = external
            $0.entries[1].central.madeBy = madeBy
        }
    }

    static let refusals: [Refusal] = [
        special("a symbolic link", .link, 0o120777 << 16),
        special("a symbolic link from macOS", .link, 0o120755 << 16, madeBy: 0x1314),
        special("a symbolic link that claims to come from DOS", .link, 0o120777 << 16, madeBy: 0x0014),
        special("a character device", .device, 0o020666 << 16),
        special("a block device", .device, 0o060660 << 16),
        special("a fifo", .fifo, 0o010644 << 16),
        special("a socket", .socket, 0o140755 << 16),
        special("type bits that mean nothing", .unknown, 0o170000 << 16),
        special("a volume label", .volumeLabel, 0x08, madeBy: 0x0014),
        special("a DOS device", .device, 0x40, madeBy: 0x0014),
        special("a reparse point", .link, 0x420, madeBy: 0x0A14),
        .init("a link whose name is a directory's", .notAFile(.link), entry: "w/", at: { $0.central[0] + 38 }) {
            $0.entries[0].central.externalAttributes = 0o120777 << 16
        },
        .init("a file that says it is a directory", .typeContradictsName, entry: "w/a.txt", at: { $0.central[1] + 38 })
        {
            $0.entries[1].central.externalAttributes = 0o040755 << 16
        },
        .init("a file with the DOS directory bit", .typeContradictsName, entry: "w/a.txt", at: { $0.central[1] + 38 }) {
            $0.entries[1].central.externalAttributes |= 0x10
        },
        .init("a DOS file with the directory bit", .typeContradictsName, entry: "w/a.txt", at: { $0.central[1] + 38 }) {
            $0.entries[1].central.externalAttributes = 0x10
            $0.entries[1].central.madeBy = 0x0014
        },
        .init("a directory that says it is a file", .typeContradictsName, entry: "w/", at: { $0.central[0] + 38 }) {
            $0.entries[0].central.externalAttributes = 0o100644 << 16
        },
        .init("a stored directory with data", .directoryHasData, entry: "w/", at: { $0.central[0] + 16 }) {
            $0.entries[0] = .init(Array("w/".utf8), [1, 2, 3], stored: true)
        },
        .init("a deflated directory with data", .directoryHasData, entry: "w/", at: { $0.central[0] + 16 }) {
            $0.entries[0] = .init("w/", Forged.text)
        },
        .init("a directory of a declared size", .directoryHasData, entry: "w/", at: { $0.central[0] + 16 }) {
            $0.entries[0].both(\.size, 1)
        },
        .init("a directory with a checksum", .directoryHasData, entry: "w/", at: { $0.central[0] + 16 }) {
            $0.entries[0].both(\.checksum, 1)
        },
        .init("a directory of two stored bytes", .directoryHasData, entry: "w/", at: { $0.central[0] + 16 }) {
            $0.entries[0].data = [3, 0]
            $0.entries[0].both(\.compressedSize, 2)
        },
        .init("a deflated directory of other bytes", .directoryHasData, entry: "w/", at: { $0.data[0] }) {
            $0.entries[0].data = [0x4B, 4]
            $0.entries[0].both(\.compressedSize, 2)
            $0.entries[0].both(\.method, 8)
        },
    ]

    @Test(arguments: refusals) func `The type of an entry is refused if its marks contradict each other`(
        _ refusal: Refusal
    ) throws {
        try refusal.check()
    }

    @Test(
        arguments: [
            (0x0314, 0), (0x0314, 0o100777 << 16), (0x0314, 0o106755 << 16), (0x0014, 0x20), (0x0014, 0),
            (0x0A14, 0x2020),
            (0x0014, 0o100600 << 16), (0x1315, 0o100644 << 16 | 0x4000), (0x0314, 0o644 << 16), (0x0714, 0),
        ] as [(UInt16, UInt32)])
    func `The type of an entry may be a file in each spelling of the tools`(_ madeBy: UInt16, _ external: UInt32) throws
    {
        var forge = Forged.plain()
        forge.entries[1].central.madeBy = madeBy
        forge.entries[1].central.externalAttributes = external
        #expect(try Archive.refusal(forge.build().bytes) == nil)
    }

    @Test(
        arguments: [
            (0x0314, 0), (0x0314, 0o40755 << 16), (0x0014, 0x10), (0x0014, 0), (0x0A14, 0x10),
            (0x1315, 0o40755 << 16 | 0x4000),
        ]
            as [(UInt16, UInt32)])
    func `The type of an entry may be a directory in each spelling of the tools`(_ madeBy: UInt16, _ external: UInt32)
        throws
    {
        var forge = Forged.plain()
        forge.entries[0].central.madeBy = madeBy
        forge.entries[0].central.externalAttributes = external
        #expect(try Archive.refusal(forge.build().bytes) == nil)
    }

    @Test func `The type of an entry may be a directory deflated to an empty stream`() throws {
        var forge = Forged.plain()
        forge.entries[0].data = [3, 0]
        forge.entries[0].both(\.compressedSize, 2)
        forge.entries[0].both(\.method, 8)
        let rewritten = try Archive.rewritten(forge.build().bytes).bytes
        #expect(try rewritten == Archive.rewritten(Forged.plain().build().bytes).bytes)
    }

    @Test func `The type of an entry loses its permission and set-id bits`() throws {
        var forge = Forged.plain()
        forge.entries[1].central.externalAttributes = 0o106777 << 16
        #expect(
            try Archive.rewritten(forge.build().bytes).bytes == Archive.rewritten(Forged.plain().build().bytes).bytes)
    }
}
