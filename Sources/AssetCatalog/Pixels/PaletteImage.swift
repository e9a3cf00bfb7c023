/// An image of few colours: a palette, then for each pixel the number of its colour in as few bits as do.
struct PaletteImage {
    let width: Int
    let height: Int
    let format: PixelFormat

    private static let largest = 4_096

    func read(_ data: FilePart) throws(AssetError) -> [UInt8] {
        let colorSize: Int
        switch format {
        case .color: colorSize = 4
        case .wideColor: colorSize = 8
        default: throw AssetError(.unsupportedCompression(.palette))
        }
        var data = data
        if LZFSE.begins(data) {
            // No index takes more than two bytes.
            let limit = 10 + Self.largest * colorSize + (width * 2 + 2) * height
            guard let expanded = data.expandedLZ(limit: limit) else { throw AssetError(.corrupt(.palette)) }
            data = FilePart(expanded)
        }
        guard data.little32(0) == 0xCAFE_F00D, let version = data.little32(4), let count = data.little16(8),
            count > 0, count <= Self.largest, let colors = data.part(at: 10, count: Int(count) * colorSize)
        else { throw AssetError(.corrupt(.palette)) }
        guard version <= 1 else { throw AssetError(.unsupportedVariant(.palette, version)) }
        var bitCount = 1
        while Int(count) > 1 << bitCount { bitCount *= 2 }
        let stride = (width * bitCount + 15) / 16 * 2
        guard let indices = data.part(at: 10 + colors.count, count: stride * height) else {
            throw AssetError(.corrupt(.palette))
        }
        let palette = (0..<Int(count)).map { color(colors, $0 * colorSize) }
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height * 4)
        for row in 0..<height {
            for column in 0..<width {
                let bit = column * bitCount
                let word = Int(indices.little16(row * stride + bit / 16 * 2) ?? 0)
                let index = word >> (16 - bitCount - bit % 16) & (1 << bitCount - 1)
                guard index < palette.count else { throw AssetError(.corrupt(.palette)) }
                pixels += palette[index]
            }
        }
        return pixels
    }

    private func color(_ colors: FilePart, _ start: Int) -> [UInt8] {
        guard case .wideColor = format else {
            return [colors[start + 1], colors[start + 2], colors[start + 3], colors[start]]
        }
        // Blue, green, red, alpha, with 10000 for 1.
        return [2, 1, 0, 3].map { channel in
            let value = Int(colors.little16(start + channel * 2) ?? 0)
            return UInt8(truncatingIfNeeded: min((value * 255 + 5_000) / 10_000, 255))
        }
    }
}
