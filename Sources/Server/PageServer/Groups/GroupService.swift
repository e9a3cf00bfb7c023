internal import Addresses
internal import Bytes
package import HTTPServer
internal import HTTPWire
internal import WidgetCore
internal import WidgetLayout
package import WidgetLive
package import WidgetRender

/// Pages with several widgets as HTTP sees them: the routes of a host.
package final class GroupService: Sendable {
    private let desk: LiveDesk
    private let source: any GroupSource
    private let pages: GroupPages
    private let hosts: PageHosts
    private let options: PageOptions
    private let viewings: ViewingRoutes

    /// - Parameters:
    ///   - pages: the markup of the pages.
    ///   - options: the reader of all pages.
    package init(
        _ desk: LiveDesk, _ source: any GroupSource, _ pages: GroupPages, hosts: PageHosts, options: PageOptions
    ) {
        self.desk = desk
        self.source = source
        self.pages = pages
        self.hosts = hosts
        self.options = options
        viewings = ViewingRoutes(desk, hosts: hosts, begin: PageAddress.live)
    }

    /// - Parameter widgets: the routes of widgets by their identifiers.
    package func routes(_ widgets: WidgetRoutes) -> Routes {
        var routes = Routes()
        routes.get("/", first)
        routes.on(.post, "/live") { [self] request in
            viewings.open(request) { [self] client, former throws(LiveRefusal) in try await open(client, former) }
        }
        viewings.add(to: &routes)
        routes.on(.post, "/live/{viewing}/host", act)
        for (name, file) in files { viewings.share(name, file) }
        widgets.add(to: &routes, viewings, hosts)
        routes.get("/favicon.ico") { [hosts] request in hosts.refusal(request) ?? PageAnswer.nothing() }
        return routes
    }

    /// The files that all pages of a host share.
    private var files: [(String, Resource)] {
        [
            (pages.sheet.fileName, PageAnswer.document(PageAnswer.css, pages.sheet.bytes, .forever)),
            (
                GroupScript.fileName,
                PageAnswer.document("text/javascript; charset=utf-8", GroupScript.bytes, .forever)
            ),
        ]
    }

    private func open(_ client: String, _ former: String?) async throws(LiveRefusal) -> PageGroup {
        try await desk.open(from: client, after: former, begin: PageAddress.live) { name, _, notify in
            let page = PageAddress.viewing(name)
            let group = PageGroup(
                name, of: source, pages, at: page, desk,
                place: { [options] slot in GroupService.place(slot, on: page, options) }, notify)
            await group.begin()
            return group
        }
    }

    /// The place of a widget on a page. A scaled one is laid out as on a phone of the slot's proportions.
    private static func place(_ slot: GroupSlot, on page: String, _ options: PageOptions) -> LivePlace {
        var options = options
        options.letter = slot.letter
        options.sheets = ViewingRoutes.sheets
        let (width, height) = (slot.size.width, slot.size.height)
        let shown = slot.isScaled ? GroupSheet.phoneWidth : width
        // The status bar is the page's, if it has one.
        options.viewport.safeArea = .zero
        options.viewport.size = .init(width: Double(shown), height: Double(shown * height / max(width, 1)))
        var place = LivePlace(
            options, address: PageAddress.part(slot.letter, at: page), begin: PageAddress.live,
            assets: PageAddress.assets, script: nil)
        place.heading = slot.heading
        return place
    }

    /// `GET /`: leads to a page. The widgets run already, so a page costs no more than what it shows.
    private func first(_ request: borrowing Request) -> Answer {
        if let refusal = hosts.refusalOfFirst(request) { return refusal }
        let client = "\(request.client.client)"
        return .later { [self] responder in
            LiveThreads.begin { [self] in
                do throws(LiveRefusal) {
                    responder.answer(PageAnswer.go(to: PageAddress.viewing(try await open(client, nil).name)))
                } catch {
                    responder.answer(viewings.refusal(error, of: nil))
                }
            }
        }
    }

    /// `POST /live/{viewing}/host`: an act on slots. It counts for every page of the host.
    private func act(_ request: borrowing Request, _ name: String) -> Answer {
        viewings.form(request) { [self] form in
            guard let act = GroupAct(form) else {
                return PageAnswer.sentence(.badRequest, PageText.unreadable, PageText.unknownAct)
            }
            guard let viewing = desk.viewing(name) else { return viewings.refusal(.over, of: name) }
            return .later { [self] responder in
                LiveThreads.begin { [self] in
                    viewing.use.touch()
                    await source.act(act)
                    responder.answer(PageAnswer.go(to: PageAddress.viewing(name, act.letter)))
                }
            }
        }
    }
}
