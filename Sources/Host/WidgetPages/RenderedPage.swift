internal import WidgetHosting
internal import WidgetRender
internal import WidgetRunning

/// A page, with the files that it refers to.
public struct RenderedPage: Sendable {
    /// The title for people.
    public let title: String
    /// The whole page.
    public let html: String
    /// The number of what the page shows, to come back to it with ``WidgetPage/changes(since:)``.
    public let view: Int
    /// The sheets and pictures. All but `screen.css` have names that say what is in them, and never change.
    public let files: [PageFile]
    /// Sentences about pictures that the page cannot show.
    public let remarks: [String]
}

/// A file of a page: a sheet, a picture or the script.
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
            case "js": "text/javascript; charset=utf-8"
            case "png": "image/png"
            case "jpg": "image/jpeg"
            case "gif": "image/gif"
            case "webp": "image/webp"
            case "wasm": "application/wasm"
            default: "application/octet-stream"
            }
    }
}

/// A file that a person has picked on a page.
public struct PickedFile: Hashable, Sendable {
    /// The name of the field.
    public var field: String
    /// The name of the file.
    public var name: String
    /// Such as `image/png`.
    public var mediaType: String
    /// The content.
    public var bytes: [UInt8]

    /// A file as the browser has posted it.
    public init(field: String, name: String, mediaType: String, bytes: [UInt8]) {
        self.field = field
        self.name = name
        self.mediaType = mediaType
        self.bytes = bytes
    }
}

/// The changes of a page since a view.
public struct PageChanges: Hashable, Sendable {
    /// The operations as one line of JSON, which docs/live.md describes. The script of ``WidgetSite`` carries them out.
    public let json: String
    /// The number of what the page shows after them.
    public let view: Int
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
