/// One scan of a JPEG image: numbers, or some bits of them, of one component or several (ITU-T T.81, annexes F and G).
struct JPEGScan {
    private struct Part {
        var component: Int
        var direct: JPEGCode?
        var alternating: JPEGCode?
        var previous = 0
    }

    private let head: JPEGHead
    private var parts: [Part] = []
    /// Which numbers of a block, and which of their bits.
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

    /// Adds what the scan says to the blocks of all components. Returns where it ends.
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
                    // This block and so many more have nothing else.
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

    /// One more bit of numbers that are not 0, and new numbers between them.
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
