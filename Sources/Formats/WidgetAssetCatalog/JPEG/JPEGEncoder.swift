/// Encodes pixels as a JPEG image (ITU-T T.81): sequential, with the prefix codes of annex K and all colours in full
/// resolution.
package struct JPEGEncoder {
    private var bits = JPEGBitWriter()
    /// Factors of brightness and of colour, in the order of frequencies.
    private let factors: [[Int]]
    private var bytes: [UInt8] = []

    /// The longest side of an image (§B.2.2).
    private static let longestSide = 65_535

    /// - Parameter quality: from 0 to 1; the scale of the Independent JPEG Group, divided by 100.
    /// - Returns: `nil` for an image with a side that the format cannot express. Transparent parts become white.
    package static func encoded(_ bitmap: Bitmap, quality: Double) -> [UInt8]? {
        guard bitmap.width <= longestSide, bitmap.height <= longestSide else { return nil }
        var encoder = JPEGEncoder(quality: quality)
        encoder.writeHead(width: bitmap.width, height: bitmap.height)
        encoder.writeBlocks(of: bitmap)
        encoder.bytes += encoder.bits.finished() + [0xFF, 0xD9]
        return encoder.bytes
    }

    private init(quality: Double) {
        let percent = quality.isFinite ? min(max((quality * 100).rounded(), 1), 100) : 90
        let scale = percent < 50 ? 5_000 / percent : 200 - percent * 2
        factors = [JPEGTables.brightness, JPEGTables.color].map { table in
            table.map { min(max(Int(((Double($0) * scale + 50) / 100).rounded(.down)), 1), 255) }
        }
    }

    // MARK: - Segments

    private mutating func writeHead(width: Int, height: Int) {
        bytes = [0xFF, 0xD8]
        segment(0xE0, Array("JFIF".utf8) + [0, 1, 1, 0, 0, 1, 0, 1, 0, 0])
        for (number, table) in factors.enumerated() {
            segment(0xDB, [UInt8(number)] + JPEGTables.order.map { UInt8(table[$0]) })
        }
        let size = [height >> 8, height & 0xFF, width >> 8, width & 0xFF].map { UInt8($0) }
        let components: [UInt8] = [1, 0x11, 0, 2, 0x11, 1, 3, 0x11, 1]
        segment(0xC0, [8] + size + [3] + components)
        for (place, code) in JPEGTables.codes.enumerated() {
            let kind = UInt8((place % 2) << 4 | place / 2)
            segment(0xC4, [kind] + code.counts + code.symbols)
        }
        segment(0xDA, [3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0])
    }

    private mutating func segment(_ marker: UInt8, _ content: [UInt8]) {
        let size = content.count + 2
        bytes += [0xFF, marker, UInt8(size >> 8), UInt8(size & 0xFF)] + content
    }

    // MARK: - Blocks

    private mutating func writeBlocks(of bitmap: Bitmap) {
        let codes = JPEGTables.codes.map(JPEGCodeWriter.init)
        let cosines = JPEGTables.cosines
        var last = [0, 0, 0]
        var planes = [[Double]](repeating: [Double](repeating: 0, count: 64), count: 3)
        for top in stride(from: 0, to: bitmap.height, by: 8) {
            for left in stride(from: 0, to: bitmap.width, by: 8) {
                JPEGEncoder.read(bitmap, left, top, into: &planes)
                for component in 0..<3 {
                    let table = component == 0 ? 0 : 1
                    let numbers = JPEGEncoder.transformed(planes[component], cosines)
                    let whole = JPEGTables.order.map { Int((numbers[$0] / Double(factors[table][$0])).rounded()) }
                    write(whole, after: &last[component], codes[table * 2], codes[table * 2 + 1])
                }
            }
        }
    }

    /// Reads a block as brightness and two colours (JFIF), around zero. Beyond the image its last pixels are repeated.
    private static func read(_ bitmap: Bitmap, _ left: Int, _ top: Int, into planes: inout [[Double]]) {
        for y in 0..<8 {
            let row = min(top + y, bitmap.height - 1)
            for x in 0..<8 {
                let start = (row * bitmap.width + min(left + x, bitmap.width - 1)) * 4
                let alpha = Double(bitmap.pixels[start + 3]) / 255
                let red = Double(bitmap.pixels[start]) * alpha + 255 * (1 - alpha)
                let green = Double(bitmap.pixels[start + 1]) * alpha + 255 * (1 - alpha)
                let blue = Double(bitmap.pixels[start + 2]) * alpha + 255 * (1 - alpha)
                let place = y * 8 + x
                planes[0][place] = 0.299 * red + 0.587 * green + 0.114 * blue - 128
                planes[1][place] = -0.168_736 * red - 0.331_264 * green + 0.5 * blue
                planes[2][place] = 0.5 * red - 0.418_688 * green - 0.081_312 * blue
            }
        }
    }

    /// The frequencies of a block (§A.3.3), rows first and then columns.
    private static func transformed(_ block: [Double], _ cosines: [Double]) -> [Double] {
        var rows = [Double](repeating: 0, count: 64)
        for y in 0..<8 {
            for u in 0..<8 {
                var sum = 0.0
                for x in 0..<8 { sum += block[y * 8 + x] * cosines[u * 8 + x] }
                rows[y * 8 + u] = sum
            }
        }
        var result = [Double](repeating: 0, count: 64)
        for u in 0..<8 {
            for v in 0..<8 {
                var sum = 0.0
                for y in 0..<8 { sum += rows[y * 8 + u] * cosines[v * 8 + y] }
                result[v * 8 + u] = sum
            }
        }
        return result
    }

    /// Writes a block (§F.1.2): the difference of its mean, then each other number with the zeros before it.
    private mutating func write(
        _ numbers: [Int], after last: inout Int, _ means: JPEGCodeWriter, _ others: JPEGCodeWriter
    ) {
        let difference = numbers[0] - last
        last = numbers[0]
        let size = JPEGEncoder.size(difference)
        bits.write(means[UInt8(size)])
        bits.write(JPEGEncoder.bits(difference, size), size)
        var zeros = 0
        for number in numbers.dropFirst() {
            if number == 0 {
                zeros += 1
                continue
            }
            while zeros > 15 {
                bits.write(others[0xF0])
                zeros -= 16
            }
            let size = JPEGEncoder.size(number)
            bits.write(others[UInt8(zeros << 4 | size)])
            bits.write(JPEGEncoder.bits(number, size), size)
            zeros = 0
        }
        if zeros > 0 { bits.write(others[0]) }
    }

    private static func size(_ number: Int) -> Int { Int.bitWidth - abs(number).leadingZeroBitCount }

    private static func bits(_ number: Int, _ size: Int) -> Int { number < 0 ? number + (1 << size) - 1 : number }
}

/// The bits of a scan, high bits first. A zero byte follows each byte of ones (§F.1.2.3).
private struct JPEGBitWriter {
    private var bytes: [UInt8] = []
    private var window = 0
    private var count = 0

    mutating func write(_ code: (bits: Int, length: Int)) { write(code.bits, code.length) }

    mutating func write(_ bits: Int, _ length: Int) {
        window = window << length | bits
        count += length
        while count >= 8 {
            count -= 8
            let byte = UInt8(truncatingIfNeeded: window >> count)
            bytes.append(byte)
            if byte == 0xFF { bytes.append(0) }
        }
        window &= (1 << count) - 1
    }

    /// The bytes, the last one filled with ones.
    mutating func finished() -> [UInt8] {
        if count > 0 { write((1 << (8 - count)) - 1, 8 - count) }
        return bytes
    }
}

/// A prefix code for writing (§C.2): the bits of each symbol.
private struct JPEGCodeWriter {
    private var codes = [(bits: Int, length: Int)](repeating: (0, 0), count: 256)

    init(_ table: (counts: [UInt8], symbols: [UInt8])) {
        var (code, place) = (0, 0)
        for (index, count) in table.counts.enumerated() {
            for _ in 0..<Int(count) {
                codes[Int(table.symbols[place])] = (code, index + 1)
                code += 1
                place += 1
            }
            code <<= 1
        }
    }

    subscript(symbol: UInt8) -> (bits: Int, length: Int) { codes[Int(symbol)] }
}
