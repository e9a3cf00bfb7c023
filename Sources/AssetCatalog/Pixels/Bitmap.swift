internal import Bytes

/// Pixels of an image: red, green, blue and alpha of eight bits, colours not multiplied by alpha.
package struct Bitmap: Equatable, Sendable {
    package let width: Int
    package let height: Int
    /// Four bytes for each pixel, rows from the top without gaps.
    package let pixels: [UInt8]

    /// `nil` unless there are exactly as many bytes as pixels need.
    package init?(width: Int, height: Int, pixels: [UInt8]) {
        guard width > 0, height > 0, let count = width.multiplied(by: height), let byteCount = count.multiplied(by: 4),
            pixels.count == byteCount
        else { return nil }
        (self.width, self.height, self.pixels) = (width, height, pixels)
    }

    /// A part, counted from the top left; `nil` when it does not lie inside.
    package func part(left: Int, top: Int, width: Int, height: Int) -> Bitmap? {
        guard left >= 0, top >= 0, width > 0, height > 0, width <= self.width, height <= self.height,
            left <= self.width - width, top <= self.height - height
        else { return nil }
        var part: [UInt8] = []
        part.reserveCapacity(width * height * 4)
        for row in top..<top + height {
            let start = (row * self.width + left) * 4
            part += pixels[start..<start + width * 4]
        }
        return Bitmap(width: width, height: height, pixels: part)
    }
}
