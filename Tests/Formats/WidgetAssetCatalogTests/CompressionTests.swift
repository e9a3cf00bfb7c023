import Testing
import WidgetAssetCatalog
import WidgetBytes
import WidgetDeflate
import WidgetTestSupport

@Suite struct `Compressed pixels` {
    private typealias Sample = `A compiled catalogue`

    private func little(_ values: UInt32...) -> [UInt8] {
        values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> UInt32($0 * 8)) } }
    }

    private func read(_ compression: UInt32, _ data: [UInt8]) throws -> [UInt8] {
        try Sample.bitmap(Sample.image(ForgedRendition.bitmap(compression, data))).pixels
    }

    private func refusal(_ compression: UInt32, _ data: [UInt8]) -> AssetError.Reason? {
        #expect(throws: AssetError.self) { try read(compression, data) }?.reason
    }

    private func deflated(_ bytes: [UInt8]) throws -> [UInt8] {
        var deflater = try Deflater()
        var room = [UInt8](repeating: 0, count: 4_096)
        var span = room.mutableSpan
        let progress = try deflater.deflate(bytes.span, into: &span, isLast: true)
        return Array(room[..<progress.produced])
    }

    @Test func `deflate streams are inflated bare, in a frame of zlib and in one of gzip`() throws {
        let raw = try deflated(Sample.pixels)
        #expect(try read(2, raw) == Sample.straight)
        #expect(try read(2, [0x78, 0xDA] + raw + [0, 0, 0, 0]) == Sample.straight)
        #expect(try read(2, try #require(gzip(Sample.pixels, level: 6))) == Sample.straight)
        // With a name and a comment in the frame.
        let named: [UInt8] = [0x1F, 0x8B, 8, 0x18, 0, 0, 0, 0, 0, 3] + Array("a\0b\0".utf8)
        #expect(try read(2, named + raw + [UInt8](repeating: 0, count: 8)) == Sample.straight)
        #expect(refusal(2, Array(raw.dropLast(4))) == .corrupt(.deflate))
        #expect(refusal(2, try deflated([UInt8](repeating: 0, count: 4_000))) == .corrupt(.deflate))
    }

    @Test func `LZVN is decompressed bare and in blocks`() throws {
        // Eight literals; then distances of 8, 4 and as before.
        let stream: [UInt8] = [0xE4, 0, 0, 255, 255, 0xE4, 0, 64, 0, 128] + Array([0xE8] + Sample.pixels[8...])
        let end: [UInt8] = [6, 0, 0, 0, 0, 0, 0, 0]
        #expect(try read(3, stream + end) == Sample.straight)
        let block = Array("bvxn".utf8) + little(16, UInt32(stream.count + 8)) + stream + end
        #expect(try read(4, block + Array("bvx$".utf8)) == Sample.straight)
        #expect(refusal(4, block) == .corrupt(.lzfse))
        #expect(refusal(3, stream) == .corrupt(.lzvn))
    }

    @Test(
        arguments: [
            // sml_d, lrg_d, med_d, pre_d after sml_d, sml_m and lrg_m after sml_d; each repeats four literals.
            [0x48, 4, 1, 2, 3, 4], [0x4F, 4, 0, 1, 2, 3, 4], [0xA8, 16, 0, 1, 2, 3, 4],
        ] as [[UInt8]])
    func `a match of LZVN before any bytes is refused`(_ stream: [UInt8]) {
        // One or more literals, then a distance of four: too far back.
        #expect(refusal(3, stream + [6, 0, 0, 0, 0, 0, 0, 0]) == .corrupt(.lzvn))
    }

    static let matches: [[UInt8]] = [
        [0xE4, 1, 2, 3, 4, 0x38, 4, 0x06 | 0x08, 0xF2], [0xE4, 1, 2, 3, 4, 0x3F, 4, 0, 0xF2],
        [0xE4, 1, 2, 3, 4, 0xA1, 0x13, 0, 0xF2], [0xE4, 1, 2, 3, 4, 0x00, 4, 0xF9],
        [0xE4, 1, 2, 3, 4, 0x10, 4, 0x0E, 0x16, 0xF7],
    ]

    @Test(arguments: matches)
    func `every encoding of a match of LZVN repeats earlier bytes`(_ stream: [UInt8]) throws {
        let data = stream + [6, 0, 0, 0, 0, 0, 0, 0]
        let pixels = try read(3, data)
        #expect(pixels.count == 16)
        // Four equal pixels of alpha 4.
        #expect(Set(stride(from: 3, to: 16, by: 4).map { pixels[$0] }) == [4])
    }

    @Test func `a payload that expands beyond its image is refused`() {
        // A run of 271 bytes of output for two of input, again and again.
        let bomb: [UInt8] = [0xE1, 1, 0x00, 1] + (0..<1_000).flatMap { _ in [0xF0, 0xFF] as [UInt8] }
        #expect(refusal(3, bomb + [6, 0, 0, 0, 0, 0, 0, 0]) == .corrupt(.lzvn))
        let block = Array("bvx-".utf8) + little(1 << 30) + [0, 0, 0, 0]
        #expect(refusal(4, block) == .corrupt(.lzfse))
    }

    @Test func `runs of pixels are decoded`() throws {
        let rows: [[UInt8]] = [
            little(2) + Sample.pixels[..<8], little(0x8000_0001) + Sample.pixels[8..<12] + little(1) + [0, 0, 0, 0],
        ]
        let table = little(4, 2, 2, 20, UInt32(20 + rows[0].count))
        #expect(try read(1, table + rows[0] + rows[1]) == Sample.straight)
        #expect(refusal(1, little(4, 2, 3, 20, 20)) == .corrupt(.rowPackets))
        #expect(refusal(1, table + rows[0] + little(0x8000_0003) + [0, 0, 0, 0]) == .corrupt(.rowPackets))
        #expect(refusal(1, table + rows[0] + little(0)) == .corrupt(.rowPackets))
    }

    @Test func `indexes into a palette are decoded`() throws {
        let palette: [UInt8] = [255, 255, 0, 0, 128, 0, 64, 0, 255, 0, 0, 255, 0, 0, 0, 0]
        // Two bits each, the first pixel on top of a word.
        let indices: [UInt8] = [0, 0x10, 0, 0xB0]
        let head = little(0xCAFE_F00D, 1) + [4, 0]
        #expect(try read(8, head + palette + indices) == Sample.straight)
        let short = little(0xCAFE_F00D, 1) + [3, 0] + palette[..<12]
        #expect(refusal(8, short + indices) == .corrupt(.palette))
        #expect(refusal(8, little(0xCAFE_F00D, 2) + [4, 0] + palette + indices) == .unsupportedVariant(.palette, 2))
    }

    private func wrapped(_ body: [UInt8]) -> [UInt8] { little(1, 4) + little(UInt32(body.count), 0) + body }

    private func raw(_ bytes: [UInt8]) -> [UInt8] {
        Array("bvx-".utf8) + little(UInt32(bytes.count)) + bytes + Array("bvx$".utf8)
    }

    private let head: [UInt8] = Array("dmp2".utf8)

    @Test func `deep pixels are decoded plain, packed and with a palette`() throws {
        let size: [UInt8] = [2, 0, 2, 0]
        #expect(try read(11, wrapped(head + [1, 0, 10, 4] + size + Sample.pixels)) == Sample.straight)
        #expect(try read(11, wrapped(head + [3, 0, 10, 4] + size + raw(Sample.pixels))) == Sample.straight)
        let framed = little(UInt32(raw(Sample.pixels).count)) + raw(Sample.pixels)
        #expect(try read(11, wrapped(head + [3, 0, 10, 4] + size + framed)) == Sample.straight)
        let palette: [UInt8] = [4, 0, 4, 0] + Sample.pixels
        #expect(try read(11, wrapped(head + [4, 0, 10, 4] + size + palette + raw([0, 1, 2, 3]))) == Sample.straight)
        let separate: [UInt8] = [4, 0, 3, 0] + Sample.pixels
        let planes = raw([255, 128, 255, 0, 0, 1, 2, 3])
        #expect(try read(11, wrapped(head + [4, 0, 10, 4] + size + separate + planes)) == Sample.straight)
        #expect(
            refusal(11, wrapped(head + [4, 0, 10, 4] + size + palette + raw([0, 1, 2, 9]))) == .corrupt(.deepmap2))
        #expect(refusal(11, wrapped(head + [9, 0, 10, 4] + size)) == .unsupportedVariant(.deepmap2, 9))
        #expect(refusal(11, wrapped(head + [1, 0, 10, 4] + [3, 0, 2, 0] + Sample.pixels)) == .corrupt(.deepmap2))
    }

    @Test func `deep pixels are decoded from differences to their neighbours`() throws {
        // Grey with alpha: the first row from the left, the second from above.
        let alpha: [UInt8] = [255, 255, 255, 255]
        let low: [UInt8] = [200, 20, 21, 0]
        let planes = alpha + [2, 3] + [0, 0, 0, 0] + low
        let body = head + [2, 0, 10, 2, 2, 0, 2, 0] + raw(planes)
        let rendition = Sample.image(ForgedRendition.bitmap(11, wrapped(body))).with { $0.pixelFormat = "GA8 " }
        // 100; plus 10; minus 10 from above; as above.
        let gray = stride(from: 0, to: 16, by: 4).map { try? Sample.bitmap(rendition).pixels[$0] }
        #expect(gray == [100, 110, 90, 110])
        let color = Self.planes(ofOne: (brightness: 100, first: 20, second: -10))
        let pixel = head + [2, 0, 10, 4, 1, 0, 1, 0] + raw(color)
        let single = Sample.image(ForgedRendition.bitmap(11, wrapped(pixel)), width: 1, height: 1)
        #expect(try Sample.bitmap(single).pixels == [95, 95, 115, 255])
    }

    /// Alpha, the predictor, high bytes, low bytes of one pixel.
    private static func planes(ofOne pixel: (brightness: Int, first: Int, second: Int)) -> [UInt8] {
        let codes = [pixel.brightness, pixel.first, pixel.second].map { $0 < 0 ? -$0 << 1 | 1 : $0 << 1 }
        return [255, 0] + codes.map { UInt8($0 >> 8) } + codes.map { UInt8($0 & 255) }
    }

    @Test func `a grid of deep pixels is decoded`() throws {
        let tiles = (0..<4).map { number in
            let tile = head + [1, 0, 10, 4, 1, 0, 1, 0] + Sample.pixels[number * 4..<number * 4 + 4]
            // Room that brings a tile to its least size.
            let padded = wrapped(tile)
            return Array("KCBC".utf8) + little(UInt32(number % 2), UInt32(number / 2), 1, UInt32(padded.count + 20))
                + padded
        }
        #expect(try read(11, wrapped(tiles.flatMap { $0 })) == Sample.straight)
        #expect(refusal(11, wrapped(tiles[0] + tiles[1] + tiles[2])) == .corrupt(.deepmap2))
        #expect(refusal(11, wrapped(tiles[0] + tiles[1] + tiles[2] + tiles[2])) == .corrupt(.deepmap2))
    }

    @Test func `deep pixels of the first form are decoded`() throws {
        let first: [UInt8] = Array("dmap".utf8) + [1, 0, 0, 4]
        #expect(try read(10, wrapped(first + Sample.pixels)) == Sample.straight)
        let packed: [UInt8] = Array("dmap".utf8) + [3, 0, 0, 4]
        let tile = raw(Sample.pixels)
        #expect(try read(10, wrapped(packed + little(UInt32(tile.count)) + tile)) == Sample.straight)
    }
}
