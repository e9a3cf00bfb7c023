/// The heads of pictures, of any size and with nothing behind them: as much as is read of a picture that is passed on.
package enum PictureForge {
    package static func png(width: UInt32, height: UInt32, chunks: [UInt8] = []) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunks + big(13, 4) + Array("IHDR".utf8) + big(width, 4)
            + big(height, 4) + [8, 2, 0, 0, 0, 0, 0, 0, 0]
    }

    /// A PNG as Xcode packs it, with its mark in front.
    package static func packed(width: UInt32, height: UInt32) -> [UInt8] {
        png(width: width, height: height, chunks: big(4, 4) + Array("CgBI".utf8) + [0x50, 0, 0x20, 6, 0, 0, 0, 0])
    }

    package static func jpeg(width: UInt32, height: UInt32) -> [UInt8] {
        [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF, 0xC0, 0, 17, 8] + big(height, 2) + big(width, 2)
            + [UInt8](repeating: 0, count: 10)
    }

    package static func gif(width: UInt32, height: UInt32) -> [UInt8] {
        Array("GIF89a".utf8) + big(width, 2).reversed() + big(height, 2).reversed() + [0, 0, 0]
    }

    package static func webp(width: UInt32, height: UInt32) -> [UInt8] {
        Array("RIFF".utf8) + [22, 0, 0, 0] + Array("WEBPVP8X".utf8) + [10, 0, 0, 0, 0, 0, 0, 0]
            + big(width - 1, 3).reversed() + big(height - 1, 3).reversed()
    }

    private static func big(_ number: UInt32, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> UInt32($0 * 8)) }
    }
}
