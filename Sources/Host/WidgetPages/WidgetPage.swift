internal import WidgetCore
internal import WidgetLayout
internal import WidgetLive
internal import WidgetRender
internal import WidgetRunning
public import WidgetRuntime

/// A widget on a page of HTML: the whole page, and then the changes that turn it into the next one.
///
/// A page has no script and no styles but those of its sheets, and everything that a bundle says is text in it. Without a
/// script of the server, people use the widget by the page's form.
///
/// ```swift
/// let page = WidgetPage(of: session)
/// let first = await page.render()          // first.html, and the files that it refers to
/// try await page.submit(fields)            // the fields of the page's form, as the browser has posted them
/// let change = await page.change()         // what has changed, as JSON; or render it anew
/// ```
public actor WidgetPage {
    private let session: WidgetSession
    private let options: WidgetPageOptions
    private var planned: PlannedProgram?
    private var moment: PageMoment?
    private var windows: [ViewKey: Int] = [:]
    private var number = 0

    /// Makes the page of a widget for one viewer.
    public init(of session: WidgetSession, options: WidgetPageOptions = WidgetPageOptions()) {
        self.session = session
        self.options = options
    }

    /// The page as it is now.
    public func render() async -> RenderedPage {
        let (snapshot, current) = await session.present()
        let (printer, program) = printer(for: current, snapshot.revision)
        let assets = SessionPictures(await session.bundlePictures())
        let (moment, page) = printer.moment(snapshot.view, windows: windows, assets)
        self.moment = moment
        let sheet = ViewingSheet.text(printer.options, for: [page])
        return RenderedPage(
            title: snapshot.view.title, html: String(decoding: page.html, as: UTF8.self),
            files: [
                PageFile(BaseSheet.fileName, BaseSheet.bytes), PageFile(program.sheet.file, program.sheet.bytes),
                PageFile(ViewingSheet.fileName, Array(sheet.utf8)),
            ] + page.pictures.sorted { $0.key < $1.key }.map { PageFile($0.key, $0.value) }, remarks: page.remarks)
    }

    /// The changes since the page that was rendered last, or since the last changes; `nil` if nothing has changed.
    ///
    /// Before the first ``render()`` there is nothing to change, and after another release the page is rendered anew: then
    /// the result has ``PageChanges/isWhole``.
    public func change() async -> PageChanges? {
        let (snapshot, current) = await session.present()
        guard let moment, number == snapshot.revision else {
            _ = await render()
            return PageChanges(json: "[]", isWhole: true, files: [])
        }
        let (printer, _) = printer(for: current, snapshot.revision)
        let assets = SessionPictures(await session.bundlePictures())
        let change = printer.change(from: moment, to: snapshot.view, windows: windows, assets)
        self.moment = change.moment
        guard !change.operations.isEmpty else { return nil }
        return PageChanges(
            json: String(decoding: PageOperation.json(change.operations), as: UTF8.self), isWhole: false,
            files: change.pictures.sorted { $0.key < $1.key }.map { PageFile($0.key, $0.value) })
    }

    /// Does what a person has done on the page: the fields of its form, in their order, decoded.
    ///
    /// - Throws: `RuntimeError` with the reason why the widget does not take it.
    public func submit(_ fields: [(name: String, value: String)]) async throws(RuntimeError) {
        let shown: View
        if let moment { shown = moment.view } else { shown = await session.present().snapshot.view }
        let acts: FormActs
        do throws(LiveRefusal) {
            acts = try FormActs(LiveForm(fields: fields), since: shown, windows: windows, pageOptions)
        } catch {
            throw RuntimeError(.refused, "the form is not that of the page", hint: "render the page anew")
        }
        if let (list, count) = acts.more { windows[list] = min(max(count, 0), WidgetPage.mostRows) }
        for event in acts.events { try await session.send(event) }
    }

    /// The most rows that a long list shows on a page.
    private static let mostRows = 10_000

    /// The printer for a program, which is planned once.
    private func printer(for current: Program, _ revision: Int) -> (PagePrinter, PlannedProgram) {
        let program: PlannedProgram
        if let planned, number == revision {
            program = planned
        } else {
            program = PlannedProgram(current)
            (planned, number, windows) = (program, revision, [:])
        }
        var page = pageOptions
        page.sheets = program.sheets.map { options.folder + $0 }
        return (PagePrinter(program, page), program)
    }

    private var pageOptions: PageOptions { options.printed }
}
