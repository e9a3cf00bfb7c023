import CZlib
import Deflate
import Testing

@Suite struct `A gzip answer` {
    @Test(arguments: [0, 1, 300, 100_000], [1, 6, 9])
    func `inflates with zlib to the same bytes`(_ byteCount: Int, _ level: Int) throws {
        let bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 / 7) }
        let packed = try #require(gzip(bytes, level: level))
        #expect(packed.starts(with: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0]))
        #expect(gunzip(packed, room: byteCount + 1) == bytes)
    }

    @Test func `is smaller for text that repeats`() throws {
        let text = Array(String(repeating: "{\"id\":\"mobi.favio.WidgetDemo\"}", count: 100).utf8)
        #expect(try #require(gzip(text, level: 6)).count < text.count / 10)
    }

    @Test(arguments: [-1, 0, 13, 99])
    func `brings a level outside the library's range into it`(_ level: Int) {
        #expect(gzip([1, 2, 3], level: level) != nil)
    }

    @Test func `is the same for the same bytes`() {
        #expect(gzip([1, 2, 3], level: 6) == gzip([1, 2, 3], level: 6))
    }
}

/// zlib's own gunzip, as a second opinion.
private func gunzip(_ bytes: [UInt8], room: Int) -> [UInt8]? {
    var stream = unsafe z_stream()
    guard unsafe inflateInit2_(&stream, 31, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size)) == Z_OK else { return nil }
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
