package import HTTPWire
internal import WidgetBytes
internal import WidgetCore
package import WidgetHTTPServer
package import WidgetLive
internal import WidgetRender

/// The pages of a server: those of one widget, or pages with several.
package protocol ServedPages: Sendable {
    /// The files that all of them share, by their names.
    var files: [(String, Resource)] { get }

    /// Names of fields for people, by their keys; they label texts that cannot be taken.
    var labels: [String: String] { get }

    /// The language and region of their readers.
    var locale: String { get }

    /// `GET /`
    func first(_ request: borrowing Request, _ desk: LiveDesk, _ routes: LiveRoutes) -> Answer

    /// Makes pages for the reader whom the address of a request names, and opens its link.
    func opening(_ request: borrowing Request) -> PageOpening
}

/// Makes a page for a client, in the place of another one.
package typealias PageOpening =
    @Sendable (
        _ desk: LiveDesk, _ client: String, _ former: String?
    ) async throws(LiveRefusal) -> LivePage

/// Live pages as HTTP sees them: all routes of a server of one kind of page.
package final class PageService: Sendable {
    private let desk: LiveDesk
    private let pages: any ServedPages
    private let hosts: PageHosts

    package init(_ desk: LiveDesk, _ pages: any ServedPages, hosts: PageHosts) {
        self.desk = desk
        self.pages = pages
        self.hosts = hosts
    }

    /// - Parameter widgets: the routes of widgets by their identifiers, of pages that have them.
    package func routes(_ widgets: WidgetRoutes? = nil) -> Routes {
        var routes = Routes()
        let live = LiveRoutes(desk, hosts: hosts, begin: PageAddress.live, words: SystemWords(pages.locale)) {
            [pages] in pages.labels
        }
        routes.get("/") { [desk, pages] request in pages.first(request, desk, live) }
        routes.on(.post, "/live") { [desk, pages] request in
            let open = pages.opening(request)
            return live.open(request) { client, former throws(LiveRefusal) in try await open(desk, client, former) }
        }
        live.add(to: &routes)
        for (name, file) in pages.files { live.share(name, file) }
        widgets?.add(to: &routes, live, hosts)
        // Browsers ask for it unasked, and report an answer that has none as a fault of the page.
        routes.get("/favicon.ico") { [hosts] request in hosts.refusal(request) ?? PageAnswer.nothing() }
        return routes
    }

    /// The problem by which the server explains one of its refusals.
    package static func problem(_ refusal: Refusal) -> Problem {
        var problem = Problem(
            code: "request", title: "The request was refused", status: refusal.status,
            detail: refusal.status.reason)
        problem.fields = FieldBlock([
            "Content-Security-Policy": LiveFrame.policy, "Referrer-Policy": PageAnswer.referrers,
            "Cross-Origin-Resource-Policy": "same-origin",
        ])
        return problem
    }
}
