import Testing
import WidgetTestSupport
import WidgetZip

@Suite struct `Zip64` {
    static let refusals: [Refusal] = [
        .init("a saturated count without the record", .zip64Missing, at: { $0.end }) {
            $0.end.entries = .max
            $0.end.entriesHere = .max
        },
        .init("a saturated directory size without the record", .zip64Missing, at: { $0.end }) {
            $0.end.directorySize = .max
        },
        .init("a saturated directory offset without the record", .zip64Missing, at: { $0.end }) {
            $0.end.directoryOffset = .max
        },
        .init("a saturated disk without the record", .zip64Missing, at: { $0.end }) { $0.end.disk = .max },
        .init("a record without its locator", .zip64Missing, at: { $0.end }, in: Forged.wide) {
            $0.zip64?.locatorSignature = 0
        },
        .init("a locator without its record", .zip64Misplaced, at: { $0.zip64Locator + 8 }, in: Forged.wide) {
            $0.zip64?.signature = 0
        },
        .init("a locator that points elsewhere", .zip64Misplaced, at: { $0.zip64Locator + 8 }, in: Forged.wide) {
            $0.zip64?.recordOffset = 0
        },
        .init("bytes between record and locator", .zip64Misplaced, at: { $0.zip64Locator + 8 }, in: Forged.wide) {
            $0.zip64?.gap = [0]
        },
        .init(
            "bytes between directory and record", .directoryMisplaced(declaredEnd: 330, end: 331),
            at: { $0.zip64Record + 40 }, in: Forged.wide
        ) { $0.afterDirectory = [0] },
        .init("a locator on another disk", .multipleDisks, at: { $0.zip64Locator + 4 }, in: Forged.wide) {
            $0.zip64?.locatorDisk = 1
        },
        .init("no disks", .multipleDisks, at: { $0.zip64Locator + 4 }, in: Forged.wide) { $0.zip64?.disks = 0 },
        .init("two disks", .multipleDisks, at: { $0.zip64Locator + 4 }, in: Forged.wide) { $0.zip64?.disks = 2 },
        .init("a record of another length", .zip64RecordLength, at: { $0.zip64Record + 4 }, in: Forged.wide) {
            $0.zip64?.recordSize = 45
        },
        .init("a record with a sector of its own", .zip64Misplaced, at: { $0.zip64Locator + 8 }, in: Forged.wide) {
            $0.zip64?.recordSize = 48
            $0.zip64?.sector = [1, 2, 3, 4]
        },
        .init("a record for a later version", .unsupportedVersion(62), at: { $0.zip64Record + 14 }, in: Forged.wide) {
            $0.zip64?.version = 62
        },
        .init("a record on another disk", .multipleDisks, at: { $0.zip64Record + 16 }, in: Forged.wide) {
            $0.zip64?.disk = 1
        },
        .init(
            "a record whose directory is on another disk", .multipleDisks, at: { $0.zip64Record + 16 }, in: Forged.wide
        ) {
            $0.zip64?.directoryDisk = 1
        },
        .init("a record with two numbers of entries", .multipleDisks, at: { $0.zip64Record + 24 }, in: Forged.wide) {
            $0.zip64?.entriesHere = 2
        },
        .init(
            "another number of entries in the end record", .zip64Disagrees(.entryCount), at: { $0.zip64Record + 32 },
            in: Forged.wide
        ) {
            $0.end.entries = 2
            $0.end.entriesHere = 2
        },
        .init(
            "another directory size in the end record", .zip64Disagrees(.directoryByteCount),
            at: { $0.zip64Record + 40 }, in: Forged.wide
        ) { $0.end.directorySize = 1 },
        .init(
            "another directory offset in the end record", .zip64Disagrees(.directoryOffset),
            at: { $0.zip64Record + 48 }, in: Forged.wide
        ) { $0.end.directoryOffset = 1 },
        .init("a directory offset no file can have", .numberTooLarge, at: { $0.zip64Record + 24 }, in: Forged.wide) {
            $0.zip64?.directoryOffset = .max
        },
        .init("a directory whose end no file can have", .numberTooLarge, at: { $0.zip64Record + 24 }, in: Forged.wide) {
            $0.zip64?.directorySize = UInt64(Int.max)
        },
        .init(
            "a number of entries beyond all", .limitReached(.entryCount, limit: 4_096), at: { $0.end + 10 },
            in: Forged.wide
        ) {
            $0.zip64?.entries = 1 << 40
            $0.zip64?.entriesHere = 1 << 40
        },
        .init(
            "an entry with a saturated size and no record", .zip64Missing, entry: "w/a.txt",
            at: { $0.central[1] + 46 + 7 }
        ) { $0.entries[1].central.size = .max },
        .init(
            "an entry with a saturated offset and no record", .zip64Missing, entry: "w/a.txt",
            at: { $0.central[1] + 46 + 7 }
        ) { $0.entries[1].central.offset = .max },
        .init(
            "a local header with saturated sizes and no record", .zip64Missing, entry: "w/a.txt",
            at: { $0.local[1] + 30 + 7 }, in: Forged.wide
        ) { $0.entries[1].local.extra = [] },
        .init(
            "a record too short for what is saturated", .zip64ExtraLength, entry: "w/a.txt",
            at: { $0.central[1] + 46 + 7 }, in: Forged.wide
        ) { $0.entries[1].central.extra = ZipForge.extra(1, Array(repeating: 0, count: 16)) },
        .init(
            "a record with a number nobody asked for", .zip64ExtraLength, entry: "w/a.txt",
            at: { $0.central[1] + 46 + 7 }, in: Forged.wide
        ) { $0.entries[1].central.offset = nil },
        .init(
            "a record where nothing is saturated", .zip64ExtraLength, entry: "w/a.txt", at: { $0.central[1] + 46 + 7 }
        ) {
            $0.entries[1].central.extra = ZipForge.extra(1, Array(repeating: 0, count: 8))
        },
        .init(
            "a local record with one size only", .zip64ExtraLength, entry: "w/a.txt", at: { $0.local[1] + 30 + 7 },
            in: Forged.wide
        ) { $0.entries[1].local.extra = ZipForge.extra(1, Array(repeating: 0, count: 8)) },
        .init("a size beyond all", .numberTooLarge, entry: "w/a.txt", at: { $0.central[1] + 46 + 7 }, in: Forged.wide) {
            $0.entries[1].central.extra = ZipForge.extra(1, Array(repeating: 0xFF, count: 24))
        },
        .init(
            "a size over the limit", .limitReached(.entryByteCount, limit: 64 << 20), entry: "w/a.txt",
            at: { $0.central[1] + 24 }, in: Forged.wide
        ) { $0.entries[1].central.extra[8] = 1 },
        .init(
            "an offset beyond the archive", .gap(byteCount: 69), entry: "w/b.bin", at: { $0.descriptor[0] },
            in: Forged.wide
        ) {
            $0.entries[1].central.extra[4 + 16 + 7] = 1
        },
        .init(
            "another size in the local record", .headersDisagree(.byteCount), entry: "w/a.txt",
            at: { $0.local[1] + 22 }, in: Forged.wide
        ) { $0.entries[1].local.extra[4] ^= 1 },
        .init(
            "another compressed size in the local record", .headersDisagree(.compressedByteCount), entry: "w/a.txt",
            at: { $0.local[1] + 18 }, in: Forged.wide
        ) { $0.entries[1].local.extra[12] ^= 1 },
        .init(
            "a local size that contradicts its own record", .zip64Disagrees(.byteCount), entry: "w/a.txt",
            at: { $0.local[1] + 30 + 7 }, in: Forged.wide
        ) { $0.entries[1].local.size = 5 },
        .init(
            "a local compressed size that contradicts its own record", .zip64Disagrees(.compressedByteCount),
            entry: "w/a.txt", at: { $0.local[1] + 30 + 7 }, in: Forged.wide
        ) { $0.entries[1].local.compressedSize = 5 },
        .init(
            "two records in one header", .extraRepeated(1), entry: "w/a.txt", at: { $0.central[1] + 46 + 7 },
            in: Forged.wide
        ) { $0.entries[1].central.extra += $0.entries[1].central.extra },
        .init(
            "a descriptor of four-byte sizes where they are eight", .descriptorMissing, entry: "w/a.txt",
            at: { $0.descriptor[1] }, in: Forged.wideDescribed
        ) {
            $0.entries[1].descriptor.removeSubrange(12..<16)
            $0.entries[1].descriptor.removeSubrange(16..<20)
        },
    ]

    @Test(arguments: refusals) func `A broken zip64 record is refused`(_ refusal: Refusal) throws {
        try refusal.check()
    }

    @Test func `A zip64 record is accepted where it is not needed but consistent`() throws {
        var forge = Forged.plain()
        forge.zip64 = .init()
        #expect(try Archive.read(forge.build().bytes).directory.entries.count == 3)
    }

    @Test func `A zip64 record leaves the rewritten archive`() throws {
        #expect(
            try Archive.rewritten(Forged.wide().build().bytes).bytes
                == Archive.rewritten(Forged.plain().build().bytes).bytes)
    }

    @Test func `A zip64 entry carries descriptors of eight-byte sizes`() throws {
        #expect(try Archive.read(Forged.wideDescribed().build().bytes).contents[1] == Array(Forged.text.utf8))
        var unsigned = Forged.wideDescribed()
        unsigned.entries[1].descriptor.removeFirst(4)
        #expect(try Archive.read(unsigned.build().bytes).contents[1] == Array(Forged.text.utf8))
    }
}

extension Forged {
    /// A file with zip64 sizes and a descriptor.
    static func wideDescribed() -> ZipForge {
        var forge = wide()
        let sizes = plain().entries[1].central
        forge.entries[1].both(\.flags, 8)
        forge.entries[1].descriptor =
            ZipForge.bytes(0x0807_4B50 as UInt32) + ZipForge.bytes(sizes.checksum)
            + ZipForge.bytes(UInt64(sizes.compressedSize)) + ZipForge.bytes(UInt64(sizes.size))
        return forge
    }
}
