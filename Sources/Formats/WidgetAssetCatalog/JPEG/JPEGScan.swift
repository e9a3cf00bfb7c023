/// One scan of a JPEG image: coefficients, or some of their bits, of one component or several (ITU-T T.81, annexes F
/// and G).
struct JPEGScan {
    private struct Part {
        var component: Int
        var direct: JPEGCode?
        var alternating: JPEGCode?
        var previous = 0
    }

    private let head: JPEGHead
    private var parts: [Part] = []
    /// The range of coefficients in a block, and the range of their bits.
    private let first: Int
    private let last: Int
    private let isRefinement: Bool
    private let low: Int
    private var skipped = 0

    init(_ segment: FilePart, head: JPEGHead) throws(AssetError) {
        self.head = head
        guard segment.count >= 1, case let count = Int(segment[0]), (1...4).contains(count),
            segment.count >= 4 + count * 2
        else { throw AssetError(.damagedImage) }
        for position in 0..<count {
            let (id, tables) = (segment[1 + position * 2], segment[2 + position * 2])
            guard let component = head.components.firstIndex(where: { $0.id == id }), tables >> 4 < 4, tables & 15 < 4,
                !parts.contains(where: { $0.component == component })
            else { throw AssetError(.damagedImage) }
            parts.append(
                Part(
                    component: component, direct: head.directTables[Int(tables >> 4)],
                    alternating: head.alternatingTables[Int(tables & 15)]))
        }
        let end = 1 + count * 2
        guard head.isProgressive else {
            (first, last, isRefinement, low) = (0, 63, false, 0)
            return
        }
        (first, last) = (Int(segment[end]), Int(segment[end + 1]))
        (isRefinement, low) = (segment[end + 2] >> 4 > 0, Int(segment[end + 2] & 15))
        guard first <= last, last < 64, low < 14, first > 0 ? count == 1 : last == 0 else {
            throw AssetError(.damagedImage)
        }
    }

    /// Adds the scan's content to the blocks of all components. Returns the scan's end.
    mutating func read(
        _ data: FilePart, from start: Int, into blocks: inout [[Int16]], budget: inout Int
    ) throws(AssetError) -> Int {
        var bits = JPEGBits(data, from: start)
        let single = parts.count == 1 ? head.neededBlocks(of: head.components[parts[0].component]) : nil
        let (wide, high) = single ?? (head.groupsWide, head.groupsHigh)
        budget -= wide * high
        guard budget >= 0 else { throw AssetError(.damagedImage) }
        var untilRestart = head.restartInterval
        for row in 0..<high {
            for column in 0..<wide {
                if head.restartInterval > 0 {
                    if untilRestart == 0 {
                        guard bits.restart() else { throw AssetError(.damagedImage) }
                        for position in parts.indices { parts[position].previous = 0 }
                        skipped = 0
                        untilRestart = head.restartInterval
                    }
                    untilRestart -= 1
                }
                guard readGroup(row, column, isSingle: single != nil, &bits, &blocks), !bits.isExhausted else {
                    throw AssetError(.damagedImage)
                }
            }
        }
        return bits.position
    }

    private mutating func readGroup(
        _ row: Int, _ column: Int, isSingle: Bool, _ bits: inout JPEGBits, _ blocks: inout [[Int16]]
    ) -> Bool {
        for position in parts.indices {
            let number = parts[position].component
            let component = head.components[number]
            let (across, down) = isSingle ? (1, 1) : (component.horizontal, component.vertical)
            for y in 0..<down {
                for x in 0..<across {
                    let block = (row * down + y) * component.blocksWide + column * across + x
                    guard readBlock(position, &bits, &blocks[number], block * 64) else { return false }
                }
            }
        }
        return true
    }

    private mutating func readBlock(
        _ position: Int, _ bits: inout JPEGBits, _ block: inout [Int16], _ start: Int
    ) -> Bool {
        if first == 0 {
            if isRefinement {
                if bits.read(1) == 1 { block[start] |= 1 << Int16(low) }
            } else {
                guard let length = parts[position].direct?.next(&bits), length <= 15 else { return false }
                parts[position].previous += bits.readSigned(Int(length))
                guard abs(parts[position].previous) < 1 << 16 else { return false }
                block[start] = Int16(truncatingIfNeeded: parts[position].previous << low)
            }
            if last == 0 { return true }
        }
        guard let code = parts[position].alternating else { return false }
        return isRefinement
            ? refine(code, &bits, &block, start) : readNumbers(code, &bits, &block, start)
    }

    private mutating func readNumbers(
        _ code: JPEGCode, _ bits: inout JPEGBits, _ block: inout [Int16], _ start: Int
    ) -> Bool {
        guard skipped == 0 else {
            skipped -= 1
            return true
        }
        var place = max(first, 1)
        while place <= last {
            guard let symbol = code.next(&bits) else { return false }
            let (run, length) = (Int(symbol >> 4), Int(symbol & 15))
            if length == 0 {
                guard run == 15 else {
                    // This block and the following `run` have no other coefficients.
                    if head.isProgressive { skipped = 1 << run - 1 + bits.read(run) }
                    return true
                }
                place += 16
                continue
            }
            place += run
            guard place <= last else { return false }
            block[start + JPEGHead.order[place]] = Int16(truncatingIfNeeded: bits.readSigned(length) << low)
            place += 1
        }
        return true
    }

    /// Reads one more bit of the coefficients that are not 0, and new coefficients between them.
    private mutating func refine(
        _ code: JPEGCode, _ bits: inout JPEGBits, _ block: inout [Int16], _ start: Int
    ) -> Bool {
        let bit = Int16(1) << Int16(low)
        var place = first
        func more(_ index: Int) {
            guard bits.read(1) == 1, block[index] & bit == 0 else { return }
            block[index] = block[index] &+ (block[index] > 0 ? bit : 0 &- bit)
        }
        if skipped == 0 {
            while place <= last {
                guard let symbol = code.next(&bits) else { return false }
                var (run, value) = (Int(symbol >> 4), Int16(0))
                if symbol & 15 == 0 {
                    if run < 15 {
                        skipped = 1 << run + bits.read(run)
                        break
                    }
                } else {
                    value = bits.read(1) == 1 ? bit : 0 &- bit
                }
                while place <= last {
                    let index = start + JPEGHead.order[place]
                    place += 1
                    if block[index] != 0 {
                        more(index)
                    } else if run == 0 {
                        block[index] = value
                        break
                    } else {
                        run -= 1
                    }
                }
            }
        }
        guard skipped > 0 else { return true }
        while place <= last {
            let index = start + JPEGHead.order[place]
            if block[index] != 0 { more(index) }
            place += 1
        }
        skipped -= 1
        return true
    }
}

/// Turns blocks of frequencies into levels of brightness: the inverse discrete cosine transform (ITU-T T.81, A.3.3).
enum JPEGTransform {
    /// Half of the cosines, by frequency and place; the first includes its factor.
    private static let cosines: [Float] = (0..<64).map { index in
        let (frequency, place) = (index / 8, index % 8)
        return frequency == 0 ? 0.353_553_39 : 0.5 * cosine(sixteenths: (2 * place + 1) * frequency)
    }

    /// Returns the cosine of this many sixteenths of half a turn.
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

    /// Returns the levels of a component, rows from the top.
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
            // Rows of frequencies, then columns; frequencies of 0 add nothing.
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
        // Coefficients of a damaged image may have any value, but never NaN.
        UInt8(min(max(value + 128.5, 0), 255))
    }
}
