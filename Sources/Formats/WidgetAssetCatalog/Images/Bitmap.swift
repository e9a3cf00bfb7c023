internal import WidgetBytes
internal import WidgetDeflate

/// Pixels of an image: red, green, blue and alpha of eight bits, colours not premultiplied.
package struct Bitmap: Equatable, Sendable {
    package let width: Int
    package let height: Int
    /// Four bytes for each pixel, rows from the top without gaps.
    package let pixels: [UInt8]

    /// Fails unless the bytes are exactly all pixels.
    package init?(width: Int, height: Int, pixels: [UInt8]) {
        guard width > 0, height > 0, let count = width.multiplied(by: height), let byteCount = count.multiplied(by: 4),
            pixels.count == byteCount
        else { return nil }
        (self.width, self.height, self.pixels) = (width, height, pixels)
    }

    /// Returns a part, counted from the top left; `nil` when it does not lie inside.
    package func part(left: Int, top: Int, width: Int, height: Int) -> Bitmap? {
        guard left >= 0, top >= 0, width > 0, height > 0, width <= self.width, height <= self.height,
            left <= self.width - width, top <= self.height - height
        else { return nil }
        var part: [UInt8] = []
        part.reserveCapacity(width * height * 4)
        for row in top..<top + height {
            let start = (row * self.width + left) * 4
            part += pixels[start..<start + width * 4]
        }
        return Bitmap(width: width, height: height, pixels: part)
    }
}

extension Bitmap {
    /// Half as wide and high, rounded up: each pixel is the mean of four. Clear pixels add no colour.
    package var halved: Bitmap? {
        let (columns, rows) = ((width + 1) / 2, (height + 1) / 2)
        var half: [UInt8] = []
        half.reserveCapacity(columns * rows * 4)
        for row in 0..<rows {
            let upper = row * 2 * width
            let lower = min(row * 2 + 1, height - 1) * width
            for column in 0..<columns {
                let (left, right) = (column * 2, min(column * 2 + 1, width - 1))
                var (red, green, blue, alpha) = (0, 0, 0, 0)
                for place in [(upper + left) * 4, (upper + right) * 4, (lower + left) * 4, (lower + right) * 4] {
                    let weight = Int(pixels[place + 3])
                    red += Int(pixels[place]) * weight
                    green += Int(pixels[place + 1]) * weight
                    blue += Int(pixels[place + 2]) * weight
                    alpha += weight
                }
                for sum in [red, green, blue] {
                    half.append(alpha > 0 ? UInt8(truncatingIfNeeded: (sum + alpha / 2) / alpha) : 0)
                }
                half.append(UInt8(truncatingIfNeeded: (alpha + 2) / 4))
            }
        }
        return Bitmap(width: columns, height: rows, pixels: half)
    }

    /// Returns the bitmap as a PNG of eight bits a channel, with alpha unless all pixels are opaque. Equal bitmaps give
    /// equal files.
    ///
    /// - Parameter isTemplate: marks a picture that is painted in the tint.
    package func png(isTemplate: Bool = false) throws(AssetError) -> [UInt8] {
        let isOpaque = stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == 255 }
        let channelCount = isOpaque ? 3 : 4
        var bytes = PNGChunk.signature
        var header: [UInt8] = []
        PNGChunk.appendBig(UInt32(truncatingIfNeeded: width), to: &header)
        PNGChunk.appendBig(UInt32(truncatingIfNeeded: height), to: &header)
        PNGChunk.append("IHDR", header + [8, isOpaque ? 2 : 6, 0, 0, 0], to: &bytes)
        if isTemplate { bytes += TemplateMark.chunk }
        PNGChunk.append("IDAT", try PNGChunk.zlib(filteredRows(channelCount)), to: &bytes)
        PNGChunk.append("IEND", [], to: &bytes)
        return bytes
    }

    /// Each row as differences from the values that its neighbours predict (Paeth's filter, §9.4), which suits drawings
    /// and photographs alike and takes one pass.
    private func filteredRows(_ channelCount: Int) -> [UInt8] {
        let size = width * channelCount
        var output: [UInt8] = []
        output.reserveCapacity((size + 1) * height)
        var above = [UInt8](repeating: 0, count: size)
        var line = above
        for row in 0..<height {
            for column in 0..<width {
                let source = (row * width + column) * 4
                for channel in 0..<channelCount { line[column * channelCount + channel] = pixels[source + channel] }
            }
            output.append(4)
            for index in 0..<size {
                let left = index >= channelCount ? line[index - channelCount] : 0
                let corner = index >= channelCount ? above[index - channelCount] : 0
                output.append(line[index] &- PNGFilter.expected(4, left, above[index], corner))
            }
            swap(&above, &line)
        }
        return output
    }
}

/// The filters of PNG's rows (§9), which streams of PDF have as well.
package enum PNGFilter {
    /// Undoes a filter in place; returns `false` for a filter that does not exist.
    package static func remove(_ filter: UInt8, _ line: inout [UInt8], above: [UInt8], pixelSize: Int) -> Bool {
        guard filter <= 4 else { return false }
        guard filter != 0 else { return true }
        for index in line.indices {
            let left = index >= pixelSize ? line[index - pixelSize] : 0
            let corner = index >= pixelSize ? above[index - pixelSize] : 0
            line[index] = line[index] &+ expected(filter, left, above[index], corner)
        }
        return true
    }

    static func expected(_ filter: UInt8, _ left: UInt8, _ up: UInt8, _ corner: UInt8) -> UInt8 {
        switch filter {
        case 1: left
        case 2: up
        case 3: UInt8((Int(left) + Int(up)) / 2)
        case 4: nearest(Int(left), Int(up), Int(corner))
        default: 0
        }
    }

    private static func nearest(_ left: Int, _ up: Int, _ corner: Int) -> UInt8 {
        let estimate = left + up - corner
        let (toLeft, toUp, toCorner) = (abs(estimate - left), abs(estimate - up), abs(estimate - corner))
        if toLeft <= toUp, toLeft <= toCorner { return UInt8(left) }
        return toUp <= toCorner ? UInt8(up) : UInt8(corner)
    }
}

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

    /// Returns a zlib stream (RFC 1950), about as small as zlib makes it, in a tenth of the time.
    static func zlib(_ bytes: [UInt8]) throws(AssetError) -> [UInt8] {
        // Compression fails only when memory runs out.
        guard let stream = WidgetDeflate.zlib(bytes, level: 6) else { throw AssetError(.malformed(.image)) }
        return stream
    }
}
