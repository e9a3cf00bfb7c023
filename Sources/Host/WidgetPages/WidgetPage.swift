internal import WidgetCore
internal import WidgetLive
internal import WidgetMarkup
internal import WidgetRender
public import WidgetRuntime
internal import WidgetSurroundings

/// A widget on a page of HTML: the whole page, and then the changes that turn it into the next one.
///
/// A page has no script and no styles but those of its sheets, and everything that a bundle says is text in it. Without a
/// script of the server, people use the widget by the page's form. ``WidgetSite`` puts widgets into pages of your own.
///
/// ```swift
/// let page = WidgetPage(of: session)
/// let first = try await page.render()                       // first.html, and the files that it refers to
/// try await page.submit(fields)                             // the fields of the page's form, as the browser has posted them
/// let change = try await page.changes(since: first.view)    // what has changed, as JSON; or render it anew
/// ```
public actor WidgetPage {
    private let session: WidgetSession
    private let options: WidgetPageOptions
    private let files = LiveFiles()
    private var made: (viewing: Viewing, source: SessionSource)?

    /// Makes the page of a widget for one viewer.
    public init(of session: WidgetSession, options: WidgetPageOptions = WidgetPageOptions()) {
        self.session = session
        self.options = options
    }

    /// The page as it is now.
    ///
    /// - Throws: `RuntimeError` if the page was used faster than people do.
    public func render() async throws(RuntimeError) -> RenderedPage {
        let part = try await taken { (viewing) throws(LiveRefusal) in try await viewing.printed() }
        var page = options.printed
        page.sheets = part.sheets
        var html = HTMLWriter(reservingBytes: part.html.count + 2_048)
        PageHead.begin(part.title, page, to: &html)
        html.printed(part.html)
        html.end()
        html.end()
        html.markup("\n")
        var rendered = [
            PageFile(BaseSheet.fileName, BaseSheet.bytes),
            PageFile(ViewingSheet.fileName, Array(part.sheet.utf8)),
        ]
        rendered += part.files.compactMap { name in files[name].map { PageFile(name, $0) } }
        return RenderedPage(
            title: part.title, html: String(decoding: html.finish(), as: UTF8.self), view: part.number, files: rendered,
            remarks: part.remarks)
    }

    /// The changes since a view; `nil` if nothing has changed. Since a view that is long gone, that is the whole screen.
    ///
    /// - Throws: `RuntimeError` if the page was used faster than people do.
    public func changes(since view: Int) async throws(RuntimeError) -> PageChanges? {
        let change = try await taken { (viewing) throws(LiveRefusal) in try await viewing.change(since: view) }
        return change.map { PageChanges(json: String(decoding: $0.operations, as: UTF8.self), view: $0.number) }
    }

    /// A file that a page or its changes have named; `nil` for one that is long gone.
    public func file(named name: String) -> PageFile? { files[name].map { PageFile(name, $0) } }

    /// Does what a person has done on the page: the fields of its form, in their order, decoded, and the files.
    ///
    /// - Throws: `RuntimeError` with the reason why the widget does not take it.
    public func submit(
        _ fields: [(name: String, value: String)], files: [PickedFile] = []
    ) async throws(RuntimeError) {
        let picked = files.map {
            ($0.field, LiveFile(name: $0.name, contentType: $0.mediaType, bytes: $0.bytes))
        }
        let form = LiveForm(fields: fields, files: picked)
        try await taken { (viewing) throws(LiveRefusal) in
            if case .refused(let refusal) = await viewing.post(form) { throw refusal }
        }
    }

    /// Does what a script has collected: a batch of acts, which docs/live.md describes.
    ///
    /// - Throws: `RuntimeError` with the reason why it was not taken.
    public func act(_ batch: [UInt8]) async throws(RuntimeError) {
        try await taken { (viewing) throws(LiveRefusal) in
            if case .refused(let refusal) = await viewing.act(batch) { throw refusal }
        }
    }

    // MARK: - The widget

    private func taken<Result: Sendable>(
        _ work: (Viewing) async throws(LiveRefusal) -> Result
    ) async throws(RuntimeError) -> Result {
        let viewing = await viewing()
        do throws(LiveRefusal) {
            return try await work(viewing)
        } catch {
            // The next page begins anew.
            if error == .over { made = nil }
            throw RuntimeError(.refused, error.sentence(.english), hint: "render the page anew")
        }
    }

    private func viewing() async -> Viewing {
        let (viewing, source): (Viewing, SessionSource)
        if let made {
            (viewing, source) = made
        } else {
            let own = await SessionSource(session, opensAddresses: options.showsLinks)
            var page = options.printed
            page.sheets = [options.folder + BaseSheet.fileName]
            let place = LivePlace(page, inFolder: options.folder)
            let first = Viewing(
                of: own, session.running, at: place, .ofSessions, World.machine.clock, files
            ) { _ in }
            // Another task may have been here meanwhile.
            (viewing, source) = made ?? (first, own)
            made = (viewing, source)
        }
        if await source.follow() { await viewing.renew() }
        return viewing
    }
}
