import CWidgetZlib
import Testing
import WidgetDeflate

@Suite struct `A gzip answer` {
    @Test(arguments: [0, 1, 300, 100_000], [1, 6, 9])
    func `A gzip answer inflates with zlib to the same bytes`(_ byteCount: Int, _ level: Int) throws {
        let bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 / 7) }
        let packed = try #require(gzip(bytes, level: level))
        #expect(packed.starts(with: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0]))
        #expect(inflated(packed, windowBits: 31, room: byteCount + 1) == bytes)
    }

    @Test func `A gzip answer is smaller for text that repeats`() throws {
        let text = Array(String(repeating: "{\"id\":\"mobi.favio.WidgetDemo\"}", count: 100).utf8)
        #expect(try #require(gzip(text, level: 6)).count < text.count / 10)
    }

    @Test(arguments: [-1, 0, 13, 99])
    func `A gzip answer brings a level outside the library's range into it`(_ level: Int) {
        #expect(gzip([1, 2, 3], level: level) != nil)
    }

    @Test func `A gzip answer is the same for the same bytes`() {
        #expect(gzip([1, 2, 3], level: 6) == gzip([1, 2, 3], level: 6))
    }

    @Test(arguments: [1, 7, 100_000])
    func `A gzip answer is inflated step by step`(_ step: Int) throws {
        let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* $0) }
        let (inflated, isFinished) = try inflate(try #require(gzip(bytes, level: 6)), step: step)
        #expect(inflated == bytes)
        #expect(isFinished)
    }

    @Test func `A gzip answer is not finished before its trailer, and is refused with a wrong one`() throws {
        let packed = try #require(gzip([1, 2, 3], level: 6))
        #expect(try inflate(packed.dropLast(), step: 5).isFinished == false)
        for place in [0, packed.count - 1, packed.count - 8] {
            var changed = packed
            changed[place] ^= 1
            #expect(throws: DeflateError.self) { try inflate(changed, step: 100) }
        }
    }

    private func inflate(_ bytes: [UInt8], step: Int) throws(DeflateError) -> (bytes: [UInt8], isFinished: Bool) {
        var inflater = try Inflater(isGzip: true)
        var inflated: [UInt8] = []
        var position = 0
        var room = [UInt8](repeating: 0, count: 1_000)
        while true {
            let end = min(position + step, bytes.count)
            var target = room.mutableSpan
            let progress = try inflater.inflate(
                bytes.span.extracting(position..<end), into: &target, roomCount: target.count)
            position += progress.consumed
            inflated += room[..<progress.produced]
            if progress.isFinished || progress.produced == 0 && position == bytes.count {
                return (inflated, progress.isFinished)
            }
        }
    }
}

@Suite struct `A zlib stream` {
    @Test(arguments: [0, 1, 300, 100_000], [1, 6, 12])
    func `A zlib stream inflates with zlib to the same bytes`(_ byteCount: Int, _ level: Int) throws {
        let bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 / 7) }
        let packed = try #require(zlib(bytes, level: level))
        #expect(inflated(packed, windowBits: 15, room: byteCount + 1) == bytes)
        #expect(packed == zlib(bytes, level: level))
    }
}

/// The bytes as zlib itself inflates them, as a second opinion; 15 window bits are a zlib stream's, 31 gzip's.
private func inflated(_ bytes: [UInt8], windowBits: CInt, room: Int) -> [UInt8]? {
    var stream = unsafe z_stream()
    guard unsafe inflateInit2_(&stream, windowBits, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size)) == Z_OK else {
        return nil
    }
    defer { unsafe inflateEnd(&stream) }
    var input = bytes
    var status = Z_OK
    let output = unsafe [UInt8](unsafeUninitializedCapacity: room) { target, count in
        unsafe input.withUnsafeMutableBufferPointer { source in
            unsafe stream.next_in = source.baseAddress
            unsafe stream.avail_in = UInt32(source.count)
            unsafe stream.next_out = target.baseAddress
            unsafe stream.avail_out = UInt32(target.count)
            unsafe status = inflate(&stream, Z_FINISH)
        }
        count = unsafe room - Int(stream.avail_out)
    }
    return status == Z_STREAM_END ? output : nil
}
