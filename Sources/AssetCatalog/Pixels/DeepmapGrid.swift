extension Deepmap {
    private struct Tile {
        var column: UInt32
        var row: UInt32
        var width: Int
        var height: Int
        var data: FilePart
    }

    /// The second form for large images: a grid of images of their own. Tiles name their column and row; how
    /// wide and high those are follows from the tiles.
    func readGrid(_ body: FilePart) throws(AssetError) -> [UInt8] {
        let tiles = try tiles(of: body)
        var (columns, rows) = ([UInt32: Int](), [UInt32: Int]())
        for tile in tiles {
            guard columns.updateValue(tile.width, forKey: tile.column).map({ $0 == tile.width }) ?? true,
                rows.updateValue(tile.height, forKey: tile.row).map({ $0 == tile.height }) ?? true
            else { throw corrupt }
        }
        let (lefts, tops) = (Self.places(columns), Self.places(rows))
        guard lefts.end == width, tops.end == height, columns.count * rows.count == tiles.count else { throw corrupt }
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
            // The length counts the head as well.
            guard let head = body.part(at: position, count: 20), head.starts(with: "KCBC"),
                let column = head.little32(4), let row = head.little32(8), let rows = head.little32(12),
                let size = head.little32(16), size >= 32,
                var data = body.part(at: position + 20, count: Int(size) - 20)
            else { throw corrupt }
            if let inner = data.part(from: 16), inner.starts(with: "dmp2") { data = inner }
            guard let image = DeepmapHead(second: data, format: format) else { throw corrupt }
            let tileHeight = rows == 0 ? image.height : Int(rows)
            guard image.width <= width, tileHeight <= height else { throw corrupt }
            tiles.append(Tile(column: column, row: row, width: image.width, height: tileHeight, data: data))
            position += Int(size)
        }
        return tiles
    }

    private static func places(_ sizes: [UInt32: Int]) -> (starts: [UInt32: Int], end: Int) {
        var starts: [UInt32: Int] = [:]
        var end = 0
        for (number, size) in sizes.sorted(by: { $0.key < $1.key }) {
            starts[number] = end
            end += size
        }
        return (starts, end)
    }
}
