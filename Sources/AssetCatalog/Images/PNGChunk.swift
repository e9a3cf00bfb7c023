internal import Deflate

/// The frame of PNG (W3C PNG §5): a signature, then chunks with checksums.
enum PNGChunk {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    static func append(_ type: String, _ content: [UInt8], to bytes: inout [UInt8]) {
        appendBig(UInt32(truncatingIfNeeded: content.count), to: &bytes)
        let body = Array(type.utf8) + content
        bytes += body
        appendBig(Checksum.of(body), to: &bytes)
    }

    static func appendBig(_ value: UInt32, to bytes: inout [UInt8]) {
        for shift in [UInt32(24), 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
    }

    /// A zlib stream (RFC 1950) of the bytes, about as small as zlib makes it in a tenth of the time.
    static func zlib(_ bytes: [UInt8]) throws(AssetError) -> [UInt8] {
        // Compressing fails for want of memory alone.
        guard let stream = Deflate.zlib(bytes, level: 6) else { throw AssetError(.malformed(.image)) }
        return stream
    }
}
