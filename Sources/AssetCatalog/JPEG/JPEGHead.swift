/// What stands before and between the scans of a JPEG image (ITU-T T.81, annex B): its size, components and tables.
struct JPEGHead {
    struct Component {
        var id: UInt8
        var horizontal: Int
        var vertical: Int
        var quantization: Int
        /// Blocks in a row and in a column, filled up to whole groups of them.
        var blocksWide = 0
        var blocksHigh = 0
    }

    var width = 0
    var height = 0
    var isProgressive = false
    var components: [Component] = []
    /// Units that all components repeat in.
    var groupsWide = 0
    var groupsHigh = 0
    var largestHorizontal = 1
    var largestVertical = 1
    var quantization: [[UInt16]?] = [nil, nil, nil, nil]
    var directTables: [JPEGCode?] = [nil, nil, nil, nil]
    var alternatingTables: [JPEGCode?] = [nil, nil, nil, nil]
    var restartInterval = 0
    /// What Adobe's marker says of the colours.
    var transform: UInt8?

    /// The order in which a block's numbers are stored.
    static let order: [Int] = {
        var order: [Int] = []
        for diagonal in 0..<15 {
            let rows = max(0, diagonal - 7)...min(diagonal, 7)
            for row in diagonal % 2 == 0 ? Array(rows.reversed()) : Array(rows) {
                order.append(row * 8 + diagonal - row)
            }
        }
        return order
    }()

    /// Takes in a segment that is no scan. Segments that say nothing of pixels are passed over.
    mutating func read(_ marker: UInt8, _ segment: FilePart, limits: AssetLimits) throws(AssetError) {
        switch marker {
        case 0xC0, 0xC1, 0xC2: try readFrame(segment, limits: limits, isProgressive: marker == 0xC2)
        case 0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF: throw AssetError(.unsupportedJPEG(marker))
        case 0xC4: try readCodes(segment)
        case 0xDB: try readQuantization(segment)
        case 0xDD:
            guard let interval = segment.big16(0) else { throw AssetError(.damagedImage) }
            restartInterval = Int(interval)
        case 0xEE where segment.starts(with: "Adobe") && segment.count >= 12: transform = segment[11]
        default: break
        }
    }

    private mutating func readFrame(
        _ segment: FilePart, limits: AssetLimits, isProgressive: Bool
    ) throws(AssetError) {
        guard components.isEmpty, segment.count >= 6, let height = segment.big16(1), let width = segment.big16(3),
            width > 0, height > 0
        else { throw AssetError(.damagedImage) }
        guard segment[0] == 8 else { throw AssetError(.unsupportedJPEG(isProgressive ? 0xC2 : 0xC1)) }
        (self.width, self.height, self.isProgressive) = (Int(width), Int(height), isProgressive)
        guard self.width * self.height <= limits.pixelCount else { throw AssetError(.pixelCount, of: limits) }
        let count = Int(segment[5])
        guard [1, 3, 4].contains(count), segment.count >= 6 + count * 3 else { throw AssetError(.damagedImage) }
        for position in 0..<count {
            let start = 6 + position * 3
            let (horizontal, vertical) = (Int(segment[start + 1] >> 4), Int(segment[start + 1] & 15))
            guard (1...4).contains(horizontal), (1...4).contains(vertical), segment[start + 2] < 4 else {
                throw AssetError(.damagedImage)
            }
            components.append(
                Component(
                    id: segment[start], horizontal: horizontal, vertical: vertical,
                    quantization: Int(segment[start + 2])))
            largestHorizontal = max(largestHorizontal, horizontal)
            largestVertical = max(largestVertical, vertical)
        }
        groupsWide = (self.width + 8 * largestHorizontal - 1) / (8 * largestHorizontal)
        groupsHigh = (self.height + 8 * largestVertical - 1) / (8 * largestVertical)
        for position in components.indices {
            components[position].blocksWide = groupsWide * components[position].horizontal
            components[position].blocksHigh = groupsHigh * components[position].vertical
        }
    }

    /// Blocks of a component that the image needs, without those that fill up groups.
    func neededBlocks(of component: Component) -> (wide: Int, high: Int) {
        let wide = (width * component.horizontal + largestHorizontal - 1) / largestHorizontal
        let high = (height * component.vertical + largestVertical - 1) / largestVertical
        return ((wide + 7) / 8, (high + 7) / 8)
    }

    private mutating func readQuantization(_ segment: FilePart) throws(AssetError) {
        var position = 0
        while position < segment.count {
            let (isWide, number) = (segment[position] >> 4 == 1, Int(segment[position] & 15))
            let size = isWide ? 2 : 1
            guard segment[position] >> 4 <= 1, number < 4,
                let part = segment.part(at: position + 1, count: 64 * size)
            else { throw AssetError(.damagedImage) }
            var table = [UInt16](repeating: 1, count: 64)
            for place in 0..<64 {
                table[Self.order[place]] = isWide ? part.big16(place * 2) ?? 1 : UInt16(part[place])
            }
            quantization[number] = table
            position += 1 + 64 * size
        }
    }

    private mutating func readCodes(_ segment: FilePart) throws(AssetError) {
        var position = 0
        while position < segment.count {
            let (kind, number) = (segment[position] >> 4, Int(segment[position] & 15))
            guard kind <= 1, number < 4, let counts = segment.part(at: position + 1, count: 16) else {
                throw AssetError(.damagedImage)
            }
            let count = counts.array.reduce(0) { $0 + Int($1) }
            guard let symbols = segment.part(at: position + 17, count: count),
                let code = JPEGCode(counts.array, symbols.array)
            else { throw AssetError(.damagedImage) }
            if kind == 0 { directTables[number] = code } else { alternatingTables[number] = code }
            position += 17 + count
        }
    }
}
