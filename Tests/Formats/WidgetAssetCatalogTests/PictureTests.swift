import Testing
import WidgetBytes
import WidgetDeflate

@testable import WidgetAssetCatalog

/// Goal: pictures of users are read and compressed. Method: bitmaps of ours, encoded and decoded again.
@Suite struct `Pictures` {
    /// Soft colours with a sharp edge in them.
    static func bitmap(width: Int, height: Int, alpha: UInt8 = 255) throws -> Bitmap {
        var pixels: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let isLeft = x * 2 < width
                pixels += [
                    UInt8(x * 255 / max(width - 1, 1)), UInt8(y * 255 / max(height - 1, 1)), isLeft ? 30 : 200, alpha,
                ]
            }
        }
        return try #require(Bitmap(width: width, height: height, pixels: pixels))
    }

    /// The mean difference of two bitmaps' channels.
    static func difference(_ first: Bitmap, _ second: Bitmap) -> Double {
        let sum = zip(first.pixels, second.pixels).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        return Double(sum) / Double(first.pixels.count)
    }

    @Test func `A picture of half the size has the means of its pixels, without the colour of clear ones`() throws {
        let square = try #require(
            Bitmap(width: 2, height: 2, pixels: [0, 0, 0, 255, 255, 0, 0, 255, 0, 255, 0, 255, 255, 255, 0, 255]))
        #expect(square.halved == Bitmap(width: 1, height: 1, pixels: [128, 128, 0, 255]))
        let clear = try #require(
            Bitmap(width: 3, height: 1, pixels: [9, 9, 9, 0, 200, 100, 50, 128, 1, 2, 3, 0]))
        #expect(clear.halved == Bitmap(width: 2, height: 1, pixels: [200, 100, 50, 64, 0, 0, 0, 0]))
        let large = try Self.bitmap(width: 64, height: 40), half = try #require(large.halved)
        #expect((half.width, half.height) == (32, 20))
        #expect(Self.difference(half, try Self.bitmap(width: 32, height: 20)) < 4)
    }

    // MARK: - JPEG

    @Test(arguments: [(1, 1), (8, 8), (17, 9), (64, 40), (3, 70)])
    func `A picture of any size is nearly the same after compression`(width: Int, height: Int) throws {
        let bitmap = try Self.bitmap(width: width, height: height)
        let bytes = try #require(JPEGEncoder.encoded(bitmap, quality: 0.95))
        #expect(bytes.starts(with: [0xFF, 0xD8, 0xFF, 0xE0]) && bytes.suffix(2) == [0xFF, 0xD9])
        let decoded = try JPEGImage.decoded(bytes)
        #expect((decoded.width, decoded.height) == (width, height))
        #expect(Self.difference(bitmap, decoded) < 4, "\(Self.difference(bitmap, decoded))")
    }

    @Test func `A lower quality makes a smaller file, and one that cannot be is brought into the range`() throws {
        let bitmap = try Self.bitmap(width: 64, height: 64)
        let sizes = try [1, 0.9, 0.5, 0.1].map { try #require(JPEGEncoder.encoded(bitmap, quality: $0)).count }
        #expect(sizes == sizes.sorted(by: >) && Set(sizes).count == 4, "\(sizes)")
        #expect(JPEGEncoder.encoded(bitmap, quality: 7) == JPEGEncoder.encoded(bitmap, quality: 1))
        #expect(JPEGEncoder.encoded(bitmap, quality: -1) == JPEGEncoder.encoded(bitmap, quality: 0.01))
        #expect(JPEGEncoder.encoded(bitmap, quality: .nan) == JPEGEncoder.encoded(bitmap, quality: 0.9))
    }

    @Test func `Noise, with its long codes and bytes of ones, is encoded as it is`() throws {
        var state: UInt64 = 7
        var pixels: [UInt8] = []
        for place in 0..<(48 * 48 * 4) {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            pixels.append(place % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: state >> 56))
        }
        let bitmap = try #require(Bitmap(width: 48, height: 48, pixels: pixels))
        let decoded = try JPEGImage.decoded(try #require(JPEGEncoder.encoded(bitmap, quality: 1)))
        #expect(Self.difference(bitmap, decoded) < 2, "\(Self.difference(bitmap, decoded))")
    }

    @Test func `Transparent parts become white`() throws {
        let decoded = try JPEGImage.decoded(
            try #require(JPEGEncoder.encoded(try Self.bitmap(width: 8, height: 8, alpha: 0), quality: 0.9)))
        #expect(decoded.pixels.allSatisfy { $0 >= 253 })
    }

    @Test func `A side that the format cannot express is refused`() throws {
        let bitmap = try #require(Bitmap(width: 65_536, height: 1, pixels: [UInt8](repeating: 9, count: 65_536 * 4)))
        #expect(JPEGEncoder.encoded(bitmap, quality: 0.9) == nil)
    }

    @Test func `The order of frequencies and the codes are those of the standard`() {
        #expect(
            JPEGTables.order.prefix(10) == [0, 1, 8, 16, 9, 2, 3, 10, 17, 24] && JPEGTables.order.suffix(2) == [62, 63])
        #expect(Set(JPEGTables.order).count == 64)
        for code in JPEGTables.codes { #expect(code.counts.reduce(0) { $0 + Int($1) } == code.symbols.count) }
        #expect(JPEGTables.codes.map(\.symbols.count) == [12, 162, 12, 162])
        for code in JPEGTables.codes { #expect(JPEGCode(code.counts, code.symbols) != nil) }
    }

    // MARK: - PNG

    @Test(arguments: [(1, 1), (33, 5), (64, 64)], [UInt8(255), 128])
    func `A PNG of ours is read back as it was`(size: (width: Int, height: Int), alpha: UInt8) throws {
        let bitmap = try Self.bitmap(width: size.width, height: size.height, alpha: alpha)
        #expect(try PNGImage.decoded(bitmap.png()) == bitmap)
    }

    /// A PNG of rows without a filter.
    static func png(
        _ width: UInt8, _ height: UInt8, depth: UInt8, color: UInt8, isInterlaced: Bool = false, rows: [[UInt8]],
        chunks: [(String, [UInt8])] = []
    ) throws -> [UInt8] {
        var bytes = PNGChunk.signature
        PNGChunk.append(
            "IHDR", [0, 0, 0, width, 0, 0, 0, height, depth, color, 0, 0, isInterlaced ? 1 : 0], to: &bytes)
        for (type, content) in chunks { PNGChunk.append(type, content, to: &bytes) }
        PNGChunk.append("IDAT", try PNGChunk.zlib(rows.flatMap { [0] + $0 }), to: &bytes)
        PNGChunk.append("IEND", [], to: &bytes)
        return bytes
    }

    @Test func `PNGs of every kind of colour are read`() throws {
        func pixels(_ bytes: [UInt8]) throws -> [UInt8] { try PNGImage.decoded(bytes).pixels }
        #expect(
            try pixels(Self.png(2, 1, depth: 1, color: 0, rows: [[0b1000_0000]])) == [255, 255, 255, 255, 0, 0, 0, 255])
        #expect(
            try pixels(Self.png(2, 1, depth: 4, color: 0, rows: [[0x5F]], chunks: [("tRNS", [0, 5])]))
                == [85, 85, 85, 0, 255, 255, 255, 255])
        #expect(
            try pixels(
                Self.png(
                    3, 1, depth: 2, color: 3, rows: [[0b0001_1000]],
                    chunks: [("PLTE", [1, 2, 3, 4, 5, 6, 7, 8, 9]), ("tRNS", [255, 9])]))
                == [1, 2, 3, 255, 4, 5, 6, 9, 7, 8, 9, 255])
        #expect(
            try pixels(Self.png(1, 1, depth: 16, color: 2, rows: [[255, 255, 128, 0, 0, 0]])) == [255, 127, 0, 255])
        #expect(try pixels(Self.png(1, 1, depth: 8, color: 4, rows: [[7, 8]])) == [7, 7, 7, 8])
        #expect(try pixels(Self.png(1, 1, depth: 8, color: 6, rows: [[1, 2, 3, 4]])) == [1, 2, 3, 4])
    }

    @Test func `An interlaced PNG is put together`() throws {
        // Adam7 of three by three pixels: all passes but two have some.
        let bytes = try Self.png(
            3, 3, depth: 8, color: 0, isInterlaced: true, rows: [[1], [3], [7, 9], [2], [8], [4, 5, 6]])
        let first = try PNGImage.decoded(bytes).pixels
        #expect(stride(from: 0, to: 36, by: 4).map { first[$0] } == [1, 2, 3, 4, 5, 6, 7, 8, 9])
    }

    @Test func `A damaged PNG is refused`() throws {
        let whole = try Self.bitmap(width: 20, height: 20).png()
        for count in stride(from: 8, to: whole.count - 12, by: 7) {
            #expect(throws: AssetError.self) { try PNGImage.decoded(Array(whole.prefix(count))) }
        }
        #expect(throws: AssetError.self) { try PNGImage.decoded(Self.png(2, 2, depth: 8, color: 0, rows: [[1, 2]])) }
        #expect(throws: AssetError.self) { try PNGImage.decoded(Self.png(1, 1, depth: 8, color: 3, rows: [[0]])) }
        #expect(throws: AssetError.self) {
            try PNGImage.decoded(Self.png(1, 1, depth: 8, color: 0, rows: [[0]]), limits: AssetLimits(pixelCount: 0))
        }
        #expect(throws: AssetError.self) { try PNGImage.decoded([0xFF, 0xD8, 0xFF]) }
        // A palette that lacks a colour is black there.
        let short = try Self.png(1, 1, depth: 8, color: 3, rows: [[9]], chunks: [("PLTE", [1, 2, 3])])
        #expect(try PNGImage.decoded(short).pixels == [0, 0, 0, 255])
    }
}
