/// Blocks of frequencies to levels of brightness: the inverse of the discrete cosine transform (ITU-T T.81, A.3.3).
enum JPEGTransform {
    /// Half of the cosines, by frequency and place, the first with its factor.
    private static let cosines: [Float] = (0..<64).map { index in
        let (frequency, place) = (index / 8, index % 8)
        return frequency == 0 ? 0.353_553_39 : 0.5 * cosine(sixteenths: (2 * place + 1) * frequency)
    }

    /// Of so many sixteenths of half a turn.
    private static func cosine(sixteenths: Int) -> Float {
        let quarter: [Float] = [
            1, 0.980_785_28, 0.923_879_53, 0.831_469_61, 0.707_106_78, 0.555_570_23, 0.382_683_43, 0.195_090_32, 0,
        ]
        let turn = sixteenths % 32
        switch turn {
        case 0...8: return quarter[turn]
        case 9...16: return -quarter[16 - turn]
        case 17...24: return -quarter[turn - 16]
        default: return quarter[32 - turn]
        }
    }

    /// The levels of a component, rows from the top.
    static func plane(_ numbers: [Int16], _ factors: [UInt16], blocksWide: Int) -> [UInt8] {
        let cosines = cosines
        let stride = blocksWide * 8
        var plane = [UInt8](repeating: 0, count: numbers.count)
        var (block, rows) = ([Float](repeating: 0, count: 64), [Float](repeating: 0, count: 64))
        for number in 0..<numbers.count / 64 {
            let start = number * 64
            let corner = number / blocksWide * 8 * stride + number % blocksWide * 8
            var isFlat = true
            for place in 0..<64 {
                let value = numbers[start + place]
                if place > 0, value != 0 { isFlat = false }
                block[place] = Float(value) * Float(factors[place])
            }
            if isFlat {
                let level = level(block[0] / 8)
                for y in 0..<8 {
                    for x in 0..<8 { plane[corner + y * stride + x] = level }
                }
                continue
            }
            // Rows of frequencies, then columns; those that are 0 add nothing.
            for place in 0..<64 { rows[place] = 0 }
            for place in 0..<64 where block[place] != 0 {
                let (row, frequency) = (place & ~7, place & 7)
                for x in 0..<8 { rows[row + x] += block[place] * cosines[frequency * 8 + x] }
            }
            for y in 0..<8 {
                for x in 0..<8 {
                    var sum: Float = 0
                    for frequency in 0..<8 { sum += rows[frequency * 8 + x] * cosines[frequency * 8 + y] }
                    plane[corner + y * stride + x] = level(sum)
                }
            }
        }
        return plane
    }

    private static func level(_ value: Float) -> UInt8 {
        // Numbers of a damaged image may be anything but not a number.
        UInt8(min(max(value + 128.5, 0), 255))
    }
}
