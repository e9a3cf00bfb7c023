/// How the channels of a stored pixel lie. Colours are multiplied by their alpha.
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
        // Two colour spaces go beyond 0 to 1, which only floating-point numbers do.
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

    /// Appends pixels as red, green, blue, alpha, still multiplied. The caller has checked that there are so many.
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

    /// What is not a number counts as nothing.
    static func byte(ofHalf value: UInt16) -> UInt8 {
        let number = Float(Float16(bitPattern: value))
        return number > 0 ? UInt8(min(number, 1) * 255 + 0.5) : 0
    }
}

extension [UInt8] {
    /// Divides the colours of pixels by their alpha, and makes them opaque first when they are meant to be.
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
