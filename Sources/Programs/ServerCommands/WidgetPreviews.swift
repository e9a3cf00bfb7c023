import Bytes
import Console
import Dispatch
import Files
import HTTPServer
import HTTPWire
import Logging
import PageServer
import Processes
import Registry
import RegistryServer
import Surroundings
import WidgetBundles
import WidgetCells
import WidgetLive
import WidgetRender

/// Published widgets that run on the registry's pages, each release in a confined process.
final class WidgetPreviews: Previews {
    /// The settings of previews.
    struct Options: Equatable, Sendable {
        var isEnabled = true
        var viewings = 500
        var viewingsPerAddress = 20
        var viewingsPerCell = 64
        var cells = 16
        /// Other servers of the same registry have previews as well.
        var isOneOfMany = false
    }

    /// The confinement of cells on this machine, or the reason why they cannot run.
    struct Found: Sendable {
        let confinement: Confinement?
        let reason: String

        /// The reason why nothing runs; `nil` if bundles of strangers may run.
        var obstacle: String? {
            guard let confinement else { return reason }
            return confinement.isEnough ? nil : "this system has neither Landlock nor a filter of calls"
        }

        var text: String { confinement?.text ?? "none: \(reason)" }

        /// Lines for people.
        func lines(isWanted: Bool) -> String {
            let state = !isWanted ? "switched off" : obstacle.map { "off, since \($0)" } ?? "on"
            let parts = confinement?.lines.map { "  \($0)\n" }.joined() ?? ""
            return "\npreviews: \(state)\n\(parts)"
        }
    }

    private let house: CellHouse
    private let desk: LiveDesk
    private let viewings: ViewingRoutes
    private let stills = Guarded(StillCache())
    /// The faults of releases that do not run, as cells have found them, by their archives.
    private let refusals = Guarded<[String: Finding]>([:])
    /// Called with the bundle of a release that was found not to run.
    private let pages = Guarded<(@Sendable (String) -> Void)?>(nil)
    /// The reviews of releases that can begin.
    private let reviews: DispatchSemaphore

    /// - Parameter start: of the program that is a cell.
    init(_ options: Options, _ start: ProgramStart = CellProgram.start, in world: World = .machine) {
        var limits = LiveLimits()
        (limits.viewings, limits.viewingsPerAddress) = (options.viewings, options.viewingsPerAddress)
        var cells = CellLimits()
        (cells.viewingsPerCell, cells.cells) = (options.viewingsPerCell, options.cells)
        desk = LiveDesk(limits, isOneOfMany: options.isOneOfMany, in: world)
        house = CellHouse(start, cells, in: world)
        reviews = DispatchSemaphore(value: cells.reviews)
        viewings = ViewingRoutes(desk, hosts: PageHosts(allowsAll: true))
    }

    /// Starts a cell to learn what confines it.
    ///
    /// - Parameter program: the file of this program.
    static func confinement(of program: String) -> Found {
        let house = CellHouse(CellProgram.start(of: program))
        defer { house.stop() }
        return found(house)
    }

    private static func found(_ house: CellHouse) -> Found {
        let (outcome, isDone) = (Guarded<Result<String, CellEnd>?>(nil), DispatchSemaphore(value: 0))
        LiveThreads.begin {
            do throws(CellEnd) {
                let text = try await house.probe()
                outcome.withLock { $0 = .success(text) }
            } catch {
                outcome.withLock { $0 = .failure(error) }
            }
            isDone.signal()
        }
        guard isDone.wait(timeout: .now() + house.limits.startSeconds) == .success else {
            return Found(confinement: nil, reason: "no process was ready within \(Int(house.limits.startSeconds)) s")
        }
        switch outcome.withLock({ $0 }) {
        case .success(let text)?:
            return Found(confinement: Confinement(text: text), reason: "the process sent \(QuotedText.plain(text))")
        case .failure(let end)?: return Found(confinement: nil, reason: end.reason)
        case nil: return Found(confinement: nil, reason: "no process was started")
        }
    }

    /// The previews that run, unless they are switched off or this machine cannot confine processes, which is logged.
    ///
    /// - Parameter start: of the program that is a cell.
    static func begun(_ options: Options, _ logger: Logger, _ start: ProgramStart, in world: World) -> WidgetPreviews? {
        guard options.isEnabled else { return nil }
        let previews = WidgetPreviews(options, start, in: world)
        let descriptors = DescriptorLimit.raise()
        let obstacle =
            descriptors < WidgetPreviews.descriptorCount
            ? "this process may open \(descriptors) files, and \(WidgetPreviews.descriptorCount) are needed" : nil
        let found = obstacle.map { Found(confinement: nil, reason: $0) } ?? found(previews.house)
        if let obstacle = found.obstacle {
            previews.house.stop()
            logger.log(
                .warning, "previews.off", "widgets do not run on this registry's pages",
                [LogField("reason", obstacle), LogField("hint", "`widgetd check` says what the system lacks")])
            return nil
        }
        logger.log(.info, "previews.on", "", [LogField("confinement", found.text)])
        previews.begin()
        return previews
    }

    func begin() {
        house.begin()
        house.fill()
        LiveThreads.begin { [desk] in await desk.run() }
    }

    /// Connections come first where a process may open few files.
    private static let descriptorCount = 512

    /// Ends widgets of releases that are withdrawn, and shows figures.
    func follow(_ registry: Registry, _ health: ServerHealth) {
        health.add { [weak self] text in self?.write(to: &text) }
        // The registry keeps what observes it.
        registry.observe { [weak self, weak registry] change in
            guard [.withdraw, .restore].contains(change.kind), let self,
                let release = try? registry?.release(change.bundleIdentifier, change.release)
            else { return }
            if change.kind == .withdraw { retire(release.digest.hex) } else { house.admit(archive: release.digest.hex) }
        }
    }

    func stop() {
        house.stop()
        LiveThreads.begin { [desk] in await desk.stop() }
    }

    /// Has a process look at an archive, and waits for it: at most as long as one may take, and those before it.
    func review(_ archive: HandedFile, digest: String, _ question: String) -> CellReview {
        let (found, isDone) = (Guarded<CellReview?>(nil), DispatchSemaphore(value: 0))
        reviews.wait()
        defer { reviews.signal() }
        LiveThreads.begin { [house] in
            let review = await house.review(archive, digest: digest, question)
            found.withLock { $0 = review }
            isDone.signal()
        }
        isDone.wait()
        return found.withLock { $0 } ?? CellReview(pieces: [], end: .unneeded)
    }

    func preview(of bundle: String, _ release: Release) -> Preview {
        if let finding = refusals.withLock({ $0[release.digest.hex] }) { return .broken([finding]) }
        return .ready(address: "/w/\(bundle)/\(release.key)/try")
    }

    /// Remembers why a release does not run, for its pages. A release that was reviewed says so from the beginning.
    private func note(_ refused: CellFinding, about release: ReadableRelease) {
        // An archive that cannot be opened now may be opened later.
        guard refused.isOfBundle else { return }
        let finding = Finding(
            code: WidgetPreviews.refusedCode, severity: .error, path: refused.file ?? "", line: refused.line ?? 0,
            column: refused.column ?? 0, detail: refused.message)
        let isNew = refusals.withLock { refusals in
            if refusals.count >= WidgetPreviews.refusalCount { refusals = [:] }
            return refusals.updateValue(finding, forKey: release.archive) == nil
        }
        if isNew { pages.withLock { $0 }?(release.bundleIdentifier) }
    }

    private static let refusedCode = "bad-file"
    private static let refusalCount = 1_000

    // MARK: - Routes

    func add(to routes: inout Routes, _ service: RegistryService) {
        viewings.add(to: &routes)
        pages.withLock { $0 = service.pageRefresher }
        service.add(.get, "try", to: &routes) { [self] request in
            let reader = PageReader(request)
            if request.query("inspect") != nil {
                let viewing = request.query("viewing").flatMap { $0.isEmpty ? nil : $0 }
                return .show { [self] release, responder in
                    LiveThreads.begin { [self] in responder.answer(await inspector(release, reader, viewing)) }
                }
            }
            return .show { [self] release, responder in
                LiveThreads.begin { [self] in responder.answer(await still(release, reader)) }
            }
        }
        service.add(.post, "run", to: &routes) { [self] request in
            if let refusal = viewings.refusalOfPost(request) { return .refuse(refusal) }
            let (reader, viewer) = (PageReader(request), ViewingRoutes.Viewer(request))
            return .show { [self] release, responder in
                viewings.open(viewer, responder) { [self] client, former throws(LiveRefusal) in
                    try await open(release, reader, client, former)
                }
            }
        }
    }

    private static func place(_ release: ReadableRelease) -> String {
        "/w/\(release.bundleIdentifier)/\(release.key)"
    }

    private static func program(_ release: ReadableRelease, _ reader: PageReader) -> CellRelease {
        CellRelease(
            archive: release.archive, identifier: release.bundleIdentifier, locale: reader.language)
    }

    /// The reader of a page, with the ways from it that a page alone in a window has.
    ///
    /// - Parameter viewing: its name; `nil` for a first screen.
    private static func options(
        _ release: ReadableRelease, _ reader: PageReader, _ viewing: String? = nil
    ) -> PageOptions {
        var options = reader.options
        guard !reader.isFramed else { return options }
        let place = place(release)
        let inspector = RegistryService.inspector(of: release, reader.query)
        let running = "\(inspector)&viewing="
        options.ways = [
            LiveWay(viewing.map { "\(running)/live/\($0)" } ?? inspector, "Inspect", running: running),
            LiveWay(place, "About this release"),
        ]
        return options
    }

    /// `POST /w/{bundle}/{release}/run`
    private func open(
        _ release: ReadableRelease, _ reader: PageReader, _ client: String, _ former: String?
    ) async throws(LiveRefusal) -> CellViewing {
        let begin = "\(WidgetPreviews.place(release))/run\(reader.query)"
        return try await desk.open(from: client, after: former, begin: begin) {
            (name, reason, notify) throws(LiveRefusal) -> CellViewing in
            do throws(CellRefusal) {
                return try await house.open(
                    WidgetPreviews.program(release, reader), desk, name: name, reason: reason,
                    at: { ViewingRoutes.place($0, begin: begin, WidgetPreviews.options(release, reader, $0)) },
                    screen: reader.screen, notify,
                    opening: { () throws(FileError) in try release.open() })
            } catch {
                if case .unreadable(let finding) = error {
                    note(finding, about: release)
                    throw .unreadable(finding.sentence)
                }
                throw .unavailable(WidgetPreviews.sentence(error))
            }
        }
    }

    /// `GET /w/{bundle}/{release}/try`
    private func still(_ release: ReadableRelease, _ reader: PageReader) async -> Answer {
        let key = StillCache.Key(archive: release.archive, place: WidgetPreviews.place(release), reader: reader)
        if let known = stills.withLock({ $0[key] }) { return viewings.still(known.html, known.files) }
        do throws(CellRefusal) {
            let found = try await house.still(
                WidgetPreviews.program(release, reader), screen: reader.screen, on: ViewingRoutes.sheets,
                WidgetPreviews.options(release, reader),
                run: (address: "\(key.place)/run\(reader.query)", title: "Run", script: ViewingRoutes.script),
                opening: { () throws(FileError) in try release.open() })
            guard let page = found else { return .refused(.noRoute) }
            stills.withLock { $0[key] = page }
            return viewings.still(page.html, page.files)
        } catch {
            return answer(error, about: release)
        }
    }

    /// The page in the place of a widget, or of what is said about it.
    private func answer(_ error: CellRefusal, about release: ReadableRelease) -> Answer {
        switch error {
        case .unreadable(let finding):
            note(finding, about: release)
            return viewings.unreadable(finding.sentence)
        case .noScreen: return .refused(.noRoute)
        case .ended, .full, .busy: return viewings.unavailable(WidgetPreviews.sentence(error))
        }
    }

    /// `GET /w/{bundle}/{release}/try?inspect`, with `viewing=` of the page of a widget that runs.
    private func inspector(_ release: ReadableRelease, _ reader: PageReader, _ viewing: String?) async -> Answer {
        if let viewing {
            let name = String(viewing.suffix(WidgetPreviews.nameLength))
            // The name is the viewer's secret; one of another release is as unknown as one that never was.
            guard let running = desk.viewing(name) as? CellViewing, running.archive == release.archive,
                let document = await running.inspection(reader.options)
            else {
                return RegistryService.noInspection("No widget of this release runs at that address.")
            }
            return RegistryService.inspector(document, of: release, reader.query, viewing: name)
        }
        do throws(CellRefusal) {
            let found = try await house.inspection(
                WidgetPreviews.program(release, reader), screen: reader.screen, reader.options,
                opening: { () throws(FileError) in try release.open() })
            guard let document = found else {
                return RegistryService.noInspection("The bundle has no such screen.")
            }
            return RegistryService.inspector(document, of: release, reader.query, viewing: nil)
        } catch {
            return answer(error, about: release)
        }
    }

    /// Hexadecimal digits of the name of a viewing.
    private static let nameLength = 32

    private static func sentence(_ error: CellRefusal) -> String {
        switch error {
        case .unreadable(let finding): finding.sentence
        case .ended(let end): "It was tried, and \(end.reason)."
        case .busy: "Many others ask for its first screen."
        case .noScreen(let screen): "The bundle has no screen \(QuotedText.plain(screen))."
        case .full(let limit): "The server runs \(limit) widgets at once, and all of them are in use."
        }
    }

    /// Ends the widgets of a release that was withdrawn.
    func retire(_ archive: String) {
        stills.withLock { $0.forget(archive) }
        house.retire(archive: archive)
    }

    // MARK: - Figures

    func write(to text: inout MetricsText) {
        let figures = house.figures
        text.gauge("widgetd_viewings", "Pages of running widgets.", UInt64(desk.count))
        text.gauge("widgetd_cells", "Confined processes that run.", UInt64(figures.cells))
        text.gauge("widgetd_cells_spare", "Those of them that wait for a bundle.", UInt64(figures.spares))
        text.gauge("widgetd_cells_resident_bytes", "Their resident memory.", UInt64(figures.residentByteCount))
        text.counter("widgetd_cells_started_total", "Confined processes that were started.", UInt64(figures.started))
        text.declare("widgetd_cells_ended_total", "counter", "Confined processes that have ended, by the reason.")
        for name in CellEnd.names {
            text.sample("widgetd_cells_ended_total", [("reason", name)], String(figures.ends[name] ?? 0))
        }
        text.declare("widgetd_cell_confinement", "gauge", "1 for each part of the confinement that is on.")
        let confinement = house.confinement.flatMap { Confinement(text: $0) }
        for part in Confinement.Part.allCases {
            let isOn = confinement?.isOn(part) ?? false
            text.sample("widgetd_cell_confinement", [("part", part.rawValue)], isOn ? "1" : "0")
        }
    }
}

/// The first screens that were printed last.
private struct StillCache {
    struct Key: Hashable {
        let archive: String
        let place: String
        let reader: PageReader
    }

    private var pages: [Key: (page: CellStill, use: Int)] = [:]
    private var uses = 0
    private var byteCount = 0

    private static let byteLimit = 16 << 20

    subscript(key: Key) -> CellStill? {
        mutating get {
            uses += 1
            pages[key]?.use = uses
            return pages[key]?.page
        }
        set {
            guard let newValue, pages[key] == nil else { return }
            uses += 1
            pages[key] = (newValue, uses)
            byteCount += newValue.byteCount
            while byteCount > StillCache.byteLimit, pages.count > 1,
                let oldest = pages.min(by: { $0.value.use < $1.value.use })
            {
                remove(oldest.key)
            }
        }
    }

    mutating func forget(_ archive: String) {
        for key in pages.keys where key.archive == archive { remove(key) }
    }

    private mutating func remove(_ key: Key) {
        byteCount -= pages.removeValue(forKey: key)?.page.byteCount ?? 0
    }
}
