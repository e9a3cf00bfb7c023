import WidgetDeflate

/// Checks that bytes are a whole picture in the format PNG (ISO/IEC 15948), of a size.
enum PictureCheck {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// The length, the name and the checksum around the content of a chunk.
    private static let frameByteCount = 12

    /// True for the first bytes of a picture.
    static func isPicture(_ beginning: [UInt8]) -> Bool { beginning.starts(with: signature) }

    /// The reason why bytes are not such a picture; `nil` if they are.
    static func fault(of bytes: [UInt8], width: Int, height: Int) -> String? {
        guard isPicture(bytes) else { return "it is not a PNG" }
        var place = signature.count
        var hasPixels = false
        while bytes.count - place >= frameByteCount {
            let length = number(bytes, at: place)
            guard length <= bytes.count - place - frameByteCount else { return "it ends early" }
            let named = Array(bytes[place + 4..<place + 8 + length])
            guard Int(Checksum.of(named)) == number(bytes, at: place + 8 + length) else { return "it is damaged" }
            let name = String(decoding: named.prefix(4), as: UTF8.self)
            if place == signature.count {
                guard name == "IHDR", length == 13 else { return "it has no header" }
                let size = (number(named, at: 4), number(named, at: 8))
                guard size == (width, height) else {
                    return "it is \(size.0)x\(size.1) pixels, and not \(width)x\(height)"
                }
            }
            hasPixels = hasPixels || name == "IDAT"
            place += frameByteCount + length
            guard name != "IEND" else {
                return place < bytes.count ? "something follows its end" : hasPixels ? nil : "it has no pixels"
            }
        }
        return "it ends early"
    }

    /// Four bytes, the highest first.
    private static func number(_ bytes: [UInt8], at place: Int) -> Int {
        bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }
}
