internal import CWidgetDeflate

/// The bytes as a gzip member (RFC 1952), for content encoding of HTTP answers.
///
/// The header carries no name and no time, so equal bytes have equal encodings. `level` is libdeflate's:
/// 1 fastest, 6 balanced, 12 smallest; others are brought into that range.
///
/// - Returns: `nil` only when there was no memory for the compressor.
package func gzip(_ bytes: [UInt8], level: Int) -> [UInt8]? {
    unsafe framed(bytes, level, bound: libdeflate_gzip_compress_bound, by: libdeflate_gzip_compress)
}

/// The bytes as a zlib stream (RFC 1950), as images want them; otherwise like `gzip`.
package func zlib(_ bytes: [UInt8], level: Int) -> [UInt8]? {
    unsafe framed(bytes, level, bound: libdeflate_zlib_compress_bound, by: libdeflate_zlib_compress)
}

private func framed(
    _ bytes: [UInt8], _ level: Int,
    bound: (OpaquePointer?, Int) -> Int,
    by compress: (OpaquePointer?, UnsafeRawPointer?, Int, UnsafeMutableRawPointer?, Int) -> Int
) -> [UInt8]? {
    guard let compressor = unsafe libdeflate_alloc_compressor(CInt(min(max(level, 1), 12))) else { return nil }
    defer { unsafe libdeflate_free_compressor(compressor) }
    let bound = unsafe bound(compressor, bytes.count)
    let result = unsafe [UInt8](unsafeUninitializedCapacity: bound) { room, count in
        // The pointers live for this call; libdeflate writes at most `room.count` bytes and returns how many.
        count = unsafe bytes.withUnsafeBytes { source in
            unsafe compress(compressor, source.baseAddress, source.count, room.baseAddress, room.count)
        }
    }
    return result.isEmpty ? nil : result
}

/// CRC-32 as zip and gzip use it (APPNOTE 4.4.7), computed while bytes pass by.
package struct Checksum: Equatable, Sendable {
    package private(set) var value: UInt32 = 0

    package init() {}

    package mutating func update(_ bytes: borrowing Span<UInt8>) {
        guard bytes.count > 0 else { return }
        // The pointer lives for this call, and its length travels with it.
        value = unsafe bytes.withUnsafeBytes { unsafe libdeflate_crc32(value, $0.baseAddress, $0.count) }
    }

    package static func of(_ bytes: [UInt8]) -> UInt32 {
        var checksum = Checksum()
        checksum.update(bytes.span)
        return checksum.value
    }
}
