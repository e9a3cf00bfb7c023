internal import HTTPWire
internal import RegistryContract
internal import WidgetBytes
internal import WidgetHTTPServer
internal import WidgetMarkup
internal import WidgetRegistry

/// New releases as an Atom feed (RFC 4287), of all bundles or of one.
struct ReleaseFeed: Sendable {
    static let mediaType = "application/atom+xml; charset=utf-8"
    static let length = 30

    struct Entry: Sendable {
        let bundle: String
        let release: String
        let published: Int64
        let author: String
        let note: String?
    }

    let title: String
    /// The path of the feed, and that of the page that it is about.
    let path: String
    let page: String
    /// The address at which clients reach the server, before every path.
    let address: String
    let entries: [Entry]

    func resource(_ caching: Document.Caching) -> Resource {
        GalleryAnswer.resource(ReleaseFeed.mediaType, bytes(), caching, FieldBlock())
    }

    /// Text is escaped as on pages, which XML reads alike.
    func bytes() -> [UInt8] {
        var xml = HTMLWriter()
        xml.markup("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n")
        xml.element("<title>", title, "</title>\n")
        xml.element("<id>", address + path, "</id>\n")
        xml.element("<link rel=\"self\" href=\"", address + path, "\"/>\n")
        xml.element("<link href=\"", address + page, "\"/>\n")
        xml.element("<updated>", Timestamp.text(entries.map(\.published).max() ?? 0), "</updated>\n")
        for entry in entries {
            let link = address + PagePath.release(entry.bundle, entry.release)
            xml.element("<entry>\n<title>", "\(entry.bundle) \(entry.release)", "</title>\n")
            xml.element("<id>", link, "</id>\n")
            xml.element("<link href=\"", link, "\"/>\n")
            xml.element("<updated>", Timestamp.text(entry.published), "</updated>\n")
            xml.element("<author><name>", entry.author, "</name></author>\n")
            xml.element("<summary>", entry.note ?? "\(entry.release) was published.", "</summary>\n</entry>\n")
        }
        xml.markup("</feed>\n")
        return xml.bytes
    }
}
