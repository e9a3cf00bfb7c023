extension Bitmap {
    /// The bitmap as a PNG of eight bits a channel, with alpha where there is any. Equal bitmaps are equal files.
    package func png() throws(AssetError) -> [UInt8] {
        let isOpaque = stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == 255 }
        let channelCount = isOpaque ? 3 : 4
        var bytes = PNGChunk.signature
        var header: [UInt8] = []
        PNGChunk.appendBig(UInt32(truncatingIfNeeded: width), to: &header)
        PNGChunk.appendBig(UInt32(truncatingIfNeeded: height), to: &header)
        PNGChunk.append("IHDR", header + [8, isOpaque ? 2 : 6, 0, 0, 0], to: &bytes)
        PNGChunk.append("IDAT", try PNGChunk.zlib(filteredRows(channelCount)), to: &bytes)
        PNGChunk.append("IEND", [], to: &bytes)
        return bytes
    }

    /// Each row as differences from what its neighbours let expect (Paeth's filter, §9.4), which suits drawings and
    /// photographs alike and takes one pass.
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

/// The filters of PNG's rows (§9).
enum PNGFilter {
    /// Takes a filter back, in place; `false` for one that does not exist.
    static func remove(_ filter: UInt8, _ line: inout [UInt8], above: [UInt8], pixelSize: Int) -> Bool {
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
