package struct NibPoint: Equatable, Sendable {
    package var x: Double
    package var y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

package struct NibRect: Equatable, Sendable {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double

    package init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

package struct NibInsets: Equatable, Sendable {
    package var top: Double
    package var left: Double
    package var bottom: Double
    package var right: Double

    package init(top: Double, left: Double, bottom: Double, right: Double) {
        (self.top, self.left, self.bottom, self.right) = (top, left, bottom, right)
    }
}

/// Points, sizes, rectangles and insets. One form packs their numbers behind a byte that says of which kind they are,
/// the other spells them as texts such as `{{0, 0}, {320, 44}}`.
extension NibElement {
    package func point(_ key: String) -> NibPoint? { numbers(key, count: 2).map { NibPoint(x: $0[0], y: $0[1]) } }

    /// Width and height.
    package func size(_ key: String) -> NibPoint? { point(key) }

    package func rect(_ key: String) -> NibRect? {
        numbers(key, count: 4).map { NibRect(x: $0[0], y: $0[1], width: $0[2], height: $0[3]) }
    }

    package func insets(_ key: String) -> NibInsets? {
        numbers(key, count: 4).map { NibInsets(top: $0[0], left: $0[1], bottom: $0[2], right: $0[3]) }
    }

    /// So many numbers under the key, packed or spelled.
    package func numbers(_ key: String, count: Int) -> [Double]? {
        if let bytes = data(key), let numbers = NibElement.packed(bytes, count: count) { return numbers }
        guard let text = string(key) else { return nil }
        return NibElement.spelled(text, count: count)
    }

    /// Of an object that is a value itself, as runtime attributes have them.
    package func ownNumbers(count: Int) -> [Double]? {
        for key in NibElement.valueKeys {
            if let numbers = numbers(key, count: count) { return numbers }
        }
        return nil
    }

    private static let valueKeys = ["NS.pointval", "NS.sizeval", "NS.rectval", "NS.rangeval"]

    /// The byte 7 announces doubles and 6 floats, both little-endian.
    private static func packed(_ bytes: ArraySlice<UInt8>, count: Int) -> [Double]? {
        let width: Int
        switch bytes.first {
        case 7: width = 8
        case 6: width = 4
        default: return nil
        }
        guard bytes.count == 1 + count * width else { return nil }
        return (0..<count).map { position in
            var bits: UInt64 = 0
            let start = bytes.startIndex + 1 + position * width
            for place in (0..<width).reversed() { bits = bits << 8 | UInt64(bytes[start + place]) }
            return width == 8
                ? Double(bitPattern: bits) : Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
        }
    }

    /// The longest spelling of four numbers with their braces is far shorter.
    private static let longestSpelling = 512

    static func spelled(_ text: String, count: Int) -> [Double]? {
        guard text.utf8.count <= longestSpelling else { return nil }
        let words = text.split { "{}, ".contains($0) }
        guard words.count == count else { return nil }
        let numbers = words.compactMap { Double($0) }
        return numbers.count == count ? numbers : nil
    }

    /// The bytes that numbers are packed into, as Xcode writes them.
    package static func pack(_ numbers: [Double]) -> [UInt8] {
        var bytes: [UInt8] = [7]
        for number in numbers {
            for place in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number.bitPattern >> UInt64(8 * place))) }
        }
        return bytes
    }
}
