internal import Bytes
package import HTTPServer
package import HTTPWire
package import WidgetLive
package import WidgetRender

/// Live pages as HTTP sees them: the routes of one source of widgets.
package final class PageService: Sendable {
    private let desk: LiveDesk
    private let source: any LiveSource
    private let hosts: PageHosts
    private let options: PageOptions
    private let stills = Guarded(Stills())

    /// - Parameter options: the reader of all pages.
    package init(_ desk: LiveDesk, _ source: any LiveSource, hosts: PageHosts, options: PageOptions) {
        self.desk = desk
        self.source = source
        self.hosts = hosts
        self.options = options
    }

    /// All routes.
    package func routes() -> Routes {
        var routes = Routes()
        routes.get("/", still)
        let viewings = ViewingRoutes(desk, hosts: hosts, begin: PageAddress.live) { [self] in firstPage().names }
        routes.on(.post, "/live") { [self] request in
            viewings.open(request) { [self] client, former throws(LiveRefusal) in
                try await desk.open(source, from: client, after: former, begin: PageAddress.live) { [options] in
                    ViewingRoutes.place($0, begin: PageAddress.live, options)
                }
            }
        }
        viewings.add(to: &routes)
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

    /// `GET /`
    private func still(_ request: borrowing Request) -> Answer {
        if let refusal = hosts.refusal(request) { return refusal }
        return .resource(firstPage().page)
    }

    private func firstPage() -> Stills.Still {
        let program = source.program
        if let known = stills.withLock({ $0.still(of: program) }) {
            desk.files.add(known.files)
            return known
        }
        var options = options
        options.pictureFolder = PageAddress.assets
        options.live = LiveFrame(
            .still(post: PageAddress.live, title: PageText.run, beginsInView: true), script: ViewingRoutes.script)
        let view = source.still()
        let rules = PagePrinter(program.planned, options).page(view, program.assets)
        let sheet = Array(ViewingSheet.text(options, for: [rules]).utf8)
        // Its name says what is in it, so that those of two programs do not mix.
        let sheetName = "\(PageFiles.digest(of: sheet)).css"
        options.sheets = ViewingRoutes.sheets + [program.planned.sheet.file, sheetName].map { PageAddress.assets + $0 }
        let page = PagePrinter(program.planned, options).page(view, program.assets)
        var files = page.pictures
        files[sheetName] = sheet
        files[program.planned.sheet.file] = program.planned.sheet.bytes
        let still = Stills.Still(
            program: program, page: PageAnswer.document(PageAnswer.html, page.html, .never), files: files,
            names: Stills.names(in: view))
        desk.files.add(files)
        // The view may be that of a program that has come since.
        let isCurrent = source.program.planned === program.planned
        stills.withLock { $0.add(still, isCurrent: isCurrent) }
        return still
    }
}
