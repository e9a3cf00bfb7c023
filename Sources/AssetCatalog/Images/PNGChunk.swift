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

    /// A zlib stream (RFC 1950) of the bytes.
    static func zlib(_ bytes: [UInt8]) throws(AssetError) -> [UInt8] {
        var output: [UInt8] = [0x78, 0xDA]
        do throws(DeflateError) {
            var deflater = try Deflater()
            var room = [UInt8](repeating: 0, count: 64 << 10)
            var position = 0
            while true {
                var span = room.mutableSpan
                let progress = try deflater.deflate(
                    bytes.span.extracting(position..<bytes.count), into: &span, isLast: true)
                position += progress.consumed
                output += room[..<progress.produced]
                if progress.isFinished { break }
            }
        } catch {
            // Compressing fails for want of memory alone.
            throw AssetError(.malformed(.image))
        }
        appendBig(adler32(bytes), to: &output)
        return output
    }

    private static func adler32(_ bytes: [UInt8]) -> UInt32 {
        var (low, high) = (UInt32(1), UInt32(0))
        // So many sums stay below 2^32.
        for start in stride(from: 0, to: bytes.count, by: 5_552) {
            for byte in bytes[start..<min(start + 5_552, bytes.count)] {
                low &+= UInt32(byte)
                high &+= low
            }
            low %= 65_521
            high %= 65_521
        }
        return high << 16 | low
    }
}
