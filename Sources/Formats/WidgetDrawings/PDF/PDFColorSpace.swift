/// A space of colours (ISO 32000-1 §8.6), as its way to red, green and blue.
indirect enum PDFColorSpace: Sendable {
    case gray, rgb, cmyk
    /// Inks by the colour of another space.
    case inks(count: Int, PDFFunction, PDFColorSpace)
    /// A pattern, and the space of one without colours.
    case pattern

    var count: Int {
        switch self {
        case .gray: 1
        case .rgb: 3
        case .cmyk: 4
        case .inks(let count, _, _): count
        case .pattern: 0
        }
    }

    /// The steps of computing a colour.
    var cost: Int {
        switch self {
        case .inks(let count, let function, let space): count + function.cost + space.cost
        default: 4
        }
    }

    /// The colour before one is chosen (§8.6.3): black, or all of each ink.
    var initial: DrawingColor { color(initialComponents) ?? .black }

    private var initialComponents: [Double] {
        switch self {
        case .cmyk: [0, 0, 0, 1]
        case .inks(let count, _, _): [Double](repeating: 1, count: count)
        default: [Double](repeating: 0, count: count)
        }
    }

    /// - Returns: `nil` for another number of components.
    func color(_ components: [Double]) -> DrawingColor? {
        guard components.count == count, count > 0 else { return nil }
        let parts = components.map { min(max($0.isFinite ? $0 : 0, 0), 1) }
        switch self {
        case .gray: return DrawingColor(red: parts[0], green: parts[0], blue: parts[0])
        case .rgb: return DrawingColor(red: parts[0], green: parts[1], blue: parts[2])
        case .cmyk:
            let light = 1 - parts[3]
            return DrawingColor(
                red: (1 - parts[0]) * light, green: (1 - parts[1]) * light, blue: (1 - parts[2]) * light)
        case .inks(_, let function, let space): return space.color(function.values(parts))
        case .pattern: return nil
        }
    }

    private static let deepest = 4

    /// Reads a space by its name or its array.
    ///
    /// - Parameter named: the spaces of the resources.
    static func space(
        _ value: PDFValue, named: [String: PDFValue], in file: inout PDFFile, depth: Int = 0
    ) throws(DrawingError) -> PDFColorSpace {
        guard depth <= deepest else { throw DrawingError(.unsupported(.colours)) }
        let value = try file.resolved(value)
        if let name = value.name {
            switch name {
            case "DeviceGray", "CalGray", "G": return .gray
            case "DeviceRGB", "CalRGB", "RGB": return .rgb
            case "DeviceCMYK", "CMYK": return .cmyk
            case "Pattern": return .pattern
            default:
                guard let other = named[name] else { throw DrawingError(.unsupported(.colours)) }
                return try space(other, named: [:], in: &file, depth: depth + 1)
            }
        }
        guard let array = value.array, let kind = try file.resolved(array.first).name else {
            throw DrawingError(.unsupported(.colours))
        }
        switch kind {
        case "CalGray", "DeviceGray": return .gray
        case "CalRGB", "DeviceRGB": return .rgb
        case "DeviceCMYK": return .cmyk
        case "Pattern" where array.count == 1: return .pattern
        case "ICCBased" where array.count > 1:
            let profile = try file.resolved(array[1]).dictionary ?? [:]
            switch try file.resolved(profile["N"]).integer {
            case 1: return .gray
            case 3: return .rgb
            case 4: return .cmyk
            default: throw DrawingError(.unsupported(.colours))
            }
        case "Separation", "DeviceN":
            guard array.count >= 4 else { throw DrawingError(.unsupported(.colours)) }
            let count = kind == "Separation" ? 1 : try file.resolved(array[1]).array?.count ?? 0
            let other = try space(array[2], named: named, in: &file, depth: depth + 1)
            let function = try PDFFunction(array[3], in: &file)
            guard (1...32).contains(count), function.outputCount == other.count, function.inputCount == count else {
                throw DrawingError(.unsupported(.colours))
            }
            return .inks(count: count, function, other)
        default: throw DrawingError(.unsupported(.colours))
        }
    }
}
