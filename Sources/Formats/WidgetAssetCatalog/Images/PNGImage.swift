internal import WidgetBytes

/// Decodes PNG images (W3C PNG) of all kinds, also interlaced ones and Apple's variant.
package struct PNGImage {
    private let header: PNGHeader
    private let palette: [UInt8]
    /// The transparency of a palette's colours, or the single transparent colour.
    private let transparency: [UInt8]
    private var pixels: [UInt8]

    package static func begins(_ bytes: [UInt8]) -> Bool { bytes.starts(with: PNGChunk.signature) }

    package static func decoded(_ bytes: [UInt8], limits: AssetLimits = AssetLimits()) throws(AssetError) -> Bitmap {
        guard begins(bytes) else { throw AssetError(.notAnImage) }
        guard bytes.count <= limits.byteCount else { throw AssetError(.byteCount, of: limits) }
        let plain = AppleImage.begins(bytes) ? try AppleImage.transcoded(bytes, limits: limits) : bytes
        var data: [UInt8] = []
        var image = try PNGImage(FilePart(plain), limits: limits, &data)
        return try image.bitmap(data, limits: limits)
    }

    private init(_ file: FilePart, limits: AssetLimits, _ data: inout [UInt8]) throws(AssetError) {
        var header: PNGHeader?
        var (palette, transparency): ([UInt8], [UInt8]) = ([], [])
        var position = PNGChunk.signature.count
        var isEnded = false
        while !isEnded {
            guard let size = file.big32(position), let type = file.part(at: position + 4, count: 4),
                let content = file.part(at: position + 8, count: Int(bounded: size))
            else { throw AssetError(.truncated(.image)) }
            position += 12 + Int(bounded: size)
            switch type.text {
            case "IHDR": header = try PNGHeader(content, limits: limits)
            case "PLTE": palette = content.array
            case "tRNS": transparency = content.array
            case "IDAT": data += content.array
            case "IEND": isEnded = true
            default: continue
            }
        }
        guard let header, !header.hasPalette || palette.count >= 3 else { throw AssetError(.damagedImage) }
        self.header = header
        self.palette = palette
        self.transparency = transparency
        pixels = []
    }

    private mutating func bitmap(_ data: [UInt8], limits: AssetLimits) throws(AssetError) -> Bitmap {
        let size = header.passes.reduce(0) { $0 + $1.byteCount }
        guard size <= limits.expandedByteCount, header.width * header.height * 4 <= limits.expandedByteCount else {
            throw AssetError(.expandedByteCount, of: limits)
        }
        guard let rows = FilePart(data).inflated(limit: size), rows.count == size else {
            throw AssetError(.damagedImage)
        }
        pixels = [UInt8](repeating: 0, count: header.width * header.height * 4)
        var position = 0
        for pass in header.passes {
            var above = [UInt8](repeating: 0, count: pass.rowByteCount)
            for row in 0..<pass.rowCount {
                var line = Array(rows[position + 1..<position + 1 + pass.rowByteCount])
                guard PNGFilter.remove(rows[position], &line, above: above, pixelSize: header.pixelSize) else {
                    throw AssetError(.damagedImage)
                }
                place(line, pass.grid.top + row * pass.grid.down, pass.grid)
                above = line
                position += 1 + pass.rowByteCount
            }
        }
        guard let bitmap = Bitmap(width: header.width, height: header.height, pixels: pixels) else {
            throw AssetError(.damagedImage)
        }
        return bitmap
    }

    /// Puts the pixels of one line where they belong.
    private mutating func place(_ line: [UInt8], _ row: Int, _ grid: (left: Int, top: Int, right: Int, down: Int)) {
        var samples = [Int](repeating: 0, count: header.channelCount)
        for (number, column) in stride(from: grid.left, to: header.width, by: grid.right).enumerated() {
            for channel in samples.indices { samples[channel] = sample(line, number * header.channelCount + channel) }
            let color = color(samples)
            let start = (row * header.width + column) * 4
            for channel in 0..<4 { pixels[start + channel] = color[channel] }
        }
    }

    private func sample(_ line: [UInt8], _ number: Int) -> Int {
        switch header.depth {
        case 8: return Int(line[number])
        case 16: return Int(line[number * 2]) << 8 | Int(line[number * 2 + 1])
        default:
            let bit = number * header.depth
            return Int(line[bit / 8]) >> (8 - header.depth - bit % 8) & (1 << header.depth - 1)
        }
    }

    private func color(_ samples: [Int]) -> [UInt8] {
        if header.hasPalette {
            let start = samples[0] * 3
            guard start + 2 < palette.count else { return [0, 0, 0, 255] }
            return palette[start..<start + 3] + [samples[0] < transparency.count ? transparency[samples[0]] : 255]
        }
        let most = 1 << header.depth - 1
        let bytes = samples.map { UInt8($0 * 255 / most) }
        switch bytes.count {
        case 1: return [bytes[0], bytes[0], bytes[0], isTransparent(samples) ? 0 : 255]
        case 2: return [bytes[0], bytes[0], bytes[0], bytes[1]]
        case 3: return bytes + [isTransparent(samples) ? 0 : 255]
        default: return bytes
        }
    }

    private func isTransparent(_ samples: [Int]) -> Bool {
        guard transparency.count >= samples.count * 2 else { return false }
        return samples.indices.allSatisfy {
            samples[$0] == Int(transparency[$0 * 2]) << 8 | Int(transparency[$0 * 2 + 1])
        }
    }
}
