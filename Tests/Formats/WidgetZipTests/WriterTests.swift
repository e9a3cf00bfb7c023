import Testing
import WidgetBytes
import WidgetFiles
import WidgetTestSupport
import WidgetZip

@Suite struct `A rewritten archive` {
    /// Everything real packers put into archives and we do not.
    private static func untidy() -> ZipForge {
        var forge = ZipForge([
            .init("w/z.txt", Forged.text),
            .init("w/"),
            .init("w/é.txt", Forged.text + Forged.text),
            .init("w/b.bin", "0123456789", stored: true),
            .init("w/B/"),
            .init("w/B/empty"),
        ])
        forge.entries[0].useDescriptor()
        forge.entries[0].central.comment = Array("a comment".utf8)
        forge.entries[2].useDescriptor(signed: false)
        forge.entries[3].local.extra = ZipForge.extra(0x5455, Array(repeating: 1, count: 9))
        forge.entries[3].central.externalAttributes = 0o104777 << 16
        forge.entries[4].data = [3, 0]
        forge.entries[4].both(\.compressedSize, 2)
        forge.entries[4].both(\.method, 8)
        forge.entries[5].both(\.time, 0x1234)
        forge.end.comment = Array("an archive".utf8)
        return forge
    }

    @Test func `A rewritten archive is the canonical form, byte for byte`() throws {
        let bytes = try Archive.rewritten(Self.untidy().build().bytes).bytes
        var canonical = ZipForge([
            .init("w/"), .init("w/B/"), .init("w/B/empty"), .init("w/b.bin", "0123456789", stored: true),
            .init("w/z.txt", Forged.text), .init("w/é.txt", Forged.text + Forged.text),
        ])
        for index in canonical.entries.indices {
            canonical.entries[index].both(\.time, 0)
            canonical.entries[index].both(\.date, 0x21)
        }
        #expect(bytes == canonical.build().bytes)
    }

    @Test func `A rewritten archive is the same for every order and form of its source`() throws {
        var forge = Self.untidy()
        let first = try Archive.rewritten(forge.build().bytes)
        forge.entries.reverse()
        #expect(try Archive.rewritten(forge.build().bytes).bytes == first.bytes)
        #expect(try Archive.rewritten(first.bytes).bytes == first.bytes)
        #expect(first.written.digest == Digest.sha256(first.bytes))
    }

    @Test func `A rewritten archive reports the place of each entry's data`() throws {
        let (bytes, written) = try Archive.rewritten(Self.untidy().build().bytes)
        let entry = try #require(written.directory.entries.first { $0.name.text == "w/b.bin" })
        #expect(Array(bytes[entry.dataRange]) == Array("0123456789".utf8))
        #expect(written.byteCount == bytes.count)
    }

    @Test func `A rewritten archive can hold fewer entries under other names`() throws {
        let bytes = Forged.plain().build().bytes
        let file = try Archive.file(bytes)
        let directory = try ZipDirectory(reading: file)
        var reader = try ZipEntryReader()
        let verified = try reader.verify(directory.entries[1], in: file)
        let pieces = [ZipPiece(verified, name: try ZipName("X.bundle/a.txt")), .directory(try ZipName("X.bundle/"))]
        let target = try Archive.file([])
        let written = try ZipWriter.write(pieces, from: file, to: target)
        let read = try Archive.read(try target.read(at: 0, count: written.byteCount))
        #expect(read.directory.entries.map(\.name.text) == ["X.bundle/", "X.bundle/a.txt"])
        #expect(read.contents[1] == Array(Forged.text.utf8))
    }

    @Test func `A rewritten archive is refused when its source changed since it was proven`() throws {
        var forge = Forged.plain()
        let pieces = try Archive.read(forge.build().bytes).pieces
        forge.entries[2].data[3] ^= 1
        let source = try Archive.file(forge.build().bytes)
        let target = try Archive.file([])
        do throws(ZipError) {
            _ = try ZipWriter.write(pieces, from: source, to: target)
            Issue.record("a changed source was copied")
        } catch {
            #expect(error.reason == .rewriteDiffers)
            #expect(error.entry == "w/b.bin")
            #expect(!error.isRefusal)
        }
    }

    @Test func `A rewritten archive is refused when its source got shorter`() throws {
        let bytes = Forged.plain().build().bytes
        let pieces = try Archive.read(bytes).pieces
        let source = try Archive.file(Array(bytes[..<60]))
        let target = try Archive.file([])
        do throws(ZipError) {
            _ = try ZipWriter.write(pieces, from: source, to: target)
            Issue.record("a shortened source was copied")
        } catch {
            #expect(error.reason == .changedWhileRead)
        }
    }

    @Test func `A rewritten archive is refused when two pieces have one name`() throws {
        let bytes = Forged.plain().build().bytes
        let piece = try Archive.read(bytes).pieces[1]
        #expect(throws: ZipError.self) {
            _ = try ZipWriter.write([piece, piece], from: Archive.file(bytes), to: Archive.file([]))
        }
    }

    @Test func `A rewritten archive uses zip64 only for more entries than sixteen bits count`() throws {
        var limits = ZipLimits()
        limits.entryCount = 70_000
        for (count, isWide) in [(65_534, false), (65_535, true)] {
            let pieces = try (0..<count).map { ZipPiece.directory(try ZipName("\($0)/")) }
            let target = try Archive.file([])
            let written = try ZipWriter.write(pieces, from: try Archive.file([]), to: target, limits: limits)
            #expect(written.directory.entries.count == count)
            let tail = try target.read(at: written.byteCount - 98, count: 4)
            #expect((tail == [0x50, 0x4B, 6, 6]) == isWide)
        }
    }
}

@Suite struct `New content` {
    @Test(arguments: [0, 1, 100, 65_535, 65_536, 65_537, 300_000])
    func `New content is packed, stored where that is smaller, and read back`(
        _ byteCount: Int
    ) throws {
        var generator = SeededGenerator(seed: UInt64(byteCount))
        let noise = (0..<byteCount).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        let text = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 / 100) }
        var scratch = try ZipScratch(Archive.file([]))
        let pieces = [
            try scratch.add(try ZipName("w/noise"), contentsOf: try Archive.file(noise)),
            try scratch.add(try ZipName("w/text"), contentsOf: try Archive.file(text)),
            ZipPiece.directory(try ZipName("w/")),
        ]
        let target = try Archive.file([])
        let written = try ZipWriter.write(pieces, from: scratch.file, to: target)
        let read = try Archive.read(try target.read(at: 0, count: written.byteCount))
        #expect(read.contents == [[], noise, text])
        #expect(read.directory.entries[1].method == .stored)
        if byteCount >= 100 { #expect(read.directory.entries[2].method == .deflate) }
    }

    @Test func `New content is stored where packing would make it look like a bomb`() throws {
        // Compresses to a thousandth.
        let plain = Array(repeating: 7 as UInt8, count: (1 << 20) + 1)
        var scratch = try ZipScratch(Archive.file([]))
        let pieces = [
            try scratch.add(try ZipName("a"), contentsOf: try Archive.file(plain)),
            try scratch.add(try ZipName("b"), contentsOf: try Archive.file(Array(plain.dropLast()))),
        ]
        let target = try Archive.file([])
        let written = try ZipWriter.write(pieces, from: scratch.file, to: target)
        let read = try Archive.read(try target.read(at: 0, count: written.byteCount))
        #expect(read.contents == [plain, Array(plain.dropLast())])
        // A file of the exempt size is packed.
        #expect(read.directory.entries.map(\.method) == [.stored, .deflate])
    }

    @Test func `New content over the limit of one entry is refused`() throws {
        var limits = ZipLimits()
        limits.entryByteCount = 99
        var scratch = try ZipScratch(Archive.file([]))
        let name = try ZipName("a")
        let file = try Archive.file(Array(repeating: 0, count: 100))
        do throws(ZipError) {
            _ = try scratch.add(name, contentsOf: file, limits: limits)
            Issue.record("packed")
        } catch {
            #expect(error.reason == .limitReached(.entryByteCount, limit: 99))
        }
    }
}
