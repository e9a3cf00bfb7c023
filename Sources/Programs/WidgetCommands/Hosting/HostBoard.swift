import PageServer
import RegistryClient
import RegistryContract
import WidgetBytes
import WidgetContract
import WidgetCore
import WidgetHost
import WidgetHosting
import WidgetLive
import WidgetPredicates
import WidgetRender
import WidgetRunning
import WidgetSurroundings

/// The slots of a host: their widgets, which all pages show, and their order.
actor HostBoard: PageSource {
    /// A place for a widget, with the widget that it has now.
    struct Slot {
        let letter: String
        let file: PageFile.Slot
        let origin: HostedWidgets.Origin
        var phase = PageSlot.Phase.waiting
        var note = ""
        var identifier: String?
        var running: RunningSlot?
        /// The number of updates of its data that the line about updates knows.
        var updates = DataUpdateCounts()
        var tasks: [Task<Void, Never>] = []
    }

    /// The widget of a slot, with its program as pages have it.
    struct RunningSlot {
        let widget: RunningWidget
        let shown: ShownProgram
        var viewings: [WeakViewing] = []
    }

    let hosted: HostedWidgets
    var slots: [String: Slot]
    private var order: [String]
    private var announcement = ""
    private let arrangement: KeptArrangement?
    private let networks: SlotNetworks
    private let timeZone: TimeZoneRules
    private let fetcher: WidgetFetcher?
    private let world: World
    private let report: @Sendable (String) -> Void
    private nonisolated let bell = ChangeBell()
    private var generation = 0

    /// - Parameters:
    ///   - slots: in the order of the page's file.
    ///   - arrangement: the file with the order that people have chosen; `nil` if it is not kept.
    ///   - report: called with findings about widgets that conflict.
    init(
        _ slots: [Slot], _ hosted: HostedWidgets, _ networks: SlotNetworks, _ fetcher: WidgetFetcher?,
        arrangement: KeptArrangement?, timeZone: TimeZoneRules, in world: World,
        report: @escaping @Sendable (String) -> Void
    ) {
        self.slots = Dictionary(uniqueKeysWithValues: slots.map { ($0.letter, $0) })
        self.hosted = hosted
        self.networks = networks
        self.fetcher = fetcher
        self.arrangement = arrangement
        self.timeZone = timeZone
        self.world = world
        self.report = report
        order = arrangement?.sorted(slots.map { ($0.letter, $0.file.key) }) ?? slots.map(\.letter)
    }

    nonisolated var changes: AsyncStream<Void> { bell.stream() }

    func moment() -> PageArrangement {
        PageArrangement(
            order.compactMap { slots[$0] }.map { slot in
                var shown = PageSlot(
                    slot.letter, slot.file.title, size: HostBoard.size(slot.file), isScaled: slot.file.isScaled,
                    phase: slot.phase)
                shown.note = slot.note
                return shown
            }, announcement: announcement)
    }

    static func size(_ slot: PageFile.Slot) -> PageSlot.Size {
        PageSlot.Size(width: slot.size.width, height: slot.size.height)
    }

    // MARK: - Loading

    /// Loads the widgets that are loaded at once.
    nonisolated func begin(_ letters: [String]) {
        for letter in letters { LiveThreads.begin { [self] in await load(letter) } }
    }

    /// Loads a widget, unless it is there or on its way.
    func load(_ letter: String) async {
        guard let slot = slots[letter], slot.running == nil, slot.phase != .loading else { return }
        change(letter) { $0.phase = .loading }
        // A save that comes while the bundle is read is noticed. A registry is asked by the load itself first.
        if case .path = slot.origin { watch(letter) }
        do throws(HostError) {
            let identifier = try identifier(of: slot)
            // A bundle names itself: it does not get what was granted to a widget that runs.
            let isTaken = slots.contains { other, slot in
                other != letter && slot.identifier == identifier && (slot.running != nil || slot.phase == .loading)
            }
            guard !isTaken else { throw .loadedAlready(identifier) }
            change(letter) { $0.identifier = identifier }
            networks.grant(slot.file.grants, groups: slot.file.groups, to: identifier)
            let start = HostedWidgets.Start(entryPoint: slot.file.entry, screen: slot.file.screen)
            let widget = try await hosted.load(identifier, from: slot.origin, at: start)
            let shown = ShownProgram(
                LiveProgram(await widget.program, NamedPictures(await hosted.pictures(of: identifier))))
            generation += 1
            let (number, known) = (generation, await widget.snapshot().data.counts)
            change(letter) { slot in
                slot.identifier = identifier
                slot.running = RunningSlot(widget: widget, shown: shown)
                slot.updates = known
                slot.phase = .running(generation: number)
                slot.note = ""
            }
            let changes = widget.changes
            watch(letter, since: await hosted.release(of: identifier))
            await reportRivals(of: letter)
            slots[letter]?.tasks.append(
                LiveThreads.begin { [weak self] in
                    for await _ in changes { await self?.look(at: letter) }
                })
        } catch {
            change(letter) { $0.phase = .failed("\(error)") }
            watch(letter)
        }
    }

    /// The identifier of a slot's widget. That of a path comes from its bundle.
    private func identifier(of slot: Slot) throws(HostError) -> String {
        switch slot.file.origin {
        case .registry(let widget): return widget
        case .path:
            guard case .path(let path) = slot.origin else { return slot.file.title }
            let bundle = try rethrowing(as: HostError.widget) { () throws(WidgetError) in
                try BundleReading.bundle(at: path).program.identifier
            }
            guard let instance = slot.file.instance else { return bundle }
            return instance.hasPrefix(bundle) ? instance : bundle + instance
        }
    }

    func change(_ letter: String, _ change: (inout Slot) -> Void) {
        guard var slot = slots[letter] else { return }
        change(&slot)
        slots[letter] = slot
        bell.ring()
    }

    /// The moment of a line about updates.
    func clock() -> String {
        let now = PredicateEnvironment.current.now
        let seconds = Int(
            (now + Double(timeZone.offset(at: now))).rounded(.down).truncatingRemainder(dividingBy: 86_400))
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(seconds / 3_600)):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    }

    // MARK: - Pages

    func part(_ letter: String, of page: LivePage, at place: LivePlace) async -> (any LivePart)? {
        guard let running = slots[letter]?.running else { return nil }
        let source = SlotSource(letter, running, self, page)
        let viewing = await page.viewing(of: source, running.widget, at: place)
        slots[letter]?.running?.viewings.removeAll { $0.viewing == nil }
        slots[letter]?.running?.viewings.append(WeakViewing(viewing: viewing))
        // A program that came in between found no viewing here.
        if source.program.planned !== running.shown.program.planned { await viewing.renew() }
        return viewing
    }

    func act(_ act: SlotAct) async -> Bool {
        switch act {
        case .load(let letter): await load(letter)
        case .update(let letter?): await refresh(letter)
        case .update(nil):
            await withTaskGroup { group in
                for letter in order { group.addTask { await self.refresh(letter) } }
            }
        case .earlier(let letter): move(letter, by: -1)
        case .later(let letter): move(letter, by: 1)
        case .move(let letter, let next): move(letter, before: next)
        }
        return true
    }

    private func move(_ letter: String, by step: Int) {
        guard let place = order.firstIndex(of: letter), order.indices.contains(place + step) else { return }
        order.swapAt(place, place + step)
        haveMoved(letter)
    }

    private func move(_ letter: String, before next: String?) {
        guard let from = order.firstIndex(of: letter), next != letter else { return }
        if let next, !order.contains(next) { return }
        order.remove(at: from)
        order.insert(letter, at: next.flatMap { order.firstIndex(of: $0) } ?? order.endIndex)
        haveMoved(letter)
    }

    private func haveMoved(_ letter: String) {
        guard let slot = slots[letter], let place = order.firstIndex(of: letter) else { return }
        announcement = "\(slot.file.title) is at place \(place + 1) of \(order.count)."
        let fault = arrangement?.keep(order.compactMap { slots[$0]?.file.key })
        if let fault { announcement += " The order is not kept: \(fault)" }
        bell.ring()
    }

    // MARK: - Links

    /// Opens an address that another widget of the page declares, and shows that widget: of several instances of one bundle
    /// the first on the page. An address that two bundles declare is opened in neither, because either could be meant.
    ///
    /// - Returns: false if it is not opened.
    func open(_ address: String, from letter: String, on page: LivePage) async -> Bool {
        guard let taker = await taker(of: address, except: letter) else { return false }
        await open(address, in: taker)
        // The page that acted writes first what the act has changed.
        LiveThreads.begin { await page.focus(taker.letter) }
        return true
    }

    /// Opens a link that the address of a new page has, in the widget that declares it.
    func open(_ link: String) async {
        guard let taker = await taker(of: link) else {
            announcement = "The link leads nowhere, because no widget of this page declares it."
            return bell.ring()
        }
        await open(link, in: taker)
    }

    private typealias Taker = (letter: String, widget: RunningWidget, bundle: StoreOrigin)

    private func open(_ address: String, in taker: Taker) async {
        let title = slots[taker.letter]?.file.title ?? taker.letter
        switch await taker.widget.open(address) {
        case .handled, .pending: announcement = "Opened in \(title)."
        case .notFound(let reason): announcement = "\(title): \(reason)"
        }
        bell.ring()
    }

    /// The first widget of the page that declares an address; `nil` if none does, or those of two bundles.
    ///
    /// - Parameter letter: of the widget that wants to open it.
    private func taker(of address: String, except letter: String? = nil) async -> Taker? {
        // Addresses of the web, of mails and of calls are not links between widgets: one widget could declare them all.
        guard HostBoard.isOfWidgets(address) else { return nil }
        var takers: [Taker] = []
        for other in order {
            guard let slot = slots[other], let widget = slot.running?.widget,
                case .success = await widget.program.terms.router.destination(of: address),
                let bundle = await hosted.bundle(of: slot.identifier ?? "")
            else { continue }
            takers.append((other, widget, bundle))
        }
        func title(_ letter: String) -> String { slots[letter]?.file.title ?? letter }
        if let first = takers.first, let rival = takers.first(where: { $0.bundle != first.bundle }) {
            announcement =
                "The link is not opened, because \(title(first.letter)) and \(title(rival.letter)) both declare it."
            bell.ring()
            return nil
        }
        return takers.first { $0.letter != letter }
    }

    /// Reports the patterns of links that a widget and one of another bundle declare.
    private func reportRivals(of letter: String) async {
        guard let mine = await declared(letter) else { return }
        for other in order where other != letter {
            guard let theirs = await declared(other), theirs.bundle != mine.bundle else { continue }
            for pattern in mine.patterns {
                guard let rival = theirs.patterns.first(where: { pattern.overlaps($0) }) else { continue }
                report(
                    "\(mine.title) and \(theirs.title) both declare links of \(pattern)"
                        + (rival == pattern ? "" : " and \(rival)") + ", which are opened in neither")
            }
        }
    }

    private func declared(_ letter: String) async -> (title: String, bundle: StoreOrigin, patterns: [LinkPattern])? {
        guard let slot = slots[letter], let widget = slot.running?.widget,
            let bundle = await hosted.bundle(of: slot.identifier ?? "")
        else { return nil }
        return (slot.file.title, bundle, await widget.program.terms.router.routes.map(\.pattern))
    }

    private static func isOfWidgets(_ address: String) -> Bool {
        let scheme = address.prefix { $0 != ":" }.lowercased()
        return scheme.utf8.count < address.utf8.count && !["http", "https", "mailto", "tel", "sms"].contains(scheme)
    }

    // MARK: - The end

    func stop() async {
        for slot in slots.values {
            for task in slot.tasks { task.cancel() }
            if let identifier = slot.identifier { await hosted.unload(identifier) }
        }
        bell.end()
    }

    /// Watches the files or the registry of a slot, once.
    private func watch(_ letter: String, since release: InstalledRelease? = nil) {
        guard let slot = slots[letter], slot.tasks.isEmpty else { return }
        let events: AsyncStream<WatchEvent>
        switch slot.origin {
        case .path(let path): events = LocalWatch(path, in: world).events(since: LocalSnapshot(at: path))
        case .registry(let fetcher):
            guard case .registry(let name) = slot.file.origin, let widget = try? WidgetIdentifier(name) else { return }
            events = fetcher.events(of: widget, since: release)
        // The owner of these brings what follows them.
        case .release, .builtIn: return
        }
        slots[letter]?.tasks.append(
            LiveThreads.begin { [weak self] in
                for await event in events { await self?.take(event, letter) }
            })
    }
}
