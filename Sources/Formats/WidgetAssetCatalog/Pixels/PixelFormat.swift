/// The order and size of a stored pixel's channels. Colours are premultiplied.
enum PixelFormat {
    /// Blue, green, red, alpha of eight bits.
    case color
    /// Red, green, blue, alpha of sixteen bits, whole numbers or floating-point.
    case wideColor(isFloat: Bool)
    case gray
    case grayAlpha
    case wideGrayAlpha
    /// Five bits for each colour.
    case packedColor

    init?(_ name: String, colorSpace: UInt32) {
        switch name {
        case "ARGB": self = .color
        // Two colour spaces exceed the range from 0 to 1, which only floating-point numbers can hold.
        case "RGBW": self = .wideColor(isFloat: colorSpace == 4 || colorSpace == 5)
        case "GRAY": self = .gray
        case "GA8 ": self = .grayAlpha
        case "GA16": self = .wideGrayAlpha
        case "RGB5": self = .packedColor
        default: return nil
        }
    }

    var byteCount: Int {
        switch self {
        case .gray: 1
        case .grayAlpha, .packedColor: 2
        case .color, .wideGrayAlpha: 4
        case .wideColor: 8
        }
    }

    /// Appends pixels as red, green, blue, alpha, still premultiplied. The caller has checked that the row holds
    /// `count` pixels.
    func append(_ count: Int, from row: ArraySlice<UInt8>, to output: inout [UInt8]) {
        var index = row.startIndex
        for _ in 0..<count {
            switch self {
            case .color:
                output.append(row[index + 2])
                output.append(row[index + 1])
                output.append(row[index])
                output.append(row[index + 3])
            case .wideColor(let isFloat):
                for channel in 0..<4 {
                    let value = UInt16(row[index + channel * 2]) | UInt16(row[index + channel * 2 + 1]) << 8
                    output.append(isFloat ? Self.byte(ofHalf: value) : UInt8(truncatingIfNeeded: value >> 8))
                }
            case .gray: output += [row[index], row[index], row[index], 255]
            case .grayAlpha: output += [row[index], row[index], row[index], row[index + 1]]
            case .wideGrayAlpha: output += [row[index + 1], row[index + 1], row[index + 1], row[index + 3]]
            case .packedColor:
                let value = UInt16(row[index]) | UInt16(row[index + 1]) << 8
                for shift in [UInt16(10), 5, 0] {
                    let level = UInt8(truncatingIfNeeded: value >> shift & 31)
                    output.append(level << 3 | level >> 2)
                }
                output.append(255)
            }
            index += byteCount
        }
    }

    /// NaN becomes 0.
    static func byte(ofHalf value: UInt16) -> UInt8 {
        let number = Float(Float16(bitPattern: value))
        return number > 0 ? UInt8(min(number, 1) * 255 + 0.5) : 0
    }
}

extension [UInt8] {
    /// Divides the colours of pixels by their alpha. Opaque images get full alpha first.
    mutating func removeAlphaFactor(isOpaque: Bool) {
        var index = 0
        while index < count {
            let alpha = isOpaque ? 255 : Int(self[index + 3])
            if isOpaque { self[index + 3] = 255 }
            if alpha != 255 {
                for channel in index..<index + 3 {
                    let value = alpha == 0 ? 0 : (Int(self[channel]) * 255 + alpha / 2) / alpha
                    self[channel] = UInt8(truncatingIfNeeded: Swift.min(value, 255))
                }
            }
            index += 4
        }
    }
}

/// An image of few colours: a palette, then for each pixel the index of its colour in the fewest bits possible.
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
            // An index takes at most two bytes.
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
