/// Reads numbers and words of an attribute, one after the other.
struct SVGScanner {
    private let bytes: [UInt8]
    private(set) var position = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    var isAtEnd: Bool { position >= bytes.count }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D || byte == 0x0C {
            position += 1
        }
    }

    /// Skips white space with at most one comma in it.
    mutating func skipSeparator() {
        skipSpace()
        if next == UInt8(ascii: ",") {
            position += 1
            skipSpace()
        }
    }

    mutating func skip(_ character: Character) -> Bool {
        guard let value = character.asciiValue, next == value else { return false }
        position += 1
        return true
    }

    /// The letter of a command; `nil` if there is another character.
    mutating func letter() -> Character? {
        guard let byte = next, (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) else { return nil }
        position += 1
        return Character(UnicodeScalar(byte))
    }

    /// Letters, digits and hyphens.
    mutating func word() -> String {
        let start = position
        while let byte = next,
            (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "%")
        {
            position += 1
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// The next number, which ends at the first character that cannot continue it (SVG 2 §9.3.9): `1.5.5` is two.
    mutating func number() -> Double? {
        let start = position
        if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
        let whole = digits()
        var hasFraction = false
        if next == UInt8(ascii: ".") {
            position += 1
            hasFraction = digits()
        }
        guard whole || hasFraction else {
            position = start
            return nil
        }
        let end = position
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            position += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
            if !digits() { position = end }
        }
        var text = String(decoding: bytes[start..<position], as: UTF8.self)
        if text.hasSuffix(".") { text.removeLast() }
        guard let value = Double(text), value.isFinite else {
            position = start
            return nil
        }
        return value
    }

    private mutating func digits() -> Bool {
        let start = position
        while let byte = next, (0x30...0x39).contains(byte) { position += 1 }
        return position > start
    }

    /// `0` or `1`, which need no separator behind them.
    mutating func flag() -> Bool? {
        guard let byte = next, byte == UInt8(ascii: "0") || byte == UInt8(ascii: "1") else { return nil }
        position += 1
        return byte == UInt8(ascii: "1")
    }

    /// All numbers of a list; `nil` if something else is in it.
    mutating func numbers() -> [Double]? {
        var numbers: [Double] = []
        skipSpace()
        while !isAtEnd {
            guard let number = number() else { return nil }
            numbers.append(number)
            skipSeparator()
        }
        return numbers
    }
}

/// Lengths of SVG in points, which are pixels of CSS.
enum SVGLength {
    /// The extent that percentages are of.
    enum Extent { case width, height, diagonal }

    /// The size of text, the base of some units; `nil` if it is unknown.
    struct Font: Sendable {
        var em: Double? = 16
        /// That of the root.
        var rem: Double? = 16

        static let unknown = Font(em: nil, rem: nil)
    }

    /// Returns a length; `nil` for text that no reader takes for one, and that has no effect.
    ///
    /// A length in an unknown unit is refused: the drawing would look wrong without it.
    static func points(
        _ text: String, of size: (width: Double, height: Double), _ extent: Extent, _ font: Font
    ) throws(DrawingError) -> Double? {
        var scanner = SVGScanner(text)
        scanner.skipSpace()
        guard let number = scanner.number() else {
            if text.utf8.contains(UInt8(ascii: "(")) { throw DrawingError(.unsupported(.lengths)) }
            return nil
        }
        let unit = scanner.word().lowercased()
        scanner.skipSpace()
        guard scanner.isAtEnd else { return nil }
        if unit == "%" {
            switch extent {
            case .width: return number / 100 * size.width
            case .height: return number / 100 * size.height
            case .diagonal:
                let square = size.width * size.width + size.height * size.height
                return number / 100 * (square / 2).squareRoot()
            }
        }
        let factor: Double? =
            switch unit {
            case "em": font.em
            case "ex": font.em.map { $0 / 2 }
            case "rem": font.rem
            default: factors[unit]
            }
        guard let factor else { throw DrawingError(.unsupported(.lengths)) }
        return factor * number
    }

    private static let factors: [String: Double] = [
        "": 1, "px": 1, "pt": 4.0 / 3, "pc": 16, "in": 96, "cm": 96 / 2.54, "mm": 9.6 / 2.54, "q": 2.4 / 2.54,
    ]
}
