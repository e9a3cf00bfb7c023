internal import WidgetBytes

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

    /// Returns rows of red, green, blue and alpha, premultiplied.
    func read(_ data: FilePart) throws(AssetError) -> [UInt8] {
        guard let version = data.little32(0), let size = data.little64(8), size == UInt64(max(data.count - 16, 0)),
            let body = data.part(from: 16)
        else { throw corrupt }
        guard version == 1 else { throw AssetError(.unsupportedVariant(compression, version)) }
        if body.starts(with: "dmap") { return try readFirst(body) }
        if body.starts(with: "KCBC") { return try readGrid(body) }
        return try readSecond(body)
    }

    /// Reads the second form: one image with rows in separate streams.
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

    /// Reads the first form: squares of 256 pixels, row by row, each preceded by its length.
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
                    let stream = head.data.part(at: position + 4, count: Int(bounded: size)),
                    let bytes = stream.expandedLZ(limit: most),
                    let pixels = head.pixels(bytes, width: tileWidth, rowCount: tileHeight)
                else { throw corrupt }
                canvas.draw(pixels, width: tileWidth, left: left, top: top)
                position += 4 + Int(bounded: size)
            }
        }
        return canvas.pixels
    }

    /// Splits data into streams that are preceded by their lengths, or returns the single stream without one.
    static func streams(_ data: FilePart) -> [FilePart] {
        var streams: [FilePart] = []
        var position = 0
        while position < data.count {
            guard let size = data.little32(position), size > 0,
                let stream = data.part(at: position + 4, count: Int(bounded: size))
            else { return [data] }
            streams.append(stream)
            position += 4 + Int(bounded: size)
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

    /// Draws a part; the caller has checked that it lies inside.
    mutating func draw(_ part: [UInt8], width partWidth: Int, left: Int, top: Int) {
        for row in 0..<part.count / (partWidth * 4) {
            let start = ((top + row) * width + left) * 4
            let source = row * partWidth * 4
            pixels.replaceSubrange(start..<start + partWidth * 4, with: part[source..<source + partWidth * 4])
        }
    }
}

extension Deepmap {
    private struct Tile {
        var column: UInt32
        var row: UInt32
        var width: Int
        var height: Int
        var data: FilePart
    }

    /// Reads the second form for large images: a grid of separate images. Tiles give their column and row; the width
    /// and height of columns and rows follow from the tiles.
    func readGrid(_ body: FilePart) throws(AssetError) -> [UInt8] {
        let tiles = try tiles(of: body)
        var (columns, rows) = ([UInt32: Int](), [UInt32: Int]())
        for tile in tiles {
            guard columns.updateValue(tile.width, forKey: tile.column).map({ $0 == tile.width }) ?? true,
                rows.updateValue(tile.height, forKey: tile.row).map({ $0 == tile.height }) ?? true
            else { throw corrupt }
        }
        guard let lefts = Self.places(columns), let tops = Self.places(rows), lefts.end == width, tops.end == height,
            columns.count * rows.count == tiles.count
        else { throw corrupt }
        var canvas = Canvas(width: width, height: height)
        var seen: Set<UInt64> = []
        for tile in tiles {
            guard seen.insert(UInt64(tile.column) << 32 | UInt64(tile.row)).inserted,
                let left = lefts.starts[tile.column], let top = tops.starts[tile.row]
            else { throw corrupt }
            let part = Deepmap(compression, width: tile.width, height: tile.height, format: format)
            canvas.draw(try part.readSecond(tile.data), width: tile.width, left: left, top: top)
        }
        return canvas.pixels
    }

    private func tiles(of body: FilePart) throws(AssetError) -> [Tile] {
        var tiles: [Tile] = []
        var position = 0
        while position < body.count {
            // The length includes the head.
            guard let head = body.part(at: position, count: 20), head.starts(with: "KCBC"),
                let column = head.little32(4), let row = head.little32(8), let rows = head.little32(12),
                let size = head.little32(16), size >= 32,
                var data = body.part(at: position + 20, count: Int(bounded: size) - 20)
            else { throw corrupt }
            if let inner = data.part(from: 16), inner.starts(with: "dmp2") { data = inner }
            guard let image = DeepmapHead(second: data, format: format) else { throw corrupt }
            let tileHeight = rows == 0 ? image.height : Int(bounded: rows)
            guard image.width <= width, tileHeight <= height else { throw corrupt }
            // Each is a pixel at least.
            guard tiles.count < width * height else { throw corrupt }
            tiles.append(Tile(column: column, row: row, width: image.width, height: tileHeight, data: data))
            position += Int(bounded: size)
        }
        return tiles
    }

    /// - Returns: `nil` if they are longer together than any picture.
    private static func places(_ sizes: [UInt32: Int]) -> (starts: [UInt32: Int], end: Int)? {
        var starts: [UInt32: Int] = [:]
        var end = 0
        for (number, size) in sizes.sorted(by: { $0.key < $1.key }) {
            starts[number] = end
            guard let next = end.adding(size) else { return nil }
            end = next
        }
        return (starts, end)
    }
}
