import Testing
import WidgetAssetCatalog
import WidgetBytes
import WidgetDeflate
import WidgetTestSupport

@Suite struct `A loose image packed by Apple's tools` {
    private struct Forge {
        var header: [UInt8]
        var rows: [UInt8]
        var extra: [(String, [UInt8])] = []

        func bytes() throws -> [UInt8] {
            var deflater = try Deflater()
            var room = [UInt8](repeating: 0, count: 1 << 16)
            var span = room.mutableSpan
            let progress = try deflater.deflate(rows.span, into: &span, isLast: true)
            var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            let data = Array(room[..<progress.produced])
            let half = data.count / 2
            let chunks: [(String, [UInt8])] =
                [("CgBI", [0x50, 0, 0x20, 6]), ("IHDR", header)] + extra
                + [("IDAT", Array(data[..<half])), ("IDAT", Array(data[half...])), ("IEND", [])]
            for (type, content) in chunks { bytes += chunk(type, content) }
            return bytes
        }

        func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
            let body = Array(type.utf8) + content
            return big(UInt32(content.count)) + body + big(Checksum.of(body))
        }

        private func big(_ value: UInt32) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: value >> UInt32(24 - $0 * 8)) }
        }
    }

    private func header(_ width: UInt8, _ height: UInt8, depth: UInt8 = 8, color: UInt8 = 6, interlace: UInt8 = 0)
        -> [UInt8]
    {
        [0, 0, 0, width, 0, 0, 0, height, depth, color, 0, 0, interlace]
    }

    /// Two pixels in each of two rows, blue first; the second row differs from the first by 1.
    private static let usual = (
        rows: [0, 0, 0, 255, 255, 0, 64, 0, 128, 2, 1, 0, 0, 0, 0, 0, 0, 0] as [UInt8],
        pixels: [255, 0, 0, 255, 0, 128, 0, 128, 255, 0, 1, 255, 0, 128, 0, 128] as [UInt8]
    )

    @Test(.enabled(if: PNGOracle.exists, "needs libpng"))
    func `a packed image becomes an ordinary one that libpng reads, also without alpha, grey, or interlaced`() throws {
        let (rows, pixels) = Self.usual
        let gamma: (String, [UInt8]) = ("gAMA", [0, 0, 0xB1, 0x8F])
        // The first pass holds the first pixel, the sixth the second.
        let passes: [UInt8] = [0, 1, 2, 3, 255, 0, 4, 5, 6, 255]
        let cases: [(forge: Forge, size: String, pixels: [UInt8])] = [
            (Forge(header: header(2, 2), rows: rows), "2x2", pixels),
            (Forge(header: header(2, 2), rows: rows, extra: [gamma]), "2x2", pixels),
            (
                Forge(header: header(2, 1, color: 2), rows: [1, 1, 2, 3, 4, 4, 4]), "2x1",
                [3, 2, 1, 255, 7, 6, 5, 255]
            ),
            (Forge(header: header(2, 1, color: 0), rows: [0, 7, 9]), "2x1", [7, 7, 7, 255, 9, 9, 9, 255]),
            (Forge(header: header(2, 1, interlace: 1), rows: passes), "2x1", [3, 2, 1, 255, 6, 5, 4, 255]),
        ]
        let packed = try cases.map { try $0.forge.bytes() }
        let plain = try packed.map { try AppleImage.transcoded($0) }
        #expect(packed.allSatisfy { AppleImage.begins($0) } && !plain.contains { AppleImage.begins($0) })
        let read = try #require(try PNGOracle.read(packed + plain))
        for (number, (_, size, pixels)) in cases.enumerated() {
            #expect(!read[number].hasPrefix(size))
            #expect(read[cases.count + number] == "\(size) \(Digest.sha256(pixels)?.hex ?? "")", "case \(number)")
        }
    }

    @Test func `an image that is not packed, or is damaged, is refused`() throws {
        let good = try Forge(header: header(2, 1, color: 2), rows: [0, 1, 2, 3, 4, 5, 6]).bytes()
        #expect(throws: Never.self) { try AppleImage.transcoded(good) }
        for count in good.indices {
            #expect(throws: AssetError.self) { try AppleImage.transcoded(Array(good[..<count])) }
        }
        let plain = try AppleImage.transcoded(good)
        #expect(throws: AssetError(.notAnImage)) { try AppleImage.transcoded(plain) }
        for forge in [
            Forge(header: header(2, 1, color: 2), rows: [5, 1, 2, 3, 4, 5, 6]),
            Forge(header: header(2, 1, color: 2), rows: [0, 1, 2, 3, 4, 5]),
            Forge(header: header(2, 1, color: 2), rows: [0, 1, 2, 3, 4, 5, 6, 7]),
            Forge(header: header(0, 1), rows: []), Forge(header: header(1, 1, depth: 3), rows: [0, 0]),
            Forge(header: header(1, 1, color: 5), rows: [0, 0]), Forge(header: [], rows: []),
        ] { #expect(throws: AssetError.self) { try AppleImage.transcoded(try forge.bytes()) } }
        let large = Forge(header: [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 8, 6, 0, 0, 0], rows: [])
        let error = #expect(throws: AssetError.self) { try AppleImage.transcoded(try large.bytes()) }
        #expect(error?.reason == .limitReached(.pixelCount, limit: 16 << 20))
    }
}
