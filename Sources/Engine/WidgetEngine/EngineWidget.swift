internal import JSONText
internal import WidgetBytes
package import WidgetContract
package import WidgetCore
package import WidgetLayout
internal import WidgetPredicates
internal import WidgetRender
package import WidgetRunning

/// The place of a widget, as its host describes it.
package struct EnginePlace: Sendable {
    package var environment: Environment
    package var viewport: Viewport
    /// `nil` for the scheme that the reader's system has.
    package var scheme: Viewport.Scheme?
    /// True for a page around the widget, with whose sheets and sizes those of the widget have nothing to do.
    package var isContained = false
    /// The beginning of the addresses of pictures.
    package var pictureFolder = ""

    package init(environment: Environment, viewport: Viewport, scheme: Viewport.Scheme? = nil) {
        (self.environment, self.viewport, self.scheme) = (environment, viewport, scheme)
    }
}

/// A widget that runs in its host's own thread: each call brings it up to the moment that it names, and returns. Its host
/// sends the requests, keeps the records, and shows the pages.
package final class EngineWidget {
    private var driver: WidgetDriver
    /// The moment that the widget sees.
    private let moment: Guarded<Double>
    private let planned: PlannedProgram
    private let assets: EnginePictures
    private var options: PageOptions
    private var updates: DataUpdates
    private var visit: LinkVisit?
    private var requests: [OutgoingRequest] = []
    private var notices: [String] = []
    /// The content of the page; `nil` before the first page.
    private var shown: PageMoment?
    private var windows: [ViewKey: Int] = [:]
    private var typed: [ViewKey: Value] = [:]
    private var files: [String: [UInt8]] = [:]
    private var revealedNumber = 0

    /// The most requests under way at once; the others wait.
    private static let requestLimit = 6
    private static let waitingLimit = 200
    /// Lists whose rows are asked for.
    private static let windowLimit = 200
    /// Bytes of pictures that wait to be taken.
    private static let fileByteLimit = 64 << 20

    /// - Parameter records: those of an earlier run, as ``KeptRecords`` has them.
    package init(_ bundle: EngineBundle, at place: EnginePlace, keeping records: [UInt8]? = nil) {
        let (store, faults) = records.map { KeptRecords.store($0, bundle.program.model) } ?? (nil, [])
        let moment = Guarded(place.environment.now)
        self.moment = moment
        let instance = WidgetInstance(
            bundle.program, store: store, environment: place.environment, found: faults)
        updates = DataUpdates(bundle.program.terms.policy, seed: place.environment.seed)
        driver = WidgetDriver(instance, clock: .running { moment.withLock { $0 } })
        planned = PlannedProgram(bundle.program)
        assets = EnginePictures(bundle.pictures)
        options = PageOptions(viewport: place.viewport)
        options.scheme = place.scheme
        options.locale = place.environment.locale
        options.isContained = place.isContained
        // The page around it has the first heading, and the main part.
        if place.isContained { options.part = PagePart(heading: "", levels: 2...3) }
        options.hasHead = false
        options.pictureFolder = place.pictureFolder
        options.completesFields = true
    }

    // MARK: - Time

    /// Begins. That is its first update.
    package func start(at now: Double) {
        set(now)
        handle(.trigger(.demand))
        follow()
    }

    /// Brings the widget up to a moment.
    package func tick(at now: Double) {
        set(now)
        driver.advance()
        handle(.time)
        follow()
    }

    /// The moment at which ``tick(at:)`` has something to do; infinite without one.
    package var nextMoment: Double {
        let seconds = min(
            driver.secondsToDeadline, updates.nextMoment - driver.now, visit?.secondsLeft(at: driver.now) ?? .infinity)
        return driver.now + max(seconds, 0)
    }

    /// Time does not go back.
    private func set(_ now: Double) { moment.withLock { $0 = max($0, now) } }

    private func handle(_ event: DataUpdates.Event) {
        for decision in updates.handle(event, at: driver.now) {
            switch decision {
            case .begin(let update):
                driver.beginUpdate(update, within: updates.policy.deadline)
                follow()
            case .abandon: driver.abandonUpdate(because: DataUpdateFailure.noAnswer(within: updates.policy.deadline))
            case .end, .refuse, .join, .postpone: continue
            }
        }
    }

    /// Sorts the effects of an event.
    private func follow() {
        if let unsent = driver.takeUnsent() { notices.append("nothing was sent: \(unsent)") }
        driver.failRequests(beyond: EngineWidget.waitingLimit)
        requests.removeAll { !driver.underWay.contains($0.number) }
        requests += driver.beginRequests(atOnce: EngineWidget.requestLimit)
        if let visit {
            let result = driver.result(of: visit)
            if result != .pending { self.visit = nil }
            if case .notFound(let reason) = result { notices.append(reason) }
        }
        if let (update, answer) = driver.takeUpdateAnswer(hasContent: updates.content != nil) {
            handle(.answered(update: update, answer))
        }
    }

    // MARK: - Events

    /// Takes a batch of acts of a reader, `[serial, [event…]]`, as live pages send them.
    ///
    /// - Throws: a sentence about a batch that cannot be read.
    package func act(_ batch: [UInt8], at now: Double) throws(SettingFault) {
        let (_, events) = try LiveEvent.batch(batch, byteLimit: 1 << 20, countLimit: 1_000)
        set(now)
        driver.advance()
        var view = driver.view()
        for event in events {
            if case .back(let depth) = event {
                goBack(to: depth)
                view = driver.view()
                continue
            }
            guard let key = event.key else { continue }
            let node = view.node(key)
            guard node != nil || view.alerts.contains(where: { $0.buttons.contains { $0.key == key } }) else {
                continue
            }
            if case .more(_, let count) = event {
                widen(node, to: count)
                continue
            }
            guard let act = event.event(at: node) else { continue }
            if case .input(_, let value) = act { typed[key] = value }
            if let refusal = driver.send(act), driver.instance.formRefusal == nil { notices.append(refusal) }
            view = driver.view()
        }
        follow()
    }

    private func goBack(to depth: Int) {
        var now = driver.instance.store.backCount
        while now > max(depth, 0), driver.instance.store.alerts.isEmpty {
            driver.send(.back)
            let next = driver.instance.store.backCount
            guard next < now else { return }
            now = next
        }
    }

    private func widen(_ node: ViewNode?, to count: Int) {
        guard let node, node.kind == .list || node.kind == .grid else { return }
        let now = max(windows[node.key] ?? options.shownRowCount, shown?.windows[node.key] ?? 0)
        guard count > now, now < node.children.count else { return }
        if windows.count >= EngineWidget.windowLimit { windows = [:] }
        windows[node.key] = min(count, now + options.shownRowCount)
    }

    /// A picture or a film that the reader has picked for an element.
    package func pick(_ key: ViewKey, _ name: String, _ bytes: [UInt8], at now: Double) throws(SettingFault) {
        do throws(WidgetError) {
            let media = try MediaFile.media(named: name, bytes)
            set(now)
            driver.advance()
            driver.send(.pick(key, media))
        } catch {
            throw SettingFault("\(error)")
        }
        follow()
    }

    /// Follows a link into the widget.
    ///
    /// - Returns: the reason why it leads nowhere.
    package func open(_ link: String, at now: Double) -> String? {
        set(now)
        driver.advance()
        defer { follow() }
        switch driver.instance.program.terms.router.destination(of: link) {
        case .failure(let error): return "\(error)"
        case .success(let destination):
            let (result, visit) = driver.follow(destination)
            self.visit = result == .pending ? visit : nil
            if case .notFound(let reason) = result { return reason }
            return nil
        }
    }

    /// Continues in another place of its page.
    package func show(in viewport: Viewport, _ display: Display, scheme: Viewport.Scheme?, at now: Double) {
        set(now)
        options.viewport = viewport
        options.scheme = scheme
        driver.show(in: display, abilities: driver.instance.environment.abilities)
        shown = nil
        follow()
    }

    // MARK: - Pages

    package var isContained: Bool { options.isContained }

    private var printer: PagePrinter { PagePrinter(planned, options) }

    /// The whole of the widget as markup, for a page that has none of it yet.
    package func page() -> EnginePage {
        let view = driver.view()
        let (moment, page) = printer.moment(view, windows: windows, assets)
        (shown, typed) = (moment, [:])
        keep(page.pictures)
        let sheet = ViewingSheet.text(options, for: [page])
        return EnginePage(
            html: page.html, title: view.title,
            sheet: options.isContained ? ContainedSheet.text(sheet) : sheet, isVisible: view.isVisible)
    }

    /// The operations that turn the page that was printed last into the present one, as JSON.
    ///
    /// - Throws: if no page was printed, or none since it was shown in another place.
    package func changes() throws(SettingFault) -> [UInt8] {
        let view = driver.view()
        guard let shown else { throw SettingFault("the widget has no page yet; ask for its page first") }
        let change = printer.change(from: shown, to: view, windows: windows, assets)
        keep(change.pictures)
        var operations = change.operations.filter { operation in
            guard case .focus(let address) = operation else { return true }
            return !typed.keys.contains { options.letter + PageKey.text($0) == address }
        }
        operations += corrections(view, operations)
        typed = [:]
        self.shown = change.moment
        if let revealed = driver.instance.place.revealed, revealed.number > revealedNumber {
            revealedNumber = revealed.number
            if let node = view.revealed(revealed) { operations.append(.show(options.letter + PageKey.text(node.key))) }
        }
        return PageOperation.json(options.isContained ? operations.map { $0.contained() } : operations)
    }

    /// The values of controls that the widget has not taken as they were typed.
    private func corrections(_ view: View, _ operations: [PageOperation]) -> [PageOperation] {
        if typed.isEmpty || operations.contains(where: { if case .whole = $0 { true } else { false } }) { return [] }
        var corrections: [PageOperation] = []
        for (key, value) in typed.sorted(by: { $0.key.description < $1.key.description }) {
            guard let node = view.node(key), !node.shows(value) else { continue }
            corrections += printer.value(of: node, in: view).filter { !operations.contains($0) }
        }
        return corrections
    }

    private func keep(_ pictures: [String: [UInt8]]) {
        for (name, bytes) in pictures { files[name] = bytes }
        if files.values.reduce(0, { $0 + $1.count }) > EngineWidget.fileByteLimit { files = pictures }
    }

    /// The bytes of a picture that markup names.
    package func picture(_ name: String) -> [UInt8]? { files[name] }

    /// The sheets of all widgets and of this one, for a document or for a shadow root.
    package var sheets: [[UInt8]] {
        options.isContained
            ? [ContainedSheet.bytes(BaseSheet.bytes), ContainedSheet.bytes(planned.sheet.bytes)]
            : [BaseSheet.bytes, planned.sheet.bytes]
    }

    // MARK: - For the host

    /// The requests that wait to be sent. Each is returned once.
    package func takeRequests() -> [OutgoingRequest] {
        defer { requests = [] }
        return requests
    }

    package func answer(_ number: Int, _ outcome: RequestOutcome, at now: Double) {
        set(now)
        driver.finish(number, outcome)
        follow()
    }

    /// The wishes that only the app around the widget can fulfil. Each is returned once.
    package func takeHostRequests() -> [HostRequest] { driver.takeHostRequests() }

    package func takeCacheChanges() -> [CacheChange] { driver.takeCacheChanges() }

    /// Takes over values of the host's cache.
    package func recall(_ changes: [CacheChange]) {
        driver.send(.cached(changes))
        follow()
    }

    /// The changes of records and settings since the last call, as ``KeptRecords`` has them; `nil` without any.
    package func takeUnsaved() -> [UInt8]? {
        guard !driver.unsaved.isEmpty || driver.hasUnsavedSettings else { return nil }
        let keeper = RecordsAsText()
        try? driver.save(to: keeper)
        return keeper.text
    }

    /// Sentences about actions that did nothing. Each is returned once.
    package func takeNotices() -> [String] {
        defer { notices = [] }
        return notices
    }

    /// The widget as its author wants to see it, as JSON. Reading it changes nothing; from the first time on, moments are kept.
    ///
    /// - Parameter moment: the number of an earlier one.
    package func inspection(at moment: Int? = nil) -> [UInt8] {
        driver.keepMoments()
        let view = driver.view()
        return WidgetInspection(driver.instance, view, options.viewport, at: moment).document()
    }

    package var view: View { driver.view() }
    package var instance: WidgetInstance { driver.instance }
    package var status: DataStatus { updates.status(at: driver.now) }
}

/// A page's part of a widget.
package struct EnginePage: Sendable {
    package let html: [UInt8]
    package let title: String
    /// The rules of this page alone.
    package let sheet: String
    package let isVisible: Bool
}

private final class RecordsAsText: RecordKeeping {
    private let written = Guarded<[UInt8]>([])

    var text: [UInt8] { written.withLock { $0 } }

    func save(_ ids: Set<RecordID>, of store: Store, settings: Bool) throws(WidgetError) {
        var writer = JSONWriter()
        KeptRecords.write(ids, of: store, settings: settings, to: &writer)
        written.withLock { $0 = writer.bytes }
    }
}
