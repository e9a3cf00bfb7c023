internal import WidgetRender
internal import WidgetRunning

/// A page, with the files that it refers to.
public struct RenderedPage: Sendable {
    /// The title for people; empty if the screen has none.
    public let title: String
    /// The whole page.
    public let html: String
    /// The sheets and pictures. All but `screen.css` have names that say what is in them, and never change.
    public let files: [PageFile]
    /// Sentences about pictures that the page cannot show.
    public let remarks: [String]

    /// The part of the page between `<body>` and `</body>`, to be put into another page beside the sheets.
    public var body: String {
        guard let start = html.firstRange(of: "<body>"), let end = html.firstRange(of: "</body>") else { return html }
        return String(html[start.upperBound..<end.lowerBound])
    }
}

/// A file of a page: a sheet or a picture.
public struct PageFile: Hashable, Sendable {
    /// Its name beside the page, or in `WidgetPageOptions.folder`.
    public let name: String
    /// Such as `text/css`.
    public let mediaType: String
    /// The content.
    public let bytes: [UInt8]

    init(_ name: String, _ bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
        mediaType =
            switch name.split(separator: ".").last {
            case "css": "text/css; charset=utf-8"
            case "png": "image/png"
            case "jpg": "image/jpeg"
            case "gif": "image/gif"
            case "webp": "image/webp"
            default: "application/octet-stream"
            }
    }
}

/// The changes of a page since it was sent.
public struct PageChanges: Hashable, Sendable {
    /// The operations as one line of JSON, which docs/live.md describes; a script of the server carries them out.
    public let json: String
    /// True if the page has to be rendered anew, because there is nothing that changes would begin with.
    public let isWhole: Bool
    /// Pictures that the operations name.
    public let files: [PageFile]
}

/// The pictures of a bundle, for pages.
struct SessionPictures: ViewAssets {
    private let pictures: BundlePictures?

    init(_ pictures: BundlePictures?) { self.pictures = pictures }

    func image(_ name: String, scale: Int, isDark: Bool) -> PictureAnswer {
        switch pictures?.picture(name, scale: scale, isDark: isDark) ?? .missing {
        case .missing: return .missing
        case .unusable(let reason): return .unusable(reason)
        case .file(let file):
            guard let kind = PictureKind(rawValue: file.kind.rawValue) else { return .unusable("its kind is unknown") }
            return .file(PictureFile(file.bytes, kind, width: file.width, height: file.height, scale: file.scale))
        }
    }
}
