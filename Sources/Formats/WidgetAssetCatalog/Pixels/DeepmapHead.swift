/// The head of a deep pixel image, which tells how its rows become pixels.
struct DeepmapHead {
    enum Layout {
        case gray, grayAlpha, color, colorAlpha, wide
    }

    var method: UInt8
    var stored: UInt8
    /// `nil` for unknown channels.
    var layout: Layout?
    var width = 0
    var height = 0
    var data: FilePart
    private var doublesChroma: Bool
    private var palette: FilePart?
    private(set) var paletteHasAlphaPlane = true
    private var isFloat = false

    /// Reads `dmp2`, which has its own size, and the channels of the rendition.
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

    /// Reads `dmap`, which has the rendition's size.
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

    /// Returns the size in bytes of one decompressed row.
    func rowSize(width: Int) -> Int {
        switch method {
        case 2: 1 + width * predictedCount * 2 + (hasAlpha ? width : 0)
        case 4: width * (paletteHasAlphaPlane ? 2 : 1)
        default: width * channelCount
        }
    }

    /// Returns the number of rows in this many bytes; planes are padded to a multiple of sixteen.
    func storedRows(in byteCount: Int, rowSize: Int) -> Int {
        let expected = min(height, byteCount / rowSize)
        return method == 2 && (expected * rowSize + 15) & ~15 == byteCount ? expected : byteCount / rowSize
    }

    /// Returns rows as red, green, blue and alpha; `nil` when the bytes do not match the number of rows.
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

/// Rows stored as differences from the values that their neighbours predict.
///
/// The planes follow each other: alpha, one predictor for each row, the high bytes of all differences, their low bytes.
/// Colours are a brightness and two differences of colours.
struct PredictedRows {
    let width: Int
    let rowCount: Int
    let componentCount: Int
    let hasAlpha: Bool
    let doublesChroma: Bool
    /// The value of full brightness.
    let unit: Int

    private var pixelCount: Int { width * rowCount }

    /// Returns `nil` for a predictor that does not exist. The caller has checked that all planes are present.
    func pixels(_ bytes: [UInt8]) -> [UInt8]? {
        let predictors = hasAlpha ? pixelCount : 0
        let high = predictors + rowCount
        let low = high + pixelCount * componentCount
        var above = [Int16](repeating: 0, count: width * componentCount)
        var current = above
        var output: [UInt8] = []
        output.reserveCapacity(pixelCount * 4)
        for row in 0..<rowCount {
            let predictor = bytes[predictors + row]
            guard predictor <= 4 else { return nil }
            for column in 0..<width {
                let base = column * componentCount
                let prefersLeft = predictor == 1 && prefersLeft(base, current, above)
                for index in base..<base + componentCount {
                    let place = row * width * componentCount + index
                    let code = Int(bytes[high + place]) << 8 | Int(bytes[low + place])
                    // The lowest bit is the sign.
                    let difference = code & 1 == 0 ? code >> 1 : -(code >> 1)
                    let up = Int(above[index])
                    let left = column > 0 ? Int(current[index - componentCount]) : 0
                    let expected =
                        switch predictor {
                        case 1: prefersLeft ? left : up
                        case 2: left
                        case 3: up
                        case 4: column > 0 ? (left + up + 1) / 2 : up
                        default: 0
                        }
                    current[index] = Int16(truncatingIfNeeded: expected + difference)
                }
                append(current, base, to: &output)
                output.append(hasAlpha ? bytes[row * width + column] : 255)
            }
            swap(&above, &current)
        }
        return output
    }

    /// Returns true if brightness changes less from row to row than within the row.
    private func prefersLeft(_ base: Int, _ current: [Int16], _ above: [Int16]) -> Bool {
        guard base > 0 else { return false }
        let corner = Int(above[base - componentCount])
        return abs(Int(above[base]) - corner) <= abs(Int(current[base - componentCount]) - corner)
    }

    private func append(_ values: [Int16], _ base: Int, to output: inout [UInt8]) {
        let brightness = Int(values[base])
        guard componentCount == 3 else {
            let gray = UInt8(truncatingIfNeeded: brightness)
            output += [gray, gray, gray]
            return
        }
        let factor = doublesChroma ? 2 : 1
        let (first, second) = (Int(values[base + 1]) * factor, Int(values[base + 2]) * factor)
        let rest = brightness - second / 2
        if unit == 255 {
            for value in [rest - first / 2, rest + second, rest + first - first / 2] { output.append(level(value)) }
        } else {
            for value in [rest + first - first / 2, rest + second, rest - first / 2] { output.append(level(value)) }
        }
    }

    private func level(_ value: Int) -> UInt8 {
        let scaled = unit == 255 ? value : (value * 255 + unit / 2) / unit
        return UInt8(truncatingIfNeeded: min(max(scaled, 0), 255))
    }
}
