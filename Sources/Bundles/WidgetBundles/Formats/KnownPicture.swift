/// A format of pictures, recognised by a file's first bytes, independent of its name.
///
/// Tools that convert pictures keep their names, and most programs do not notice. Hosts do, so the author is shown the
/// name that fits.
package enum KnownPicture: String, CaseIterable, Sendable {
    case png = "PNG"
    case jpeg = "JPEG"
    case gif = "GIF"
    case heic = "HEIC"
    case webp = "WebP"
    // Formats that no bundle holds.
    case avif = "AVIF"
    case photoshop = "Photoshop"
    case tiff = "TIFF"
    case bitmap = "BMP"

    /// `nil` when no picture is recognised.
    init?(_ head: [UInt8]) {
        let found = KnownPicture.allCases.first { picture in
            picture.marks.contains { mark in mark.allSatisfy { head.holds($1, at: $0) } }
        }
        guard let found else { return nil }
        self = found
    }

    /// The first bytes of such files: for each form its texts by their offsets.
    private var marks: [[Int: [UInt8]]] {
        switch self {
        case .png: [[0: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]]]
        case .jpeg: [[0: [0xFF, 0xD8, 0xFF]]]
        case .gif: [[0: Array("GIF87a".utf8)], [0: Array("GIF89a".utf8)]]
        case .heic: ["heic", "heix", "mif1", "heim", "heis"].map { [4: Array("ftyp\($0)".utf8)] }
        case .webp: [[0: Array("RIFF".utf8), 8: Array("WEBP".utf8)]]
        case .avif: [[4: Array("ftypavif".utf8)]]
        case .photoshop: [[0: Array("8BPS".utf8)]]
        case .tiff: [[0: [0x49, 0x49, 0x2A, 0]], [0: [0x4D, 0x4D, 0, 0x2A]]]
        // A text could begin with these two letters; the reserved words of the header are zero in a picture.
        case .bitmap: [[0: Array("BM".utf8), 6: [0, 0, 0, 0]]]
        }
    }

    /// The kind of its files in a bundle; `nil` for a format that no bundle holds.
    var kind: ContentKind? {
        switch self {
        case .png: .png
        case .jpeg: .jpeg
        case .gif: .gif
        case .heic: .heic
        case .webp: .webp
        case .avif, .photoshop, .tiff, .bitmap: nil
        }
    }

    /// The extension of its files' names, if a bundle may hold it.
    var nameExtension: String? {
        switch self {
        case .png: "png"
        case .jpeg: "jpg"
        case .gif: "gif"
        case .heic: "heic"
        case .webp: "webp"
        case .avif, .photoshop, .tiff, .bitmap: nil
        }
    }
}

extension KnownPicture: CustomStringConvertible {
    /// The format with its article.
    package var description: String {
        switch self {
        case .heic, .avif: "an \(rawValue) picture"
        case .png, .jpeg, .gif, .webp, .photoshop, .tiff, .bitmap: "a \(rawValue) picture"
        }
    }
}

extension Array<UInt8> {
    fileprivate func holds(_ bytes: [UInt8], at index: Int) -> Bool {
        count >= index + bytes.count && self[index...].starts(with: bytes)
    }
}
