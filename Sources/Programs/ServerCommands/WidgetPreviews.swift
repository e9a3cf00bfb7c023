import Bytes
import Console
import Files
import HTTPServer
import HTTPWire
import Logging
import PageServer
import Registry
import RegistryServer
import Surroundings
import WidgetBundles
import WidgetCells
import WidgetCore
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

    private let house: CellHouse
    private let desk: LiveDesk
    let live: LiveRoutes
    /// The path below which clients see the server.
    private let root: String
    private let stills = Guarded(StillCache())
    /// The faults of releases that do not run, as cells have found them, by their archives.
    private let refusals = Guarded<[String: Finding]>([:])
    /// Called with the bundle of a release that was found not to run.
    private let pages = Guarded<(@Sendable (String) -> Void)?>(nil)

    /// - Parameters:
    ///   - house: runs them.
    ///   - root: the path below which clients see the server.
    init(_ options: Options, in house: CellHouse, _ world: World = .machine, below root: String = "") {
        self.root = root
        self.house = house
        var limits = LiveLimits()
        (limits.viewings, limits.viewingsPerAddress) = (options.viewings, options.viewingsPerAddress)
        desk = LiveDesk(limits, isOneOfMany: options.isOneOfMany, in: world)
        live = LiveRoutes(desk, hosts: PageHosts(allowsAll: true))
    }

    /// The previews that run, unless they are switched off or this machine cannot confine processes.
    ///
    /// - Parameter root: the path below which clients see the server.
    static func begun(
        _ options: Options, in cells: ServerCells, _ logger: Logger, _ world: World, below root: String
    ) -> WidgetPreviews? {
        guard cells.runsWidgets else { return nil }
        let previews = WidgetPreviews(options, in: cells.house, world, below: root)
        logger.log(.info, "previews.on", "", [LogField("confinement", cells.found.text)])
        previews.begin()
        return previews
    }

    private func begin() {
        house.fill()
        LiveThreads.begin { [desk] in await desk.run() }
    }

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

    /// Ends all widgets; none is started afterwards.
    func stop() {
        house.close()
        LiveThreads.begin { [desk] in await desk.stop() }
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
        live.add(to: &routes)
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
            if let refusal = live.refusalOfPost(request) { return .refuse(refusal) }
            let (reader, viewer) = (PageReader(request), LiveRoutes.Viewer(request, in: PageReader(request).words))
            return .show { [self] release, responder in
                live.open(viewer, responder) { [self] client, former throws(LiveRefusal) in
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
    private func options(
        _ release: ReadableRelease, _ reader: PageReader, _ viewing: String? = nil
    ) -> PageOptions {
        var options = reader.options
        guard !reader.isFramed else { return options }
        let inspector = root + RegistryService.inspector(of: release, reader.query)
        let running = "\(inspector)&viewing="
        options.ways = [
            LiveWay(viewing.map { "\(running)/live/\($0)" } ?? inspector, "Inspect", running: running),
            LiveWay(root + WidgetPreviews.place(release), "About this release"),
        ]
        return options
    }

    /// `POST /w/{bundle}/{release}/run`
    private func open(
        _ release: ReadableRelease, _ reader: PageReader, _ client: String, _ former: String?
    ) async throws(LiveRefusal) -> LivePage {
        let begin = "\(WidgetPreviews.place(release))/run\(reader.query)"
        return try await desk.openOne(
            from: client, after: former, begin: begin,
            at: { LiveRoutes.place($0, begin: begin, options(release, reader, $0), below: root) },
            printing: { [root] in OneWidgetPage($0, script: LiveRoutes.script(below: root)) }
        ) { (name, place, reason, end) throws(LiveRefusal) -> any LivePart in
            do throws(CellRefusal) {
                return try await house.open(
                    WidgetPreviews.program(release, reader), desk, name: name, reason: reason, at: place,
                    screen: reader.screen, link: reader.link, end.come,
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
        if let known = stills.withLock({ $0[key] }) { return live.still(known.html, known.files) }
        do throws(CellRefusal) {
            let found = try await house.still(
                WidgetPreviews.program(release, reader), screen: reader.screen,
                on: LiveRoutes.sheets(below: root), options(release, reader),
                run: (
                    address: "\(root)\(key.place)/run\(reader.query)", title: reader.words[.run],
                    script: LiveRoutes.script(below: root)
                ), assets: LiveRoutes.assets(below: root),
                opening: { () throws(FileError) in try release.open() })
            guard let page = found else { return .refused(.noRoute) }
            stills.withLock { $0[key] = page }
            return live.still(page.html, page.files)
        } catch {
            return answer(error, about: release, reader)
        }
    }

    /// The page in the place of a widget, or of what is said about it.
    private func answer(
        _ error: CellRefusal, about release: ReadableRelease, _ reader: PageReader
    ) -> Answer {
        switch error {
        case .unreadable(let finding):
            note(finding, about: release)
            return live.unreadable(finding.sentence, in: reader.words)
        case .noScreen: return .refused(.noRoute)
        case .ended, .full, .busy: return live.unavailable(WidgetPreviews.sentence(error), in: reader.words)
        }
    }

    /// `GET /w/{bundle}/{release}/try?inspect`, with `viewing=` of the page of a widget that runs.
    private func inspector(_ release: ReadableRelease, _ reader: PageReader, _ viewing: String?) async -> Answer {
        if let viewing {
            let name = String(viewing.suffix(WidgetPreviews.nameLength))
            // The name is the viewer's secret; one of another release is as unknown as one that never was.
            guard let running = await desk.page(name)?.part(reader.options.letter, isUsed: false) as? CellViewing,
                running.archive == release.archive,
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
            return answer(error, about: release, reader)
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
        text.gauge("widgetd_viewings", "Pages of running widgets.", UInt64(desk.count))
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
