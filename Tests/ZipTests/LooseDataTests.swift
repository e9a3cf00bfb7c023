import Files
import TestSupport
import Testing
import Zip

/// Goal: data that stands in no archive is proven like an entry's, and becomes a piece of one.
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

    @Test func `is expanded, and its checksum found`() throws {
        for (data, method) in [(ZipForge.deflate(Self.content), ZipMethod.deflate), (Self.content, .stored)] {
            let (content, verified) = try read(data, method, byteCount: Self.content.count)
            #expect(content == Self.content)
            #expect(verified.entry.checksum == ZipForge.checksum(Self.content))
        }
    }

    @Test func `is a piece of an archive like any other`() throws {
        let data = ZipForge.deflate(Self.content)
        let piece = ZipPiece(try read(data, .deflate, byteCount: Self.content.count).verified)
        let target = try Archive.file([])
        let written = try ZipWriter.write(
            [piece, .directory(try ZipName("w/"))], from: try Archive.file([9, 9, 9] + data), to: target)
        let read = try Archive.read(try target.read(at: 0, count: written.byteCount))
        #expect(read.contents == [[], Self.content])
    }

    @Test func `is refused when it is not what was said of it`() throws {
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
