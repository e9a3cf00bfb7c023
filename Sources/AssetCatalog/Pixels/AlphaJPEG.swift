/// A photograph with a shape: its colours as a JPEG, and its alpha, which JPEG has no place for, in a plane of its own.
///
/// Five numbers stand in front: a version, a count of pieces, which is none, how long the packed plane is, how long a
/// row of it is unpacked, and how long the JPEG behind it is.
struct AlphaJPEG {
    let width: Int
    let height: Int
    let limits: AssetLimits

    private static let headByteCount = 20

    /// Rows of red, green, blue and alpha, multiplied.
    func read(_ data: FilePart) throws(AssetError) -> [UInt8] {
        guard let pieceCount = data.little32(4), let alphaSize = data.little32(8), let stride = data.little32(12),
            let imageSize = data.little32(16),
            let alpha = data.part(at: Self.headByteCount, count: Int(alphaSize)),
            let image = data.part(at: Self.headByteCount + Int(alphaSize), count: Int(imageSize))
        else { throw AssetError(.corrupt(.jpegWithAlpha)) }
        guard pieceCount == 0 else { throw AssetError(.unsupportedVariant(.jpegWithAlpha, pieceCount)) }
        let bitmap = try JPEGImage.decoded(image.array, limits: limits)
        guard bitmap.width == width, bitmap.height == height else { throw AssetError(.corrupt(.jpegWithAlpha)) }
        guard !alpha.isEmpty else { return bitmap.pixels }
        return try cut(bitmap.pixels, alpha, stride: Int(stride))
    }

    /// What compression did to colours must not make them brighter than their alpha.
    private func cut(_ pixels: [UInt8], _ alpha: FilePart, stride: Int) throws(AssetError) -> [UInt8] {
        guard stride >= width, stride <= width + 4_096, let plane = alpha.expandedLZ(limit: stride * height),
            plane.count >= stride * (height - 1) + width
        else { throw AssetError(.corrupt(.jpegWithAlpha)) }
        var pixels = pixels
        for row in 0..<height {
            for column in 0..<width {
                let level = plane[row * stride + column]
                let place = (row * width + column) * 4
                for channel in place..<place + 3 { pixels[channel] = min(pixels[channel], level) }
                pixels[place + 3] = level
            }
        }
        return pixels
    }
}
