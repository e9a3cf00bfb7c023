/// The space of a colour's components. Hosts read all components as sRGB, so others are converted.
package enum ColorSpace: Equatable, Sendable {
    /// sRGB, or one that is close to it.
    case standard
    case displayP3
    /// sRGB without its curve.
    case linear

    package init(ofInterface name: String?) {
        switch name {
        case "displayP3": self = .displayP3
        case "extendedLinearSRGB", "linearSRGB": self = .linear
        default: self = .standard
        }
    }

    package init(ofCatalog name: String?) {
        switch name {
        case "display-p3": self = .displayP3
        case "extended-linear-srgb": self = .linear
        default: self = .standard
        }
    }

    /// - Parameter number: the number in a compiled catalogue, which also has greys and extended sRGB.
    package init(ofCompiled number: UInt32) {
        switch number {
        case 2: self = .displayP3
        case 4: self = .linear
        default: self = .standard
        }
    }

    /// Returns red, green and blue in sRGB. Colours that sRGB does not have become the nearest that it has.
    package func standard(_ values: [Double]) -> [Double] {
        guard self != .standard, values.count == 3 else { return values }
        let bounded = values.map { min(max($0, 0), 1) }
        guard self == .displayP3 else { return bounded.map(ColorSpace.curved) }
        let (red, green, blue) = (
            ColorSpace.straightened(bounded[0]), ColorSpace.straightened(bounded[1]),
            ColorSpace.straightened(bounded[2])
        )
        // From the primaries of Display P3 to sRGB's; both have the white D65.
        return [
            1.2249401763 * red - 0.2249401763 * green, -0.0420569547 * red + 1.0420569547 * green,
            -0.0196375546 * red - 0.0786360456 * green + 1.0982736001 * blue,
        ].map { ColorSpace.curved(min(max($0, 0), 1)) }
    }

    /// Applies the curve of sRGB (IEC 61966-2-1) to a number from 0 to 1.
    private static func curved(_ value: Double) -> Double {
        guard value > 0.0031308 else { return 12.92 * value }
        // 1 / 2.4 is 5 / 12.
        let fifth = value * value * value * value * value
        return 1.055 * root(3, of: fifth).squareRoot().squareRoot() - 0.055
    }

    private static func straightened(_ value: Double) -> Double {
        guard value > 0.04045 else { return value / 12.92 }
        let base = (value + 0.055) / 1.055
        return base * base * root(5, of: base * base)
    }

    /// Returns the root of a positive number up to 1, by Newton's method from above.
    private static func root(_ degree: Int, of number: Double) -> Double {
        var root = 1.0
        for _ in 0..<200 {
            var power = 1.0
            for _ in 1..<degree { power *= root }
            let next = root - (power * root - number) / (Double(degree) * power)
            if next >= root { break }
            root = next
        }
        return root
    }
}
