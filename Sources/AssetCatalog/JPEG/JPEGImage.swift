/// Decodes JPEG images, as ITU-T T.81 describes them: sequential and progressive ones with prefix codes and eight bits.
package enum JPEGImage {
    package static func begins(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0xFF, 0xD8, 0xFF]) }

    /// How often all blocks may be gone through; progressive images take some five times.
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
            // Those without a segment.
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
                // No block takes less than a bit, so what is made is in proportion to the file.
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

    /// The next marker; what stands before it is passed over.
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

/// What the components of an image are.
private enum JPEGColors {
    case gray, primaries, brightness, inks, brightnessOfInks

    init(_ head: JPEGHead) {
        switch (head.components.count, head.transform) {
        case (1, _): self = .gray
        case (3, 0): self = .primaries
        case (3, nil) where head.components.map(\.id) == Array("RGB".utf8): self = .primaries
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

    /// Inks are stored as what is left of the paper.
    private static func append(_ colors: (Int, Int, Int), ink: Int, to pixels: inout [UInt8]) {
        for color in [colors.0, colors.1, colors.2] { pixels.append(UInt8(color * ink / 255)) }
        pixels.append(255)
    }

    /// ITU-R BT.601 with all 256 levels, in 16-bit fractions.
    private static func primaries(_ values: [Int]) -> (Int, Int, Int) {
        let (brightness, blue, red) = (values[0] << 16 + 1 << 15, values[1] - 128, values[2] - 128)
        func level(_ value: Int) -> Int { min(max(value >> 16, 0), 255) }
        return (
            level(brightness + 91_881 * red), level(brightness - 22_554 * blue - 46_802 * red),
            level(brightness + 116_130 * blue)
        )
    }
}
