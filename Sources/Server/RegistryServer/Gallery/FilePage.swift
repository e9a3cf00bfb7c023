internal import RegistryContract
internal import WidgetBundles
internal import WidgetBytes
internal import WidgetHTTPServer
internal import WidgetMarkup
internal import WidgetRegistry

/// The page of one file of a release: text as it is, compiled interfaces and models as outlines, pictures as pictures.
struct FilePage: Sendable {
    /// The most bytes of a file that is read for its page, and of the text that the page shows.
    static let readLimit = 256 << 10
    private static let shownLimit = 48 << 10

    enum Content: Sendable {
        case text([UInt8])
        case outline([UInt8])
        /// A compiled file of a release that was not looked at.
        case unread
        case picture
        case other
    }

    let view: ReleaseView
    let file: BundleReport.Kept
    let content: Content

    static func address(_ bundle: String, _ key: String, _ path: String) -> String {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        return "\(PagePath.release(bundle, key))/files/"
            + segments.map { PercentEncoding.segment(String($0)) }.joined(separator: "/")
    }

    /// The part with the outline of the interface or model that a file belongs to.
    static func outline(of path: String, in parts: Set<String>) -> String? {
        parts.first { name in
            guard name.hasPrefix(ReleaseFacts.outlinePrefix) else { return false }
            let folder = name.dropFirst(ReleaseFacts.outlinePrefix.count)
            return path == folder || path.hasPrefix("\(folder)/")
        }
    }

    func bytes() -> [UInt8] {
        let (bundle, release) = (view.bundle, view.release)
        let source = PagePath.release(bundle.identifier, release.key)
        let download =
            "\(RegistryPath.release(bundle.identifier, release.key))/files/"
            + file.path.split(separator: "/").map { PercentEncoding.segment(String($0)) }.joined(separator: "/")
        var html = GalleryFrame.begin("\(file.path) in \(bundle.name) \(release.key)", .bundles)
        html.box(class: "stack") { html in
            html.crumbs([
                ("/", "Bundles"), (PagePath.bundle(bundle.identifier), bundle.identifier),
                ("\(source)#files", release.key),
            ])
            html.element(.h1, text: file.path)
            html.element(.p) {
                $0.set(.class, "soft")
            } content: { html in
                html.text("\(file.kind.rawValue), \(ByteCountText.of(file.byteCount)). ")
                html.link(download, "The file itself")
            }
        }
        html.section("Content", id: "content") { html in
            switch content {
            case .text(let bytes): FilePage.show(bytes, to: &html)
            case .outline(let bytes):
                html.paragraph("A compiled file; this is an outline of what it holds.", class: "soft")
                FilePage.show(bytes, to: &html)
            case .unread:
                html.paragraph(
                    "A compiled file. Outlines are made when a release is published; this one was published without. "
                        + "`widgetd stills` makes them, or says why it cannot.",
                    class: "soft")
            case .picture:
                html.element(.p) { html in
                    html.begin(.img) {
                        $0.set(.src, download)
                        $0.set(.alt, "The picture \(file.path)")
                        $0.set(.class, "picture")
                    }
                }
            case .other: html.paragraph("A page cannot show this file.", class: "soft")
            }
        }
        html.element(.p) {
            $0.set(.class, "small soft")
        } content: { html in
            html.text("SHA-256 ")
            html.code(file.digest.hex)
        }
        return GalleryFrame.end(&html)
    }

    private static func show(_ bytes: [UInt8], to html: inout HTMLWriter) {
        // Long lines are wrapped, so that no part of it has to be scrolled sideways.
        html.element(.pre) { $0.code(String(decoding: bytes.prefix(shownLimit), as: UTF8.self)) }
        if bytes.count > shownLimit {
            html.paragraph("These are the first \(ByteCountText.of(shownLimit)).", class: "soft")
        }
    }
}
