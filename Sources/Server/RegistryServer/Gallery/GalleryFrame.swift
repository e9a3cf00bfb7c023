internal import RegistryContract
internal import WidgetBytes
internal import WidgetHTTPServer
internal import WidgetMarkup

/// The frame of every page of the registry: head, bar, main part and foot.
enum GalleryFrame {
    static let mediaType = "text/html; charset=utf-8"

    /// The item of the bar that a page belongs to.
    enum Section: Sendable {
        case bundles, interface, problems, documents, manage, other
    }

    struct Options {
        var scripts: [String] = []
        /// Those that are modules of JavaScript.
        var modules: [String] = []
        /// True for a page without a bar and a foot.
        var isBare = false
        /// The address and the title of the feed about the subject of the page.
        var feed: (address: String, title: String)?
        var next: String?
        /// True for pages that search engines should not list.
        var isPersonal = false
        /// The name of the token of the person who has signed in.
        var person: String?
    }

    private static let sections: [(Section, path: String, title: String)] = [
        (.bundles, "/", "Bundles"), (.interface, "/api", "Interface"), (.problems, "/problems/", "Problems"),
        (.documents, ManualPages.path, "Documents"), (.manage, "/manage", "Manage"),
    ]

    /// Opens a page and its main part. ``end(_:)`` closes them.
    ///
    /// Addresses of this server begin at the top of its host; ``GalleryAnswer`` puts the path before them, below which
    /// clients see it.
    static func begin(_ title: String, _ section: Section, _ options: Options = Options()) -> HTMLWriter {
        var html = HTMLWriter(reservingBytes: 16 << 10, addressMark: RootPath.mark)
        html.markup("<!DOCTYPE html>\n")
        html.begin(.html) { $0.set(.lang, "en") }
        html.element(.head) { html in
            html.begin(.meta) { $0.set(.charset, "utf-8") }
            html.begin(.meta) {
                $0.set(.name, "viewport")
                $0.set(.content, "width=device-width, initial-scale=1")
            }
            html.begin(.meta) {
                $0.set(.name, "color-scheme")
                $0.set(.content, "light dark")
            }
            if options.isPersonal {
                html.begin(.meta) {
                    $0.set(.name, "robots")
                    $0.set(.content, "noindex")
                }
            }
            html.element(.title, text: section == .bundles && title == siteName ? title : "\(title) · \(siteName)")
            html.begin(.link) {
                $0.set(.rel, "icon")
                $0.set(.type, "image/svg+xml")
                $0.set(.href, GalleryAssets.shared.icon)
            }
            html.begin(.link) {
                $0.set(.rel, "stylesheet")
                $0.set(.href, GalleryAssets.shared.sheet)
            }
            if let feed = options.feed {
                html.begin(.link) {
                    $0.set(.rel, "alternate")
                    $0.set(.type, "application/atom+xml")
                    $0.set(.title, feed.title)
                    $0.set(.href, feed.address)
                }
            }
            if let next = options.next {
                html.begin(.link) {
                    $0.set(.rel, "next")
                    $0.set(.href, next)
                }
            }
            for script in options.scripts {
                html.markup("<script src=\"")
                html.address(script)
                html.markup("\" defer></script>")
            }
            for module in options.modules {
                html.markup("<script type=\"module\" src=\"")
                html.address(module)
                html.markup("\"></script>")
            }
        }
        html.begin(.body) { $0.set(.class, options.isBare ? "bare" : nil) }
        if options.isBare {
            html.begin(.main) { $0.set(.id, "main") }
            return html
        }
        html.markup("<a class=\"skip\" href=\"#main\">Skip to the content</a>\n")
        bar(section, options.person, to: &html)
        html.begin(.main) { $0.set(.id, "main") }
        return html
    }

    static let siteName = "Widget registry"

    private static func bar(_ section: Section, _ person: String?, to html: inout HTMLWriter) {
        html.element(.header) {
            $0.set(.class, "bar")
        } content: { html in
            html.element(.div) {
                $0.set(.class, "top")
            } content: { html in
                html.link("/", siteName)
                html.element(.nav) {
                    $0.set(.label, "Main")
                } content: { html in
                    html.element(.ul) { html in
                        for (item, path, title) in sections {
                            html.element(.li) { html in
                                html.element(.a, text: title) {
                                    $0.set(.href, path)
                                    if item == section { $0.set(.current, path == "/" ? "true" : "page") }
                                }
                            }
                        }
                    }
                }
                if let person { identity(person, to: &html) }
            }
        }
    }

    /// A finished page whose bar names a person; `nil` for what is not such a page, or names one already.
    ///
    /// - Parameter root: the path below which clients see the server; `nil` where marks for it stay in the page.
    static func naming(_ person: String, in page: [UInt8], below root: String?) -> [UInt8]? {
        // Texts of others come behind the bar, and have no marks.
        let bar = page.prefix(barByteLimit)
        guard let end = bar.firstRange(of: Array(barEnd.utf8)), bar.firstRange(of: Array(identityStart.utf8)) == nil
        else {
            return nil
        }
        var html = HTMLWriter(reservingBytes: 512, addressMark: RootPath.mark)
        identity(person, to: &html)
        let identity = html.finish()
        let filled = root.map { RootPath.filled(identity, $0) } ?? identity
        return page[..<end.lowerBound] + filled + page[end.lowerBound...]
    }

    private static let barByteLimit = 16 << 10
    private static let barEnd = "</div></header>"
    private static let identityStart = "<div class=\"identity\">"

    /// The token that is signed in, and the way out.
    private static func identity(_ person: String, to html: inout HTMLWriter) {
        html.box(class: "identity") { html in
            html.element(.span) { html in
                html.text("Token ")
                html.element(.strong, text: person)
            }
            ManageForm.button("/sign-out", "Sign out", [], class: "quiet", to: &html)
        }
    }

    /// Closes the page.
    ///
    /// - Parameter isBare: true for one that was begun so.
    static func end(_ html: inout HTMLWriter, isBare: Bool = false) -> [UInt8] {
        html.end()
        if isBare { return html.finish() }
        html.element(.footer) {
            $0.set(.class, "foot")
        } content: { html in
            html.element(.ul) { html in
                for (path, title) in [
                    ("/api", "Interface"), ("/openapi.json", "OpenAPI document"), ("/problems/", "Problems"),
                    (ManualPages.path, "Documents"),
                    ("/.well-known/widget-registry", "Limits and policy"), ("/feed.atom", "New releases (Atom)"),
                ] {
                    html.element(.li) { $0.link(path, title) }
                }
            }
        }
        return html.finish()
    }
}
