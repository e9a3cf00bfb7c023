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
    /// Rules for pictures that are painted in one colour or lie behind something, by their classes.
    private(set) var rules: [String: String] = [:]
    private var found: [String: PagePicture?] = [:]
    private let find: (String) -> PictureAnswer

    /// The most different pictures of one page, and the bytes of all together.
    static let countLimit = 500
    static let byteLimit = 64 << 20
    /// The most pixels of a picture: as many as a large camera has.
    static let pixelLimit = 16 << 20
    private static let sideLimit = 1 << 16
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

    /// The class of an element that shows a picture's shape in the colour of text. Without the rule, the picture itself
    /// is seen.
    mutating func shape(_ picture: PagePicture, in folder: String) -> String {
        let name = "m\(picture.file.prefix(PagePictures.nameLength))"
        rules[name] =
            ".\(name){background:currentColor;mask:url(\(folder)\(picture.file)) center/contain no-repeat}"
            + ".\(name)>img{opacity:0}"
        return name
    }

    /// The class of an element with a picture behind its content.
    mutating func ground(_ picture: PagePicture, in folder: String) -> String {
        let name = "g\(picture.file.prefix(PagePictures.nameLength))"
        rules[name] = ".\(name){background:url(\(folder)\(picture.file)) center/100% 100% no-repeat}"
        return name
    }

    private static let nameLength = 12

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
        let sides = 1...PagePictures.sideLimit
        guard sides ~= file.width, sides ~= file.height, file.width * file.height <= PagePictures.pixelLimit else {
            remark(name, "it has more than \(PagePictures.pixelLimit) pixels, or a side of none")
            return nil
        }
        guard byteCount + file.bytes.count <= PagePictures.byteLimit else {
            remark(name, "the page's pictures have more than \(ByteCountText.of(PagePictures.byteLimit))")
            return nil
        }
        let fileName = "\(PageFiles.digest(of: file.bytes)).\(file.kind.rawValue)"
        if files.updateValue(file.bytes, forKey: fileName) == nil { byteCount += file.bytes.count }
        let scale = file.scale > 0 ? file.scale : 1
        return PagePicture(
            file: fileName, width: max(1, Int((Double(file.width) / scale).rounded())),
            height: max(1, Int((Double(file.height) / scale).rounded())))
    }

    private mutating func remark(_ name: String, _ reason: String) {
        guard remarks.count < PagePictures.countLimit else { return }
        remarks.append("the picture \(ShownText.name(name)) is not shown: \(reason)")
    }
}
