internal import CDeflate

/// The bytes as a gzip member (RFC 1952), for content encoding of HTTP answers.
///
/// The header carries no name and no time, so equal bytes have equal encodings. `level` is libdeflate's:
/// 1 fastest, 6 balanced, 12 smallest; others are brought into that range.
///
/// - Returns: `nil` only when memory for the compressor could not be had.
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
