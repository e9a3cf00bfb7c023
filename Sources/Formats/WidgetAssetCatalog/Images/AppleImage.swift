internal import WidgetBytes

/// A loose PNG as Apple's tools pack it: a mark in front, colours premultiplied and in reverse order, no zlib frame.
/// Browsers and libraries refuse such files.
package struct AppleImage {
    private var header: PNGHeader
    private var data: [UInt8] = []
    /// Chunks that are copied unchanged, before and behind the image data.
    private var chunks: (before: [Chunk], after: [Chunk]) = ([], [])

    private struct Chunk {
        var type: String
        var content: [UInt8]
    }

    /// Returns true if the bytes begin like such a file.
    package static func begins(_ bytes: [UInt8]) -> Bool {
        let file = FilePart(bytes)
        return bytes.starts(with: PNGChunk.signature) && file.part(at: 12, count: 4)?.starts(with: "CgBI") == true
    }

    /// Returns the same image as an ordinary PNG.
    package static func transcoded(_ bytes: [UInt8], limits: AssetLimits = AssetLimits()) throws(AssetError) -> [UInt8]
    {
        guard begins(bytes) else { throw AssetError(.notAnImage) }
        return try AppleImage(FilePart(bytes), limits: limits).png(limits: limits)
    }

    private init(_ file: FilePart, limits: AssetLimits) throws(AssetError) {
        guard file.count <= limits.byteCount else { throw AssetError(.byteCount, of: limits) }
        var header: PNGHeader?
        var position = PNGChunk.signature.count
        var isEnded = false
        while !isEnded {
            guard let size = file.big32(position), let type = file.part(at: position + 4, count: 4),
                let content = file.part(at: position + 8, count: Int(bounded: size)),
                file.part(at: position + 8 + Int(bounded: size), count: 4) != nil
            else { throw AssetError(.truncated(.image)) }
            position += 12 + Int(bounded: size)
            switch type.text {
            case "CgBI", "iDOT": break
            case "IHDR": header = try PNGHeader(content, limits: limits)
            case "IDAT": data += content.array
            case "IEND": isEnded = true
            default:
                let chunk = Chunk(type: type.text, content: content.array)
                if data.isEmpty { chunks.before.append(chunk) } else { chunks.after.append(chunk) }
            }
        }
        guard let header else { throw AssetError(.damagedImage) }
        self.header = header
    }

    private func png(limits: AssetLimits) throws(AssetError) -> [UInt8] {
        let size = header.passes.reduce(0) { $0 + $1.byteCount }
        guard size <= limits.expandedByteCount else { throw AssetError(.expandedByteCount, of: limits) }
        guard let rows = FilePart(data).inflatedRaw(limit: size), rows.count == size else {
            throw AssetError(.damagedImage)
        }
        var bytes = PNGChunk.signature
        PNGChunk.append("IHDR", header.content, to: &bytes)
        for chunk in chunks.before { PNGChunk.append(chunk.type, chunk.content, to: &bytes) }
        PNGChunk.append("IDAT", try PNGChunk.zlib(try corrected(rows)), to: &bytes)
        for chunk in chunks.after { PNGChunk.append(chunk.type, chunk.content, to: &bytes) }
        PNGChunk.append("IEND", [], to: &bytes)
        return bytes
    }

    /// Returns rows with their filters undone and their colours corrected; rows that need no correction stay as they
    /// are.
    private func corrected(_ rows: [UInt8]) throws(AssetError) -> [UInt8] {
        guard header.isReordered else { return rows }
        var output: [UInt8] = []
        output.reserveCapacity(rows.count)
        var position = 0
        for pass in header.passes {
            var above = [UInt8](repeating: 0, count: pass.rowByteCount)
            for _ in 0..<pass.rowCount {
                var line = Array(rows[position + 1..<position + 1 + pass.rowByteCount])
                guard PNGFilter.remove(rows[position], &line, above: above, pixelSize: header.pixelSize) else {
                    throw AssetError(.damagedImage)
                }
                above = line
                output.append(0)
                output += straight(line)
                position += 1 + pass.rowByteCount
            }
        }
        return output
    }

    private func straight(_ line: [UInt8]) -> [UInt8] {
        var line = line
        for start in stride(from: 0, to: line.count, by: header.pixelSize) { line.swapAt(start, start + 2) }
        if header.pixelSize == 4 { line.removeAlphaFactor(isOpaque: false) }
        return line
    }
}

/// The first chunk of a PNG (§11.2.2), and the passes of its rows.
struct PNGHeader {
    struct Pass {
        var rowByteCount: Int
        var rowCount: Int
        /// The place of the first pixel, and the steps to the next ones.
        var grid: (left: Int, top: Int, right: Int, down: Int)

        /// The size of all rows, each with its filter byte in front.
        var byteCount: Int { (rowByteCount + 1) * rowCount }
    }

    let content: [UInt8]
    let passes: [Pass]
    /// Bytes of a pixel, or 1 when a pixel has fewer bits.
    let pixelSize: Int
    /// True for eight-bit colours; others are stored in PNG's order.
    let isReordered: Bool
    let width: Int
    let height: Int
    /// Bits of one channel.
    let depth: Int
    let channelCount: Int
    /// True if the pixels are places in a palette.
    let hasPalette: Bool

    init(_ content: FilePart, limits: AssetLimits) throws(AssetError) {
        guard content.count == 13, let width = content.big32(0), let height = content.big32(4), width > 0, height > 0
        else { throw AssetError(.damagedImage) }
        guard UInt64(width) * UInt64(height) <= UInt64(limits.pixelCount) else {
            throw AssetError(.pixelCount, of: limits)
        }
        let (depth, color) = (Int(content[8]), content[9])
        let channels: [UInt8: Int] = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4]
        guard [1, 2, 4, 8, 16].contains(depth), let channelCount = channels[color], content[12] <= 1 else {
            throw AssetError(.damagedImage)
        }
        self.content = content.array
        (self.width, self.height, self.depth, self.channelCount) = (
            Int(bounded: width), Int(bounded: height), depth, channelCount
        )
        hasPalette = color == 3
        let bitCount = depth * channelCount
        pixelSize = max(bitCount / 8, 1)
        isReordered = depth == 8 && (color == 2 || color == 6)
        let grid: [(left: Int, top: Int, right: Int, down: Int)] =
            content[12] == 0
            ? [(0, 0, 1, 1)]
            : [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
        var passes: [Pass] = []
        for step in grid {
            let columns = (Int(bounded: width) - step.left + step.right - 1) / step.right
            let rows = (Int(bounded: height) - step.top + step.down - 1) / step.down
            if columns > 0, rows > 0 {
                passes.append(Pass(rowByteCount: (columns * bitCount + 7) / 8, rowCount: rows, grid: step))
            }
        }
        self.passes = passes
    }
}
