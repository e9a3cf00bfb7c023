internal import HTTPWire
internal import RegistryContract
internal import WidgetHTTPServer
internal import WidgetMarkup

/// The addresses of versions before 0.2, by which the registry ran widgets itself: pages that are still open somewhere, and
/// forms of pages of an older replica, hear what has become of them.
struct FormerPages {
    private static let methods = [Method.get, .post]
    private static let paths = [
        "/live/{page}", "/live/{page}/{part}", "/live/{page}/{part}/{file}", "/w/{id}/{key}/run",
    ]

    /// The routes, which are for pages that are still open and do not belong to the interface.
    static let templates = methods.flatMap { method in paths.map { "\(method.name) \($0)" } }

    func add(to routes: inout Routes) {
        for method in FormerPages.methods {
            routes.on(method, FormerPages.paths[0]) { (_, _: String) in FormerPages.ended() }
            routes.on(method, FormerPages.paths[1]) { (_, _: String, _: String) in FormerPages.ended() }
            routes.on(method, FormerPages.paths[2]) { (_, _: String, _: String, _: String) in FormerPages.ended() }
            routes.on(method, FormerPages.paths[3]) { (_, bundle: BundleIdentifier, release: ReleaseKey) in
                FormerPages.ended(PagePath.release(bundle.text, release.text))
            }
        }
    }

    static let sentence = "Widgets run in your browser now, and no longer on this server."

    /// - Parameter page: the page on which it runs now; `nil` where that is unknown.
    private static func ended(_ page: String? = nil) -> Answer {
        var html = GalleryFrame.begin(sentence, .other)
        html.box(class: "stack") { html in
            html.element(.h1, text: sentence)
            html.text(" ")
            html.element(.p) { html in
                html.text(
                    "Open the page of its release again: it has Run where this registry lets browsers run widgets, and a still "
                        + "elsewhere. What was typed here is sent nowhere. ")
                html.link(page ?? "/", page == nil ? "All bundles" : "The page of the release")
            }
        }
        return GalleryAnswer.response(GalleryFrame.end(&html), .gone)
    }
}
