internal import WidgetBytes
internal import WidgetCore
internal import WidgetLayout
internal import WidgetMarkup

/// A picture of a page: a file named by its bytes, and its size in points.
struct PagePicture: Equatable {
    let file: String
    let width: Int
    let height: Int
    /// The file for a dark scheme, of a picture that has another one there.
    var dark: String?

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
    private let find: (_ name: String, _ isDark: Bool) -> PictureAnswer
    /// `nil` for a page that follows the reader's system.
    private let scheme: Viewport.Scheme?

    /// The most different pictures of one page, and the bytes of all together.
    static let countLimit = 500
    static let byteLimit = 64 << 20
    /// The most pixels of a picture: as many as a large camera has.
    static let pixelLimit = 16 << 20
    /// The pixels of all together, which a browser unpacks.
    static let allPixelLimit = 64 << 20
    private static let sideLimit = 1 << 16
    private var names: Set<String> = []
    private var byteCount = 0
    private var pixelCount = 0

    private let images: [String: ImageInfo]

    /// - Parameter images: says which pictures have another one for dark schemes.
    init(_ assets: some ViewAssets, scale: Int, scheme: Viewport.Scheme?, of images: [String: ImageInfo]?) {
        self.scheme = scheme
        self.images = images ?? [:]
        find = { assets.image($0, scale: scale, isDark: $1) }
    }

    /// - Returns: `nil` for a picture that the bundle does not have or a page cannot show.
    mutating func picture(_ name: String) -> PagePicture? {
        if let known = found[name] { return known }
        let picture = load(name)
        found[name] = .some(picture)
        return picture
    }

    /// A picture of the network, whose file is kept elsewhere.
    ///
    /// - Returns: `nil` for one that the page cannot show.
    mutating func picture(at address: String, _ fetched: NetworkPicture) -> PagePicture? {
        switch fetched {
        case .awaited: return nil
        case .failed(let reason):
            remark(address, reason)
            return nil
        case .file(let name, let width, let height):
            // The name says what kind it is.
            var file = PictureFile([], .png, width: width, height: height, scale: 1)
            file.keptName = name
            return keep(file, address)
        }
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
    ///
    /// - Parameter isPressed: true for one that is seen only while the element is pressed.
    mutating func ground(_ picture: PagePicture, in folder: String, isPressed: Bool = false) -> String {
        let name = "\(isPressed ? "h" : "g")\(picture.file.prefix(PagePictures.nameLength))"
        let selector = isPressed ? ".\(name):active" : ".\(name)"
        func rule(_ file: String) -> String {
            "\(selector){background:url(\(folder)\(file)) center/100% 100% no-repeat}"
        }
        rules[name] =
            rule(picture.file) + (picture.dark.map { "@media (prefers-color-scheme:dark){\(rule($0))}" } ?? "")
        return name
    }

    /// The class of an empty place that is as large as a picture.
    mutating func room(of size: Size) -> String {
        let (width, height) = (PagePictures.side(size.width), PagePictures.side(size.height))
        let name = "n\(width)x\(height)"
        // As a picture's own size, it gives way to every other rule.
        rules[name] = ":where(.\(name)){width:\(width)px;height:\(height)px}"
        return name
    }

    /// A side in whole points.
    private static func side(_ length: Double) -> Int { Int(min(max(length.rounded(), 1), Double(sideLimit))) }

    private static let nameLength = 12

    private mutating func load(_ name: String) -> PagePicture? {
        guard found.count < PagePictures.countLimit else {
            remark(name, "the page has \(PagePictures.countLimit) others")
            return nil
        }
        switch find(name, scheme == .dark) {
        case .missing: return nil
        case .unusable(let reason):
            remark(name, reason)
            return nil
        case .file(let file):
            guard var picture = keep(file, name) else { return nil }
            // A page that follows the system has both.
            if scheme == nil, images[name]?.hasDarkVariant ?? false, case .file(let other) = find(name, true) {
                picture.dark = keep(other, name)?.file
            }
            return picture
        }
    }

    private mutating func keep(_ file: PictureFile, _ name: String) -> PagePicture? {
        let sides = 1...PagePictures.sideLimit
        guard sides ~= file.width, sides ~= file.height, file.width * file.height <= PagePictures.pixelLimit else {
            remark(name, "it has more than \(PagePictures.pixelLimit) pixels, or a side of none")
            return nil
        }
        let fileName = file.keptName ?? PageFiles.picture(file.bytes, file.kind.rawValue)
        if !names.contains(fileName) {
            let pixels = file.width * file.height
            guard pixelCount + pixels <= PagePictures.allPixelLimit else {
                remark(name, "the page's pictures have more than \(PagePictures.allPixelLimit) pixels")
                return nil
            }
            guard byteCount + file.bytes.count <= PagePictures.byteLimit else {
                remark(name, "the page's pictures have more than \(ByteCountText.of(PagePictures.byteLimit))")
                return nil
            }
            names.insert(fileName)
            byteCount += file.bytes.count
            pixelCount += pixels
        }
        if file.keptName == nil { files[fileName] = file.bytes }
        let scale = file.scale > 0 ? file.scale : 1
        return PagePicture(
            file: fileName, width: PagePictures.side(Double(file.width) / scale),
            height: PagePictures.side(Double(file.height) / scale))
    }

    private mutating func remark(_ name: String, _ reason: String) {
        guard remarks.count < PagePictures.countLimit else { return }
        let remark = "the picture \(ShownText.name(name)) is not shown: \(reason)"
        // Several elements may show one picture of the network.
        if remarks.last != remark { remarks.append(remark) }
    }
}
