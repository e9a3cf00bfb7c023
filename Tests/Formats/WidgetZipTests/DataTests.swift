import Testing
import WidgetFiles
import WidgetTestSupport
import WidgetZip

@Suite struct `The data of an entry` {
    /// Replaces the compressed data and says so in both headers.
    private static func replaceData(_ forge: inout ZipForge, _ change: (inout [UInt8]) -> Void) {
        change(&forge.entries[1].data)
        forge.entries[1].both(\.compressedSize, UInt32(forge.entries[1].data.count))
    }

    /// Defects that small and large entries share; the large one is read by windows.
    private static func shared(_ base: @escaping @Sendable () -> ZipForge, _ size: String) -> [Refusal] {
        let entry = base().entries[1].central
        let data = base().entries[1].data
        let byteCount = Int(entry.size)
        let compressed = data.count
        return [
            Refusal(
                "another checksum, \(size)", .checksumMismatch(expected: entry.checksum ^ 1, actual: entry.checksum),
                entry: "w/a.txt", at: { $0.data[1] }, in: base
            ) { $0.entries[1].both(\.checksum, entry.checksum ^ 1) },
            Refusal(
                "one byte less than the stream gives, \(size)", .producesTooMuch(expected: byteCount - 1),
                entry: "w/a.txt", at: { $0.descriptor[1] }, in: base
            ) { $0.entries[1].both(\.size, entry.size - 1) },
            Refusal(
                "one byte more than the stream gives, \(size)",
                .producesTooLittle(expected: byteCount + 1, actual: byteCount), entry: "w/a.txt", at: { $0.data[1] },
                in: base
            ) { $0.entries[1].both(\.size, entry.size + 1) },
            Refusal(
                "bytes after the stream, \(size)", .dataAfterStream(byteCount: 3), entry: "w/a.txt",
                at: { $0.data[1] + compressed }, in: base
            ) { replaceData(&$0) { $0 += [0, 0, 0] } },
            Refusal(
                "a second stream, \(size)", .dataAfterStream(byteCount: 2), entry: "w/a.txt",
                at: { $0.data[1] + compressed }, in: base
            ) { replaceData(&$0) { $0 += [3, 0] } },
            Refusal(
                "a stream that is cut off, \(size)", .streamTruncated, entry: "w/a.txt", at: { $0.descriptor[1] },
                in: base
            ) { replaceData(&$0) { $0.removeLast() } },
        ]
    }

    static let refusals: [Refusal] =
        shared(Forged.plain, "small") + shared(Forged.large, "large") + [
            .init("stored sizes that differ", .storedSizesDiffer, entry: "w/b.bin", at: { $0.central[2] + 20 }) {
                $0.entries[2].both(\.size, 11)
            },
            .init(
                "a stored checksum that is wrong", .checksumMismatch(expected: 0, actual: 0xA684_C7C6),
                entry: "w/b.bin",
                at: { $0.data[2] }
            ) { $0.entries[2].both(\.checksum, 0) },
            .init(
                "one flipped bit of stored data", .checksumMismatch(expected: 0xA684_C7C6, actual: 0x4946_ACF8),
                entry: "w/b.bin", at: { $0.data[2] }
            ) { $0.entries[2].data[0] ^= 1 },
            .init("no stream at all", .streamTruncated, entry: "w/a.txt", at: { $0.data[1] }) {
                replaceData(&$0) { $0 = [] }
            },
        ]

    @Test(arguments: refusals) func `The data of an entry is refused if it is not as declared`(_ refusal: Refusal)
        throws
    {
        try refusal.check()
    }

    /// Streams made bit by bit: several inflaters take some of these, and each makes something else of them.
    struct Stream: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let bytes: [UInt8]
        var content: [UInt8] = Array("a".utf8)

        init(_ sentence: String, _ bytes: [UInt8]) {
            testDescription = sentence
            self.bytes = bytes
        }
    }

    @Test(arguments: [
        Stream("a block of the reserved type", [0x07]),
        Stream("a stored block whose length is not repeated", [0x01, 1, 0, 0, 0, 0x61]),
        Stream("a distance before the beginning", DeflateBits().fixed([(0x91, 8), (1, 7), (1, 5), (0, 7)])),
        Stream("length symbol 286", DeflateBits().fixed([(0x91, 8), (0xC6, 8), (0, 5), (0, 7)])),
        Stream("length symbol 287", DeflateBits().fixed([(0x91, 8), (0xC7, 8), (0, 5), (0, 7)])),
        Stream("distance symbol 30", DeflateBits().fixed([(0x91, 8), (1, 7), (30, 5), (0, 7)])),
        Stream("more than 286 length codes", DeflateBits().dynamic(lengths: 288, distances: 1)),
        Stream("more than 30 distance codes", DeflateBits().dynamic(lengths: 257, distances: 32)),
        Stream(
            "a code length repeated beyond the last", DeflateBits().dynamic(lengths: 257, distances: 1, overrun: true)),
        Stream("no code for the end of a block", DeflateBits().dynamic(lengths: 257, distances: 1, end: 0)),
        Stream("an incomplete code", DeflateBits().dynamic(lengths: 257, distances: 1, literal: 2, end: 2)),
    ]) func `The data of an entry is refused when its stream breaks the format`(_ stream: Stream) throws {
        var forge = Forged.plain()
        forge.entries[1] = .init("w/a.txt", "a")
        forge.entries[1].both(\.method, 8)
        forge.entries[1].data = stream.bytes
        forge.entries[1].both(\.compressedSize, UInt32(stream.bytes.count))
        // Another inflater may find any length: the stream itself is wrong.
        for size in [1, 4, 259] as [UInt32] {
            forge.entries[1].both(\.size, size)
            let error = try #require(try Archive.refusal(forge.build().bytes))
            #expect(error.reason == .corruptStream)
            #expect(error.entry == "w/a.txt")
        }
    }

    @Test func `The data of an entry may come in any block that the format has`() throws {
        let good = [
            DeflateBits().fixed([(0x91, 8), (0, 7)]), [0x01, 1, 0, 0xFE, 0xFF, 0x61],
            DeflateBits().dynamic(lengths: 257, distances: 1), [0x00, 0, 0, 0xFF, 0xFF, 0x01, 1, 0, 0xFE, 0xFF, 0x61],
        ]
        for bytes in good {
            var forge = Forged.plain()
            forge.entries[1] = .init("w/a.txt", "a")
            forge.entries[1].both(\.method, 8)
            forge.entries[1].data = bytes
            forge.entries[1].both(\.compressedSize, UInt32(bytes.count))
            #expect(try Archive.read(forge.build().bytes).contents[1] == [0x61])
        }
    }

    @Test func `The data of an entry may be empty, stored or deflated`() throws {
        var forge = Forged.plain()
        forge.entries[1] = .init("w/a.txt")
        #expect(try Archive.read(forge.build().bytes).contents[1] == [])
        forge.entries[1].both(\.method, 8)
        forge.entries[1].data = [3, 0]
        forge.entries[1].both(\.compressedSize, 2)
        #expect(try Archive.read(forge.build().bytes).contents[1] == [])
    }

    @Test(arguments: [0, 1, 65_535, 65_536, 262_143, 262_144, 262_145, 1 << 20])
    func `The data of an entry comes out whole at every size a window can meet`(_ byteCount: Int) throws {
        var generator = SeededGenerator(seed: UInt64(byteCount))
        let content = (0..<byteCount).map { _ in UInt8(truncatingIfNeeded: generator.next()) & 0x1F }
        for isStored in [false, true] {
            let forge = ZipForge([.init(Array("a".utf8), content, stored: isStored)])
            #expect(try Archive.read(forge.build().bytes).contents == [content])
        }
    }
}

/// A deflate stream written bit by bit (RFC 1951 3.1.1).
struct DeflateBits {
    private var bits: [Bool] = []

    /// Numbers begin with their lowest bit.
    private mutating func number(_ value: Int, _ count: Int) {
        for position in 0..<count { bits.append(value >> position & 1 == 1) }
    }

    /// Codes begin with their highest bit.
    private mutating func code(_ value: Int, _ count: Int) {
        for position in (0..<count).reversed() { bits.append(value >> position & 1 == 1) }
    }

    private var bytes: [UInt8] {
        stride(from: 0, to: bits.count, by: 8).map { start in
            (0..<8).reduce(0 as UInt8) { $0 | (start + $1 < bits.count && bits[start + $1] ? 1 << UInt8($1) : 0) }
        }
    }

    /// One final block of fixed codes.
    consuming func fixed(_ codes: [(Int, Int)]) -> [UInt8] {
        number(1, 1)
        number(1, 2)
        for (value, count) in codes { code(value, count) }
        return bytes
    }

    /// One final block with dynamic codes that holds the letter a: `literal` and `end` are the lengths of
    /// the codes for it and for the end of the block.
    consuming func dynamic(lengths: Int, distances: Int, literal: Int = 1, end: Int = 1, overrun: Bool = false)
        -> [UInt8]
    {
        number(1, 1)
        number(2, 2)
        number(lengths - 257, 5)
        number(distances - 1, 5)
        // Code lengths 0, 1, 2 and the long run of zeros, two bits each; the order is the format's.
        let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
        number(18 - 4, 4)
        for symbol in order.prefix(18) { number([0, 1, 2, 18].contains(symbol) ? 2 : 0, 3) }
        var wanted = [Int](repeating: 0, count: lengths + distances)
        wanted[0x61] = literal
        wanted[256] = end
        // The run that goes too far begins at the last length.
        if overrun { wanted.removeLast() }
        var index = 0
        while index < wanted.count {
            let run = wanted[index...].prefix { $0 == 0 }.count
            if run >= 11 {
                code(3, 2)
                number(min(run, 138) - 11, 7)
                index += min(run, 138)
            } else {
                code(wanted[index], 2)
                index += 1
            }
        }
        if overrun {
            code(3, 2)
            number(127, 7)
        }
        code(0, literal)
        code(1, max(end, 1))
        return bytes
    }
}

/// Goal: data outside an archive is proven like an entry's, and becomes a piece of one.
@Suite struct `Data outside an archive` {
    private static let content = Array(String(repeating: "loose data, ", count: 500).utf8)

    private func read(
        _ data: [UInt8], _ method: ZipMethod, byteCount: Int
    ) throws -> (content: [UInt8], verified: ZipVerifiedEntry) {
        let file = try Archive.file([9, 9, 9] + data)
        var reader = try ZipEntryReader()
        var content: [UInt8] = []
        let verified = try reader.read(
            try ZipName("w/a.txt"), method: method, byteCount: byteCount, dataRange: 3..<(3 + data.count), from: file
        ) { (chunk: borrowing Span<UInt8>) throws(FileError) in
            // The pointer lives for this call.
            unsafe chunk.withUnsafeBufferPointer { unsafe content.append(contentsOf: $0) }
        }
        return (content, verified)
    }

    @Test func `Data outside an archive is expanded, and its checksum found`() throws {
        for (data, method) in [(ZipForge.deflate(Self.content), ZipMethod.deflate), (Self.content, .stored)] {
            let (content, verified) = try read(data, method, byteCount: Self.content.count)
            #expect(content == Self.content)
            #expect(verified.entry.checksum == ZipForge.checksum(Self.content))
        }
    }

    @Test func `Data outside an archive is a piece of an archive like any other`() throws {
        let data = ZipForge.deflate(Self.content)
        let piece = ZipPiece(try read(data, .deflate, byteCount: Self.content.count).verified)
        let target = try Archive.file([])
        let written = try ZipWriter.write(
            [piece, .directory(try ZipName("w/"))], from: try Archive.file([9, 9, 9] + data), to: target)
        let read = try Archive.read(try target.read(at: 0, count: written.byteCount))
        #expect(read.contents == [[], Self.content])
    }

    @Test func `Data outside an archive is refused if it is not as described`() throws {
        let data = ZipForge.deflate(Self.content)
        let count = Self.content.count
        func reason(_ data: [UInt8], _ method: ZipMethod, _ byteCount: Int) -> ZipError.Reason? {
            do {
                _ = try read(data, method, byteCount: byteCount)
                return nil
            } catch {
                return (error as? ZipError)?.reason
            }
        }
        #expect(reason(data, .deflate, count - 1) == .producesTooMuch(expected: count - 1))
        #expect(reason(data, .deflate, count + 1) == .producesTooLittle(expected: count + 1, actual: count))
        #expect(reason(data + [0], .deflate, count) == .dataAfterStream(byteCount: 1))
        #expect(reason(Array(data.dropLast()), .deflate, count) == .streamTruncated)
        #expect(reason(Self.content, .stored, count + 1) == .producesTooLittle(expected: count + 1, actual: count))
    }
}
