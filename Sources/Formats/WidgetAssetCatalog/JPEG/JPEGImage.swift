/// Decodes JPEG images (ITU-T T.81): sequential and progressive images with prefix codes and eight bits.
package enum JPEGImage {
    package static func begins(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0xFF, 0xD8, 0xFF]) }

    /// The limit on passes over all blocks; progressive images take about five.
    private static let mostPasses = 16

    package static func decoded(_ bytes: [UInt8], limits: AssetLimits = AssetLimits()) throws(AssetError) -> Bitmap {
        guard begins(bytes) else { throw AssetError(.notAnImage) }
        let data = FilePart(bytes)
        var head = JPEGHead()
        var blocks: [[Int16]] = []
        var budget = 0
        var position = 2
        var hasScan = false
        while let marker = nextMarker(data, &position), marker != 0xD9 {
            // Markers without a segment.
            if marker == 0x01 || (0xD0...0xD8).contains(marker) { continue }
            guard let size = data.big16(position), size >= 2,
                let segment = data.part(at: position + 2, count: Int(size) - 2)
            else { throw AssetError(.damagedImage) }
            position += Int(size)
            guard marker == 0xDA else {
                try head.read(marker, segment, limits: limits)
                continue
            }
            guard !head.components.isEmpty else { throw AssetError(.damagedImage) }
            if !hasScan {
                // A block takes at least one bit, so the memory is in proportion to the file.
                let count = head.components.reduce(0) { $0 + $1.blocksWide * $1.blocksHigh }
                guard count <= data.count * 8 else { throw AssetError(.damagedImage) }
                blocks = head.components.map { Array(repeating: 0, count: $0.blocksWide * $0.blocksHigh * 64) }
                budget = count * mostPasses
                hasScan = true
            }
            var scan = try JPEGScan(segment, head: head)
            position = try scan.read(data, from: position, into: &blocks, budget: &budget)
        }
        guard hasScan else { throw AssetError(.damagedImage) }
        return try bitmap(head, blocks)
    }

    /// Finds the next marker and skips the bytes before it.
    private static func nextMarker(_ data: FilePart, _ position: inout Int) -> UInt8? {
        while position + 1 < data.count {
            if data[position] == 0xFF, data[position + 1] != 0, data[position + 1] != 0xFF {
                position += 2
                return data[position - 1]
            }
            position += 1
        }
        return nil
    }

    private static func bitmap(_ head: JPEGHead, _ blocks: [[Int16]]) throws(AssetError) -> Bitmap {
        var planes: [[UInt8]] = []
        for (component, numbers) in zip(head.components, blocks) {
            guard let factors = head.quantization[component.quantization] else { throw AssetError(.damagedImage) }
            planes.append(JPEGTransform.plane(numbers, factors, blocksWide: component.blocksWide))
        }
        var pixels: [UInt8] = []
        pixels.reserveCapacity(head.width * head.height * 4)
        let colors = JPEGColors(head)
        var values = [Int](repeating: 0, count: planes.count)
        for y in 0..<head.height {
            let starts = head.components.map {
                y * $0.vertical / head.largestVertical * $0.blocksWide * 8
            }
            for x in 0..<head.width {
                for (number, component) in head.components.enumerated() {
                    values[number] = Int(
                        planes[number][starts[number] + x * component.horizontal / head.largestHorizontal])
                }
                colors.append(values, to: &pixels)
            }
        }
        guard let bitmap = Bitmap(width: head.width, height: head.height, pixels: pixels) else {
            throw AssetError(.damagedImage)
        }
        return bitmap
    }
}

/// The meaning of an image's components.
private enum JPEGColors {
    case gray, primaries, brightness, inks, brightnessOfInks

    init(_ head: JPEGHead) {
        switch (head.components.count, head.transform) {
        case (1, _): self = .gray
        case (3, 0): self = .primaries
        case (3, nil) where head.components.map { $0.id } == Array("RGB".utf8): self = .primaries
        case (3, _): self = .brightness
        case (_, 2): self = .brightnessOfInks
        default: self = .inks
        }
    }

    func append(_ values: [Int], to pixels: inout [UInt8]) {
        switch self {
        case .gray: pixels += [UInt8(values[0]), UInt8(values[0]), UInt8(values[0]), 255]
        case .primaries: pixels += [UInt8(values[0]), UInt8(values[1]), UInt8(values[2]), 255]
        case .brightness:
            let (red, green, blue) = Self.primaries(values)
            pixels += [UInt8(red), UInt8(green), UInt8(blue), 255]
        case .inks: Self.append((values[0], values[1], values[2]), ink: values[3], to: &pixels)
        case .brightnessOfInks:
            let (red, green, blue) = Self.primaries(values)
            Self.append((255 - red, 255 - green, 255 - blue), ink: values[3], to: &pixels)
        }
    }

    /// Inks are stored inverted: as the light that the paper still reflects.
    private static func append(_ colors: (Int, Int, Int), ink: Int, to pixels: inout [UInt8]) {
        for color in [colors.0, colors.1, colors.2] { pixels.append(UInt8(color * ink / 255)) }
        pixels.append(255)
    }

    /// Converts by ITU-R BT.601 with all 256 levels, in 16-bit fractions.
    private static func primaries(_ values: [Int]) -> (Int, Int, Int) {
        let (brightness, blue, red) = (values[0] << 16 + 1 << 15, values[1] - 128, values[2] - 128)
        func level(_ value: Int) -> Int { min(max(value >> 16, 0), 255) }
        return (
            level(brightness + 91_881 * red), level(brightness - 22_554 * blue - 46_802 * red),
            level(brightness + 116_130 * blue)
        )
    }
}

/// The segments before and between the scans of a JPEG image (ITU-T T.81, annex B): size, components and tables.
struct JPEGHead {
    struct Component {
        var id: UInt8
        var horizontal: Int
        var vertical: Int
        var quantization: Int
        /// Blocks in a row and in a column, rounded up to whole groups.
        var blocksWide = 0
        var blocksHigh = 0
    }

    var width = 0
    var height = 0
    var isProgressive = false
    var components: [Component] = []
    /// The groups of blocks that have all components.
    var groupsWide = 0
    var groupsHigh = 0
    var largestHorizontal = 1
    var largestVertical = 1
    var quantization: [[UInt16]?] = [nil, nil, nil, nil]
    var directTables: [JPEGCode?] = [nil, nil, nil, nil]
    var alternatingTables: [JPEGCode?] = [nil, nil, nil, nil]
    var restartInterval = 0
    /// The colour transform in Adobe's marker.
    var transform: UInt8?

    /// The storage order of a block's numbers.
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

    /// Reads a segment other than a scan. Segments without information about pixels are skipped.
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

    /// Returns the number of blocks that the image needs, without padding blocks of groups.
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
