/// The mark of a loose PNG that is painted in the tint, as an image set says of its pictures by
/// `template-rendering-intent`: a chunk of text behind the header, which other readers skip (W3C PNG §11.3.3.2).
package enum TemplateMark {
    /// The chunk `tEXt` with the key and the value.
    static let chunk: [UInt8] = {
        var chunk: [UInt8] = []
        PNGChunk.append("tEXt", Array("Rendering\0template".utf8), to: &chunk)
        return chunk
    }()

    /// The bytes of the signature and the header, behind which the mark is.
    private static let start = 33

    /// Returns true for a PNG with the mark, by its first bytes.
    package static func isIn(_ head: [UInt8]) -> Bool {
        isMarkable(head) && head[start...].starts(with: chunk)
    }

    /// Returns the file with the mark; other files than ordinary PNGs stay as they are.
    package static func marked(_ file: [UInt8]) -> [UInt8] {
        guard isMarkable(file), !isIn(file) else { return file }
        return file[..<start] + chunk + file[start...]
    }

    private static func isMarkable(_ bytes: [UInt8]) -> Bool {
        bytes.count > start && PNGImage.begins(bytes) && bytes[12..<16].elementsEqual("IHDR".utf8)
    }
}
