import Testing
import WidgetTestSupport
import WidgetZip

@Suite struct `Framing of an archive` {
    static let refusals: [Refusal] = [
        .init("bytes before the first record", .prependedData(byteCount: 10), entry: "w/", at: { _ in 0 }) {
            $0.prefix = Array("#!/bin/sh\n".utf8)
        },
        .init("bytes after the end", .trailingData(byteCount: 3), at: { $0.end + 22 }) { $0.suffix = [1, 2, 3] },
        .init("one NUL after the end", .trailingData(byteCount: 1), at: { $0.end + 22 }) { $0.suffix = [0] },
        .init("a gap between two entries", .gap(byteCount: 4), entry: "w/a.txt", at: { $0.descriptor[0] }) {
            $0.entries[1].gap = [0, 0, 0, 0]
        },
        .init("a gap of one byte", .gap(byteCount: 1), entry: "w/b.bin", at: { $0.descriptor[1] }) {
            $0.entries[2].gap = [0x50]
        },
        .init("a gap before the directory", .gap(byteCount: 5), at: { $0.descriptor[2] }) {
            $0.beforeDirectory = [1, 2, 3, 4, 5]
        },
        .init(
            "an entry the directory does not know, in the middle", .gap(byteCount: 30 + 1 + 2), entry: "w/a.txt",
            at: { $0.descriptor[0] }
        ) {
            $0.entries.insert(.init("x", "hi", stored: true), at: 1)
            $0.entries[1].isHidden = true
        },
        .init("an entry the directory does not know, at the end", .gap(byteCount: 33), at: { $0.local[3] }) {
            $0.entries.append(.init("x", "hi", stored: true))
            $0.entries[3].isHidden = true
        },
        .init(
            "an entry the directory does not know, at the start", .prependedData(byteCount: 33), entry: "w/",
            at: { _ in 0 }
        ) {
            $0.entries.insert(.init("x", "hi", stored: true), at: 0)
            $0.entries[0].isHidden = true
        },
        .init("two directory headers for one record", .headersDisagree(.name), entry: "x", at: { $0.local[1] + 26 }) {
            $0.entries.insert(.init("x"), at: 1)
            $0.entries[1].isGhost = true
        },
        .init("an offset into the record before", .overlap(byteCount: 1), entry: "w/b.bin", at: { $0.local[2] - 1 }) {
            $0.entries[2].central.offset = UInt32($0.build().marks.local[2] - 1)
        },
        .init("an entry whose data runs over the next", .overlap(byteCount: 10), entry: "w/b.bin", at: { $0.local[2] })
        {
            $0.entries[1] = .init("w/a.txt", Forged.text, stored: true)
            $0.entries[1].both(\.compressedSize, UInt32(Forged.text.utf8.count + 10))
            $0.entries[1].both(\.size, UInt32(Forged.text.utf8.count + 10))
        },
        .init("data that runs over the directory", .recordOutOfBounds, entry: "w/b.bin", at: { $0.data[2] }) {
            $0.entries[2].both(\.compressedSize, 11)
            $0.entries[2].both(\.size, 11)
        },
        .init("a local header cut off by the directory", .recordOutOfBounds, entry: "x", at: { $0.descriptor[2] }) {
            $0.beforeDirectory = Array(repeating: 0x50, count: 10)
            $0.entries.append(.init("x"))
            $0.entries[3].isGhost = true
        },
        .init(
            "a local header whose name runs over the directory", .recordOutOfBounds, entry: "w/b.bin",
            at: { $0.local[2] + 26 }
        ) {
            $0.entries[2].data = []
            $0.entries[2].local.extraLength = 20
        },
        .init(
            "no local header where the directory says", .wrongSignature(.localHeader), entry: "w/a.txt",
            at: { $0.local[1] }
        ) { $0.entries[1].local.signature = 0x0403_4B51 },
        .init("something else in the directory", .wrongSignature(.directoryHeader), at: { $0.central[1] }) {
            $0.entries[1].central.signature = 0x0505_4B50
        },
        .init("a directory header cut off by the end", .truncatedDirectory, at: { $0.central[2] }) {
            $0.entries[2].central.commentLength = 1
        },
        .init("a name of no bytes", .unsafeName(.empty), at: { $0.central[1] + 28 }) { $0.entries[1].both(\.name, []) },
        .init(
            "bytes between the directory's last header and its end", .entryCountMismatch(declared: 3, found: 4),
            at: { $0.end - 10 }
        ) {
            let marks = $0.build().marks
            $0.end.directorySize = UInt32(marks.end - marks.directory + 10)
            $0.afterDirectory = Array(repeating: 0, count: 10)
        },
        .init(
            "fewer entries declared than there are", .entryCountMismatch(declared: 2, found: 3), at: { $0.central[2] }
        ) {
            $0.end.entries = 2
            $0.end.entriesHere = 2
        },
        .init("more entries declared than there are", .entryCountMismatch(declared: 4, found: 3), at: { $0.end }) {
            $0.end.entries = 4
            $0.end.entriesHere = 4
        },
        .init("two numbers of entries", .multipleDisks, at: { $0.end + 8 }) { $0.end.entriesHere = 2 },
        .init("a second disk", .multipleDisks, at: { $0.end + 4 }) { $0.end.disk = 1 },
        .init("a directory on a second disk", .multipleDisks, at: { $0.end + 4 }) { $0.end.directoryDisk = 1 },
        .init("an entry on a second disk", .multipleDisks, entry: "w/a.txt", at: { $0.central[1] + 34 }) {
            $0.entries[1].central.disk = 1
        },
        .init("no end record", .missingEndRecord, at: { $0.end }) { $0.end.signature = 0x0605_4B51 },
        .init("a comment that should be longer", .truncatedEndRecord(missing: 5), at: { $0.end + 20 }) {
            $0.end.commentLength = 5
        },
        .init("a comment that should be shorter", .trailingData(byteCount: 2), at: { $0.end + 25 }) {
            $0.end.comment = Array("hello".utf8)
            $0.end.commentLength = 3
        },
        .init("a comment of control characters", .commentNotPlain, at: { $0.end + 27 }) {
            $0.end.comment = Array("hello\u{B}world".utf8)
        },
        .init("a comment beyond ASCII", .commentNotPlain, at: { $0.end + 25 }) {
            $0.end.comment = Array("caf\u{E9}".utf8)
        },
        .init("a comment over a kilobyte", .limitReached(.commentByteCount, limit: 1_024), at: { $0.end + 20 }) {
            $0.end.comment = Array(repeating: 0x20, count: 1_025)
        },
        .init(
            "an entry's comment of control characters", .commentNotPlain, entry: "w/a.txt",
            at: { $0.central[1] + 46 + 7 + 1 }
        ) { $0.entries[1].central.comment = [0x20, 0x1B] },
        .init(
            "an entry's comment over a kilobyte", .limitReached(.commentByteCount, limit: 1_024),
            at: { $0.central[1] + 32 }
        ) { $0.entries[1].central.comment = Array(repeating: 0x20, count: 1_025) },
    ]

    @Test(arguments: refusals) func `An archive with broken framing is refused`(_ refusal: Refusal) throws {
        try refusal.check()
    }

    @Test func `An archive is refused when its offsets do not count a prefix`() throws {
        let (bytes, marks) = Forged.plain().build()
        let error = try #require(try Archive.refusal(Array("MZ stub".utf8) + bytes))
        #expect(
            error
                == ZipError(
                    .directoryMisplaced(declaredEnd: Int64(marks.end), end: marks.end + 7), at: marks.end + 7 + 12))
    }

    @Test func `An archive is refused when two archives follow each other`() throws {
        let (bytes, marks) = Forged.plain().build()
        let error = try #require(try Archive.refusal(bytes + bytes))
        let end = marks.count + marks.end
        #expect(error == ZipError(.directoryMisplaced(declaredEnd: Int64(marks.end), end: end), at: end + 12))
    }

    @Test(arguments: [-1, 1]) func `An archive is refused when the directory is said to lie elsewhere`(_ shift: Int)
        throws
    {
        for field in [\ZipForge.End.directoryOffset, \ZipForge.End.directorySize] {
            var forge = Forged.plain()
            let marks = forge.build().marks
            let value = field == \.directoryOffset ? marks.directory : marks.end - marks.directory
            forge.end[keyPath: field] = UInt32(value + shift)
            let error = try #require(try Archive.refusal(forge.build().bytes))
            let expected = ZipError.Reason.directoryMisplaced(declaredEnd: Int64(marks.end + shift), end: marks.end)
            #expect(error == ZipError(expected, at: marks.end + 12))
        }
    }

    @Test func `An archive is refused when a comment holds a second end`() throws {
        // One reader takes the outer end and three entries, another the inner end and none.
        var forge = Forged.plain()
        let end = forge.build().marks.end
        var inner: [UInt8] = [0x50, 0x4B, 5, 6, 0, 0, 0, 0, 0, 0, 0, 0]
        inner += ZipForge.bytes(UInt32(end + 22)) + ZipForge.bytes(UInt32(0)) + [0, 0]
        forge.end.comment = inner
        let error = try #require(try Archive.refusal(forge.build().bytes))
        #expect(error == ZipError(.entryCountMismatch(declared: 0, found: 1), at: 0))
    }

    @Test(arguments: ["", "PK", "not a zip archive at all, only some text", String(repeating: "\0", count: 1_024)])
    func `Bytes without an end record are refused`(_ text: String) throws {
        #expect(try Archive.refusal(Array(text.utf8))?.reason == .missingEndRecord)
    }

    @Test func `An archive is refused at every length but the whole`() throws {
        let bytes = Forged.plain().build().bytes
        for count in 0..<bytes.count {
            #expect(try Archive.refusal(Array(bytes[..<count])) != nil, "cut at \(count)")
        }
    }

    @Test func `An archive may be empty`() throws {
        #expect(try Archive.read(ZipForge().build().bytes).directory.entries.isEmpty)
    }

    @Test func `An archive is refused when only a prefix comes before an empty directory`() throws {
        var forge = ZipForge()
        forge.prefix = [1, 2, 3]
        #expect(try Archive.refusal(forge.build().bytes) == ZipError(.prependedData(byteCount: 3), at: 0))
    }
}
