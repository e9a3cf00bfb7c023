/// Rows stored as differences from what their neighbours let expect.
///
/// The planes follow each other: alpha, one predictor for each row, the high bytes of all differences, their
/// low bytes. Colours are a brightness and two differences of colours.
struct PredictedRows {
    let width: Int
    let rowCount: Int
    let componentCount: Int
    let hasAlpha: Bool
    let doublesChroma: Bool
    /// What stands for full brightness.
    let unit: Int

    private var pixelCount: Int { width * rowCount }

    /// The caller has checked that all planes are there. `nil` for a predictor that does not exist.
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

    /// Whether brightness changes less from row to row than within the row.
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
