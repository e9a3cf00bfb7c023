internal import HTTPServer
internal import HTTPWire
internal import Markup
internal import RegistryContract

/// The addresses of versions before 0.3, by which the registry ran widgets itself: pages that are still open somewhere, and
/// forms of pages of an older replica, hear what has become of them.
struct FormerPages {
    func add(to routes: inout Routes) {
        for method in [Method.get, .post] {
            routes.on(method, "/live/{page}") { (_, _: String) in FormerPages.ended() }
            routes.on(method, "/live/{page}/{part}") { (_, _: String, _: String) in FormerPages.ended() }
            routes.on(method, "/live/{page}/{part}/{file}") { (_, _: String, _: String, _: String) in
                FormerPages.ended()
            }
            routes.on(method, "/w/{id}/{key}/run") { (_, bundle: BundleIdentifier, release: ReleaseKey) in
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
                html.text("Open the page of its release again, and press ")
                html.element(.strong, text: "Run")
                html.text(" there. What was typed here is sent nowhere. ")
                html.link(page ?? "/", page == nil ? "All bundles" : "The page of the release")
            }
        }
        return GalleryAnswer.response(GalleryFrame.end(&html), .gone)
    }
}
