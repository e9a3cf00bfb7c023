internal import WidgetBytes
internal import WidgetContract
internal import WidgetCore
package import WidgetHTTPServer
package import WidgetLive
internal import WidgetMarkup
package import WidgetRender

/// The pages of one widget: the first screen and *Run*, and a page for each press of it.
package final class OnePages: ServedPages {
    let source: any LiveSource
    private let options: PageOptions
    private let bench: Workbench?
    private let stills = Guarded(Stills())

    /// - Parameters:
    ///   - options: the reader of all pages.
    ///   - bench: the workbench that each begins with.
    package init(_ source: any LiveSource, options: PageOptions, bench: Workbench? = nil) {
        self.source = source
        self.options = options
        self.bench = bench
    }

    /// The address that begins a page.
    private var begin: String { bench?.begin ?? PageAddress.live }

    /// The sheets that all pages have.
    private var sheets: [String] {
        LiveRoutes.sheets + (bench == nil ? [] : [PageAddress.assets + WorkbenchSheet.fileName])
    }

    package var files: [(String, Resource)] { [] }

    package var locale: String { options.locale }

    package func opening(_ request: borrowing Request) -> PageOpening {
        let link = OpenedLink(request)
        return { [self] desk, client, former throws(LiveRefusal) in
            try await open(desk, from: client, after: former, opening: link)
        }
    }

    func open(
        _ desk: LiveDesk, from client: String, after former: String?, opening link: OpenedLink
    ) async throws(LiveRefusal) -> LivePage {
        try await desk.open(
            source, from: client, after: former, begin: begin, opening: link.text, script: LiveRoutes.script
        ) { [self] in
            var place = LiveRoutes.place($0, begin: begin, options)
            place.options.sheets = sheets
            place.bench = bench
            return place
        }
    }

    package func first(_ request: borrowing Request, _ desk: LiveDesk, _ routes: LiveRoutes) -> Answer {
        routes.hosts.refusal(request) ?? first(desk, opening: OpenedLink(request))
    }

    /// The same for a request that was not refused.
    func first(_ desk: LiveDesk, opening link: OpenedLink) -> Answer {
        let first = link.text == nil ? firstPage() : page(source.program, opening: link)
        desk.files.add(first.files)
        return .resource(first.page)
    }

    package var labels: [String: String] { firstPage().names }

    private func firstPage() -> Stills.Still {
        let program = source.program
        // The faults of a program may change without it, as by a save that breaks something.
        if let known = stills.withLock({ $0.still(of: program) }),
            bench == nil || source.findings(in: known.view) == known.findings
        {
            return known
        }
        let still = page(program)
        // The view may be that of a program that has come since.
        let isCurrent = source.program.planned === program.planned
        stills.withLock { $0.add(still, isCurrent: isCurrent) }
        return still
    }

    /// - Parameter link: is opened by *Run*, if the widget declares it; else a sentence says that it does not.
    private func page(_ program: LiveProgram, opening link: OpenedLink? = nil) -> Stills.Still {
        var options = bench?.applied(to: options) ?? options
        options.pictureFolder = PageAddress.assets
        let words = SystemWords(options.locale)
        let router = program.planned.program.terms.router
        let declared = link?.text.flatMap { if case .success = router.destination(of: $0) { $0 } else { nil } }
        // The page that runs says the sentence again: it may take the place of this one at once.
        let run = link == nil ? begin : OpenedLink.address(begin, opening: declared ?? "")
        options.live = LiveFrame(
            .still(post: run, title: words[.run]), script: LiveRoutes.script)
        if link != nil, declared == nil { options.live?.note = words[.linkLost] }
        let view = source.still()
        let rules = PagePrinter(program.planned, options).page(view, program.assets)
        let sheet = Array(ViewingSheet.text(options, for: [rules]).utf8)
        // Its name says what is in it, so that those of two programs do not mix.
        let sheetName = "\(PageFiles.digest(of: sheet)).css"
        options.sheets = sheets + [program.planned.sheet.file, sheetName].map { PageAddress.assets + $0 }
        let findings = bench == nil ? [] : source.findings(in: view)
        options.bench = bench.map { bench in
            var html = HTMLWriter()
            bench.write(findings, letter: options.letter, isRunning: false, to: &html)
            return html.finish()
        }
        let page = PagePrinter(program.planned, options).page(view, program.assets)
        var files = page.pictures
        files[sheetName] = sheet
        files[program.planned.sheet.file] = program.planned.sheet.bytes
        return Stills.Still(
            program: program, page: PageAnswer.document(PageAnswer.html, page.html, .never), files: files,
            names: Stills.names(in: view), view: view, findings: findings)
    }
}

/// The first page of the latest program. It is evaluated and printed once, however often it is asked for.
struct Stills {
    struct Still {
        let program: LiveProgram
        let page: Resource
        /// Its sheets and pictures, by their names.
        let files: [String: [UInt8]]
        /// The names of controls, by their keys.
        let names: [String: String]
        let view: View
        /// The faults that its workbench lists.
        let findings: [LiveFinding]
    }

    private static let nameCount = 1_000

    private var last: Still?
    /// True if the last page is that of its program, and not one printed while the program changed.
    private var isCurrent = false

    func still(of program: LiveProgram) -> Still? {
        guard isCurrent, let last, last.program.planned === program.planned else { return nil }
        return last
    }

    /// The names of the controls that a view has, as assistive technology says them.
    static func names(in view: View) -> [String: String] {
        var names: [String: String] = [:]
        view.visit { node in
            if node.kind.row.isControl, names.count < nameCount {
                names[node.key.description] = FitText.seen(AccessibleNode(alone: node).name) ?? node.identifier
            }
            return true
        }
        return names
    }

    mutating func add(_ still: Still, isCurrent: Bool) {
        last = still
        self.isCurrent = isCurrent
    }
}
