/// What stands in front of a deep pixel image, and how its rows become pixels.
struct DeepmapHead {
    enum Layout {
        case gray, grayAlpha, color, colorAlpha, wide
    }

    var method: UInt8
    var stored: UInt8
    /// `nil` for channels this reader does not know.
    var layout: Layout?
    var width = 0
    var height = 0
    var data: FilePart
    private var doublesChroma: Bool
    private var palette: FilePart?
    private(set) var paletteHasAlphaPlane = true
    private var isFloat = false

    /// `dmp2`: with its own size, and channels as the rendition has them.
    init?(second body: FilePart, format: PixelFormat) {
        guard body.starts(with: "dmp2"), let width = body.little16(8), let height = body.little16(10), width > 0,
            height > 0, let data = body.part(from: 12)
        else { return nil }
        (method, stored, self.data, doublesChroma) = (body[4], body[7], data, body[5] != 0)
        (self.width, self.height) = (Int(width), Int(height))
        switch (stored, format) {
        case (0x14, .wideColor(let isFloat)):
            layout = .wide
            self.isFloat = isFloat
        case (0x14, _): layout = .wide
        case (_, .color), (_, .wideColor): layout = .colorAlpha
        case (_, .grayAlpha): layout = .grayAlpha
        default: layout = Self.layout(stored)
        }
        guard method != 4 || readPalette() else { return nil }
    }

    /// `dmap`: the rendition knows its size.
    init?(first body: FilePart) {
        guard body.starts(with: "dmap"), let data = body.part(from: 8) else { return nil }
        (method, stored, self.data, doublesChroma) = (body[4], body[7], data, body[5] != 0)
        layout = stored == 0x14 ? .wide : Self.layout(stored)
        isFloat = true
        guard method != 4 || readPalette() else { return nil }
    }

    private static func layout(_ number: UInt8) -> Layout? {
        switch number {
        case 1: .gray
        case 2: .grayAlpha
        case 3: .color
        case 4: .colorAlpha
        default: nil
        }
    }

    private mutating func readPalette() -> Bool {
        guard let count = data.little16(0), let kind = data.little16(2), count > 0, count <= 256,
            [0, 3, 4].contains(kind), let colors = data.part(at: 4, count: Int(count) * 4),
            let rest = data.part(from: 4 + colors.count)
        else { return false }
        (palette, data, paletteHasAlphaPlane) = (colors, rest, kind != 4)
        return true
    }

    private var channelCount: Int {
        switch layout {
        case .gray, nil: 1
        case .grayAlpha: 2
        case .color: 3
        case .colorAlpha: 4
        case .wide: 8
        }
    }

    private var predictedCount: Int { layout == .gray || layout == .grayAlpha ? 1 : 3 }

    private var hasAlpha: Bool { layout != .gray && layout != .color }

    /// Bytes of one row once it is decompressed.
    func rowSize(width: Int) -> Int {
        switch method {
        case 2: 1 + width * predictedCount * 2 + (hasAlpha ? width : 0)
        case 4: width * (paletteHasAlphaPlane ? 2 : 1)
        default: width * channelCount
        }
    }

    /// How many rows that many bytes are; planes are padded to a multiple of sixteen.
    func storedRows(in byteCount: Int, rowSize: Int) -> Int {
        let expected = min(height, byteCount / rowSize)
        return method == 2 && (expected * rowSize + 15) & ~15 == byteCount ? expected : byteCount / rowSize
    }

    /// Rows as red, green, blue and alpha; `nil` when the bytes are not those of so many rows.
    func pixels(_ bytes: [UInt8], width: Int, rowCount: Int) -> [UInt8]? {
        let size = rowSize(width: width) * rowCount
        guard rowCount > 0, bytes.count >= size, bytes.count - size <= (method == 2 ? 15 : 0) else { return nil }
        switch method {
        case 2:
            let rows = PredictedRows(
                width: width, rowCount: rowCount, componentCount: predictedCount, hasAlpha: hasAlpha,
                doublesChroma: doublesChroma, unit: layout == .wide ? 512 : 255)
            return rows.pixels(bytes)
        case 4: return paletted(bytes, count: width * rowCount)
        default: return plain(bytes, count: width * rowCount)
        }
    }

    private func plain(_ bytes: [UInt8], count: Int) -> [UInt8] {
        var pixels: [UInt8] = []
        pixels.reserveCapacity(count * 4)
        switch layout {
        case .wide: PixelFormat.wideColor(isFloat: isFloat).append(count, from: bytes[...], to: &pixels)
        case .colorAlpha: PixelFormat.color.append(count, from: bytes[...], to: &pixels)
        case .grayAlpha: PixelFormat.grayAlpha.append(count, from: bytes[...], to: &pixels)
        case .gray, nil: PixelFormat.gray.append(count, from: bytes[...], to: &pixels)
        case .color:
            for start in stride(from: 0, to: count * 3, by: 3) {
                pixels += [bytes[start + 2], bytes[start + 1], bytes[start], 255]
            }
        }
        return pixels
    }

    private func paletted(_ bytes: [UInt8], count: Int) -> [UInt8]? {
        guard let palette else { return nil }
        var pixels: [UInt8] = []
        pixels.reserveCapacity(count * 4)
        for position in 0..<count {
            let start = Int(bytes[paletteHasAlphaPlane ? count + position : position]) * 4
            guard start < palette.count else { return nil }
            let alpha = paletteHasAlphaPlane ? bytes[position] : palette[start + 3]
            pixels += [palette[start + 2], palette[start + 1], palette[start], alpha]
        }
        return pixels
    }
}
