internal import Bytes
internal import Markup
internal import WidgetCore

/// A picture of a page: a file named by its bytes, and its size in points.
struct PagePicture: Equatable {
    let file: String
    let width: Int
    let height: Int

    func set(_ attributes: inout HTMLAttributes, _ folder: String, alt: String) {
        attributes.set(.src, folder + file)
        attributes.set(.alt, alt)
        attributes.set(.width, "\(width)")
        attributes.set(.height, "\(height)")
    }
}

/// The pictures of one page. A name of a bundle's is never a part of a path: files are named by their digests and
/// typed from their bytes.
struct PagePictures {
    private(set) var files: [String: [UInt8]] = [:]
    private(set) var remarks: [String] = []
    private var found: [String: PagePicture?] = [:]
    private let find: (String) -> PictureAnswer

    /// The most different pictures of one page, and the bytes of all together.
    static let countLimit = 500
    static let byteLimit = 64 << 20
    private var byteCount = 0

    init(_ assets: some ViewAssets, scale: Int) {
        find = { assets.image($0, scale: scale) }
    }

    /// - Returns: `nil` for a picture that the bundle does not have or a page cannot show.
    mutating func picture(_ name: String) -> PagePicture? {
        if let known = found[name] { return known }
        let picture = load(name)
        found[name] = .some(picture)
        return picture
    }

    private mutating func load(_ name: String) -> PagePicture? {
        guard found.count < PagePictures.countLimit else {
            remark(name, "the page has \(PagePictures.countLimit) others")
            return nil
        }
        switch find(name) {
        case .missing: return nil
        case .unusable(let reason):
            remark(name, reason)
            return nil
        case .file(let file): return keep(file, name)
        }
    }

    private mutating func keep(_ file: PictureFile, _ name: String) -> PagePicture? {
        guard let head = PictureHead(file.bytes) else {
            remark(name, "it is not PNG, JPEG, GIF or WebP")
            return nil
        }
        guard head.width * head.height <= PictureHead.pixelLimit else {
            remark(name, "it has more than \(PictureHead.pixelLimit) pixels")
            return nil
        }
        guard byteCount + file.bytes.count <= PagePictures.byteLimit else {
            remark(name, "the page's pictures have more than \(ByteCountText.of(PagePictures.byteLimit))")
            return nil
        }
        let fileName = "\(PageFiles.digest(of: file.bytes)).\(head.ending)"
        if files.updateValue(file.bytes, forKey: fileName) == nil { byteCount += file.bytes.count }
        let scale = file.scale > 0 ? file.scale : 1
        return PagePicture(
            file: fileName, width: max(1, Int((Double(head.width) / scale).rounded())),
            height: max(1, Int((Double(head.height) / scale).rounded())))
    }

    private mutating func remark(_ name: String, _ reason: String) {
        guard remarks.count < PagePictures.countLimit else { return }
        remarks.append("the picture \(ShownText.name(name)) is not shown: \(reason)")
    }
}

/// The kind and the size of a picture, read from its first bytes.
package struct PictureHead: Equatable, Sendable {
    package let ending: String
    package let width: Int
    package let height: Int

    /// The most pixels of a picture on a page: as many as a large camera has.
    package static let pixelLimit = 16 << 20

    /// - Returns: `nil` for other kinds of files, drawings of SVG and PNGs of Apple's own kind among them.
    package init?(_ bytes: [UInt8]) {
        let size: (Int, Int)?
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            // IHDR comes first; files of Xcode's begin with another chunk.
            guard bytes.count >= 24, bytes[12..<16].elementsEqual("IHDR".utf8) else { return nil }
            ending = "png"
            size = (PictureHead.big(bytes, 16, 4), PictureHead.big(bytes, 20, 4))
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            ending = "jpg"
            size = PictureHead.jpeg(bytes)
        } else if bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8) {
            guard bytes.count >= 10 else { return nil }
            ending = "gif"
            size = (Int(bytes[6]) | Int(bytes[7]) << 8, Int(bytes[8]) | Int(bytes[9]) << 8)
        } else if bytes.starts(with: "RIFF".utf8), bytes.count >= 30, bytes[8..<12].elementsEqual("WEBP".utf8) {
            ending = "webp"
            size = PictureHead.webp(bytes)
        } else {
            return nil
        }
        guard let size, size.0 > 0, size.1 > 0, size.0 <= 1 << 16, size.1 <= 1 << 16 else { return nil }
        (width, height) = size
    }

    private static func big(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int {
        bytes[start..<start + count].reduce(0) { $0 << 8 | Int($1) }
    }

    /// Follows the segments of a JPEG to the one with the size of its frame.
    private static func jpeg(_ bytes: [UInt8]) -> (Int, Int)? {
        var place = 2
        while place + 9 < bytes.count, bytes[place] == 0xFF {
            switch bytes[place + 1] {
            case 0xFF: place += 1
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                return (big(bytes, place + 7, 2), big(bytes, place + 5, 2))
            case 0x01, 0xD0...0xD8: place += 2
            default: place += 2 + max(2, big(bytes, place + 2, 2))
            }
        }
        return nil
    }

    private static func webp(_ bytes: [UInt8]) -> (Int, Int)? {
        func little(_ start: Int, _ count: Int) -> Int {
            bytes[start..<start + count].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        if bytes[12..<16].elementsEqual("VP8X".utf8) { return (little(24, 3) + 1, little(27, 3) + 1) }
        if bytes[12..<16].elementsEqual("VP8 ".utf8) { return (little(26, 2) & 0x3FFF, little(28, 2) & 0x3FFF) }
        guard bytes[12..<16].elementsEqual("VP8L".utf8) else { return nil }
        let bits = little(21, 4)
        return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
    }
}
