/// Apple's deep pixel compression, in its first and second form.
struct Deepmap {
    let compression: BitmapCompression
    let width: Int
    let height: Int
    let format: PixelFormat

    init(_ compression: BitmapCompression, width: Int, height: Int, format: PixelFormat) {
        (self.compression, self.width, self.height, self.format) = (compression, width, height, format)
    }

    var corrupt: AssetError { AssetError(.corrupt(compression)) }

    /// Rows of red, green, blue and alpha, multiplied.
    func read(_ data: FilePart) throws(AssetError) -> [UInt8] {
        guard let version = data.little32(0), let size = data.little64(8), size == UInt64(max(data.count - 16, 0)),
            let body = data.part(from: 16)
        else { throw corrupt }
        guard version == 1 else { throw AssetError(.unsupportedVariant(compression, version)) }
        if body.starts(with: "dmap") { return try readFirst(body) }
        if body.starts(with: "KCBC") { return try readGrid(body) }
        return try readSecond(body)
    }

    /// The second form: one image, its rows in streams of their own.
    func readSecond(_ body: FilePart) throws(AssetError) -> [UInt8] {
        guard let head = DeepmapHead(second: body, format: format), head.width == width else { throw corrupt }
        guard head.layout != nil else { throw AssetError(.unsupportedVariant(compression, UInt32(head.stored))) }
        let streams = Self.streams(head.data)
        switch head.method {
        case 1:
            guard let pixels = head.pixels(head.data.array, width: width, rowCount: height) else { throw corrupt }
            return pixels
        case 2, 3:
            var pixels: [UInt8] = []
            var row = 0
            for stream in streams {
                let rowSize = head.rowSize(width: width)
                let most = rowSize * max(head.height, height - row)
                guard row < height, let bytes = stream.expandedLZ(limit: (most + 15) & ~15) else { throw corrupt }
                let stored = head.storedRows(in: bytes.count, rowSize: rowSize)
                let count = min(stored, height - row)
                guard count > 0, let part = head.pixels(bytes, width: width, rowCount: stored) else { throw corrupt }
                pixels += part[..<(count * width * 4)]
                row += count
            }
            guard row == height else { throw AssetError(.missingPixels) }
            return pixels
        case 4:
            var bytes: [UInt8] = []
            let size = width * height * (head.paletteHasAlphaPlane ? 2 : 1)
            for stream in streams {
                guard let expanded = stream.expandedLZ(limit: size - bytes.count) else { throw corrupt }
                bytes += expanded
            }
            guard let pixels = head.pixels(bytes, width: width, rowCount: height) else { throw corrupt }
            return pixels
        default: throw AssetError(.unsupportedVariant(compression, UInt32(head.method)))
        }
    }

    /// The first form: squares of 256 pixels, row by row, each with its length in front.
    private func readFirst(_ body: FilePart) throws(AssetError) -> [UInt8] {
        guard let head = DeepmapHead(first: body) else { throw corrupt }
        guard head.layout != nil else { throw AssetError(.unsupportedVariant(compression, UInt32(head.stored))) }
        guard head.method != 1 else {
            guard let pixels = head.pixels(head.data.array, width: width, rowCount: height) else { throw corrupt }
            return pixels
        }
        guard (2...4).contains(head.method) else {
            throw AssetError(.unsupportedVariant(compression, UInt32(head.method)))
        }
        var canvas = Canvas(width: width, height: height)
        var position = 0
        for top in stride(from: 0, to: height, by: 256) {
            for left in stride(from: 0, to: width, by: 256) {
                let (tileWidth, tileHeight) = (min(256, width - left), min(256, height - top))
                let most = (head.rowSize(width: tileWidth) * tileHeight + 15) & ~15
                guard let size = head.data.little32(position),
                    let stream = head.data.part(at: position + 4, count: Int(size)),
                    let bytes = stream.expandedLZ(limit: most),
                    let pixels = head.pixels(bytes, width: tileWidth, rowCount: tileHeight)
                else { throw corrupt }
                canvas.draw(pixels, width: tileWidth, left: left, top: top)
                position += 4 + Int(size)
            }
        }
        return canvas.pixels
    }

    /// Streams with their lengths in front, or one without.
    static func streams(_ data: FilePart) -> [FilePart] {
        var streams: [FilePart] = []
        var position = 0
        while position < data.count {
            guard let size = data.little32(position), size > 0,
                let stream = data.part(at: position + 4, count: Int(size))
            else { return [data] }
            streams.append(stream)
            position += 4 + Int(size)
        }
        return streams
    }
}

/// Pixels under construction.
struct Canvas {
    private(set) var pixels: [UInt8]
    private let width: Int

    init(width: Int, height: Int) {
        self.width = width
        pixels = Array(repeating: 0, count: width * height * 4)
    }

    /// The caller has checked that the part lies inside.
    mutating func draw(_ part: [UInt8], width partWidth: Int, left: Int, top: Int) {
        for row in 0..<part.count / (partWidth * 4) {
            let start = ((top + row) * width + left) * 4
            let source = row * partWidth * 4
            pixels.replaceSubrange(start..<start + partWidth * 4, with: part[source..<source + partWidth * 4])
        }
    }
}
