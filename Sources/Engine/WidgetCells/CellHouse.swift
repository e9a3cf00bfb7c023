internal import Bytes
package import Files
internal import JSONText
internal import Processes
package import Surroundings
package import WidgetHosting
package import WidgetLive
internal import WidgetRunning

/// A release that is to run, and for whom.
package struct CellRelease: Hashable, Sendable {
    /// The digest of the archive.
    package var archive: String
    package var identifier: String
    /// The reader's language and region, as `de_AT`.
    package var locale = ""
    /// The reader of its network and its store: widgets with different ones never share a cell.
    package var slot = ""

    package init(archive: String, identifier: String, locale: String = "", slot: String = "") {
        self.archive = archive
        self.identifier = identifier
        self.locale = locale
        self.slot = slot
    }
}

/// All cells of a host.
package final class CellHouse: Sendable {
    struct Entry {
        let cell: Cell
        let release: LoadedRelease
    }

    struct State {
        var cells: [CellRelease: [Entry]] = [:]
        var spares: [Cell] = []
        /// All that run, those that read a bundle or pictures among them.
        var all: [ObjectIdentifier: Cell] = [:]
        /// Releases that are being read, with the tasks that wait for them.
        var reading: [CellRelease: [CheckedContinuation<Void, Never>]] = [:]
        var failures = CellFailures()
        /// Archives that were withdrawn last.
        var retired: [String] = []
        /// First screens that wait, by their cells.
        var stills: [ObjectIdentifier: Int] = [:]
        /// Cells that hold a bundle, or are about to.
        var loadedCount = 0
        var started = 0
        var ends: [String: Int] = [:]
        var isStopped = false
        /// No widget runs any more.
        var isClosed = false
        /// Those that rewrite pictures, and tasks that wait for their turn.
        var rewritingCount = 0
        var rewritings: [CheckedContinuation<Void, Never>] = []
        /// Spares are being started.
        var isFilling = false
        var confinement: String?
    }

    /// The counts that operators see.
    package struct Figures: Sendable {
        package var cells = 0
        package var spares = 0
        package var viewings = 0
        package var residentByteCount = 0
        package var started = 0
        /// The cells that have ended, by the names of the reasons.
        package var ends: [String: Int] = [:]
    }

    package let limits: CellLimits
    private let start: CellStart
    let clock: any Clock
    /// Looks at the cells: a thread that nothing else can fill.
    private let watching: any ThreadQueue
    let state = Guarded(State())
    /// Rings when a cell has ended, or waits as a spare.
    package let changes = ChangeBell()

    package init(_ start: CellStart, _ limits: CellLimits = CellLimits(), in world: World = .machine) {
        self.start = start
        self.limits = limits
        clock = world.clock
        watching = world.threads.queue("cells.time")
    }

    // MARK: - Cells

    /// The confinement of the cell that was started last; `nil` before the first.
    package var confinement: String? { state.withLock { $0.confinement } }

    /// Starts a cell to learn what confines it, and keeps it as a spare.
    package func probe() async throws(CellEnd) -> String {
        let cell = try begin(limits.reports)
        let text = try await cell.ready()
        park(cell)
        return text
    }

    private func begin(_ reports: CellMessageLimits) throws(CellEnd) -> Cell {
        let cell = try Cell(start, limits, reports: reports, clock: clock) { [weak self] cell, end in
            self?.forget(cell, end)
        }
        let isStopped = state.withLock { state in
            state.started += 1
            if state.isStopped { return true }
            // It may have ended already.
            if cell.end == nil { state.all[ObjectIdentifier(cell)] = cell }
            return false
        }
        if isStopped {
            cell.kill(.unneeded)
            throw .unneeded
        }
        changes.ring()
        LiveThreads.begin { [weak self] in
            guard let text = try? await cell.ready() else { return }
            self?.state.withLock { $0.confinement = text }
        }
        return cell
    }

    private func park(_ cell: Cell) {
        let isKept = state.withLock { state in
            guard !state.isStopped, state.spares.count < limits.spares else { return false }
            state.spares.append(cell)
            return true
        }
        if isKept { changes.ring() } else { cell.kill(.unneeded) }
    }

    /// A cell that has read nothing yet: a spare that answers, or a new one.
    ///
    /// The process of a spare may have ended just now, unseen: that is not the fault of a bundle.
    func fresh() async throws(CellEnd) -> Cell {
        while let spare = takeSpare() {
            if (try? await spare.ask("here", within: limits.startSeconds)) != nil { return spare }
        }
        let cell = try begin(limits.reports)
        _ = try await cell.ready()
        return cell
    }

    private func takeSpare() -> Cell? {
        state.withLock { state in
            state.spares.firstIndex { $0.end == nil }.map { state.spares.remove(at: $0) }
        }
    }

    /// Starts as many spares as are missing, when the first page of a release has been made.
    package func fill() {
        let isOther = state.withLock { state in
            defer { state.isFilling = true }
            return state.isFilling
        }
        // The one that starts them already looks again before it ends.
        guard !isOther else { return }
        LiveThreads.begin { [weak self, clock] in
            await clock.sleep(for: CellHouse.fillPause)
            while let self,
                state.withLock({ state in
                    state.isFilling = !state.isStopped && state.spares.count < self.limits.spares
                    return state.isFilling
                })
            {
                guard let cell = try? begin(limits.reports), (try? await cell.ready()) != nil else {
                    state.withLock { $0.isFilling = false }
                    return
                }
                park(cell)
            }
        }
    }

    /// Seconds until spares are started: on a machine of two processors they would delay the page.
    private static let fillPause = 0.15

    private func forget(_ cell: Cell, _ end: CellEnd) {
        let now = clock.now
        state.withLock { state in
            state.all[ObjectIdentifier(cell)] = nil
            state.ends[end.name, default: 0] += 1
            state.spares.removeAll { $0 === cell }
            for (release, entries) in state.cells where entries.contains(where: { $0.cell === cell }) {
                state.failures.add(end, of: release.archive, at: now, limits)
                let rest = entries.filter { $0.cell !== cell }
                state.cells[release] = rest.isEmpty ? nil : rest
                state.loadedCount -= 1
            }
        }
        changes.ring()
    }

    // MARK: - Releases

    /// A cell that has read a release and has room for a viewing, which is reserved.
    ///
    /// - Parameter open: called to open the archive, if no cell has read it.
    func place(
        _ wanted: CellRelease, network: (any WidgetNetwork)?,
        _ open: @Sendable () throws(FileError) -> FileDescriptor
    ) async throws(CellRefusal) -> Entry {
        var release = wanted
        while true {
            enum Step { case take(Entry), read, wait, full, fail(CellRefusal) }
            let step: Step = state.withLock { state in
                if state.isClosed { return .fail(.ended(.unneeded)) }
                // A reader may ask for any language, and a bundle has few.
                if !release.locale.isEmpty, state.cells[release] == nil,
                    state.cells.keys.count(where: { $0.archive == release.archive && !$0.locale.isEmpty })
                        >= limits.cellsPerRelease - 1
                {
                    release.locale = ""
                }
                if let entry = state.cells[release]?.first(where: { $0.cell.reserve() }) { return .take(entry) }
                if let refusal = state.failures.refusal(of: release, at: clock.now, limits) { return .fail(refusal) }
                if state.reading[release] != nil { return .wait }
                if state.loadedCount >= limits.cells { return .full }
                state.reading[release] = []
                state.loadedCount += 1
                return .read
            }
            switch step {
            case .take(let entry): return entry
            case .fail(let refusal): throw refusal
            case .wait:
                await withCheckedContinuation { continuation in
                    let isRead = state.withLock { state in
                        guard state.reading[release] != nil else { return true }
                        state.reading[release]?.append(continuation)
                        return false
                    }
                    if isRead { continuation.resume() }
                }
            case .full:
                guard makeRoom() else { throw .full(limit: limits.cells) }
            case .read:
                let outcome: Result<Entry, CellRefusal>
                do throws(CellRefusal) {
                    outcome = .success(try await read(release, network: network, open))
                } catch {
                    outcome = .failure(error)
                }
                // The reader that it was read for has the first place.
                let isReserved = (try? outcome.get())?.cell.reserve(isFirst: true) ?? false
                let (waiting, isRetired, isClosed) = state.withLock { state in
                    let isRetired = state.retired.contains(release.archive)
                    switch outcome {
                    // It may have ended since, and then it is not counted any more.
                    case .success(let entry)
                    where isReserved && entry.cell.end == nil && !isRetired && !state.isClosed:
                        state.cells[release, default: []].append(entry)
                    case .success: state.loadedCount -= 1
                    case .failure(let refusal):
                        state.loadedCount -= 1
                        state.failures.add(refusal, of: release, until: clock.moment(after: limits.failureSeconds))
                    }
                    return (state.reading.removeValue(forKey: release) ?? [], isRetired, state.isClosed)
                }
                for continuation in waiting { continuation.resume() }
                let entry = try outcome.get()
                if isRetired { entry.cell.kill(.withdrawn) }
                if isClosed { entry.cell.kill(.unneeded) }
                if let end = entry.cell.end { throw .ended(end) }
                guard isReserved else { throw .ended(.unneeded) }
                return entry
            }
        }
    }

    /// Ends the cell that has been without viewings for longest.
    ///
    /// - Returns: false if all have viewings.
    private func makeRoom() -> Bool {
        let now = clock.now
        let idle = state.withLock { state in
            state.cells.values.joined().map(\.cell).filter { $0.viewingCount == 0 }
                .max { $0.emptySeconds(at: now) < $1.emptySeconds(at: now) }
        }
        idle?.kill(.unneeded, ifUnused: true)
        return idle != nil
    }

    private func read(
        _ release: CellRelease, network: (any WidgetNetwork)?,
        _ open: @Sendable () throws(FileError) -> FileDescriptor
    ) async throws(CellRefusal) -> Entry {
        let archive = try rethrowing(try open(), as: CellHouse.unopened)
        // Two cells at once: one reads the program, and the other one the pictures.
        let copy = HandedFile(try rethrowing(try archive.duplicate(), as: CellHouse.unopened))
        let rewriting = Task(executorPreference: LiveThreads.shared) { [self] in await pictures(in: copy) }
        defer { fill() }
        do throws(CellEnd) {
            let cell = try await fresh()
            let answer = try await cell.ask("load", within: limits.readingSeconds, passing: archive) { json in
                json.member("identifier", release.identifier)
                json.member("locale", release.locale)
                json.member("network", network != nil)
            }
            let pictures = await rewriting.value
            cell.tell("pictures") { json in
                json.key("pictures")
                json.array { json in for name in pictures.names { json.value(name) } }
            }
            if let refused = answer.head["refused"].flatMap({ CellFinding($0) }) {
                cell.kill(.refused(refused))
                throw CellEnd.refused(refused)
            }
            guard let loaded = LoadedRelease(answer, pictures) else {
                cell.kill(.fault("it has sent another sheet"))
                throw cell.end ?? .unneeded
            }
            if let network { serve(network, cell) }
            return Entry(cell: cell, release: loaded)
        } catch {
            throw CellRefusal(error)
        }
    }

    private static func unopened(_ error: FileError) -> CellRefusal {
        .unreadable(CellFinding(message: "the archive cannot be opened: \(error)", isOfBundle: false))
    }

    // MARK: - Network

    /// Does what the widgets of a cell ask, through the network that was granted.
    private func serve(_ network: any WidgetNetwork, _ cell: Cell) {
        let tasks = Guarded<[Int: Task<Void, Never>]>([:])
        cell.onExtra { [weak cell] message in
            if let number = message.integer("cancel") {
                return tasks.withLock { $0.removeValue(forKey: number) }?.cancel() ?? ()
            }
            guard let cell, let number = message.integer("request"), let request = CellRequests.request(message) else {
                cell?.kill(.fault("a request has another form"))
                return
            }
            tasks.withLock { waiting in
                guard waiting.count < CellHouse.requestCount else {
                    cell.kill(.fault("it asks more than can wait"))
                    return
                }
                waiting[number] = LiveThreads.begin { [weak cell] in
                    let outcome = await network.outcome(of: request)
                    tasks.withLock { $0[number] = nil }
                    cell?.tell("answer", CellRequests.body(of: outcome)) { json in
                        json.member("request", number)
                        CellRequests.write(outcome, to: &json)
                    }
                }
            }
        }
    }

    /// Withdrawn archives that are remembered.
    private static let retiredCount = 1_000

    /// Requests of one cell that wait at once.
    private static let requestCount = 512

    // MARK: - Viewings

    /// Makes the part of a page for a release.
    ///
    /// - Parameters:
    ///   - name: of the page.
    ///   - screen: the one that it begins with; the first one if `nil`.
    ///   - link: leads to the screen that is shown first.
    ///   - network: the network that was granted; without one, the bundle's stub answers.
    ///   - open: called to open the archive, if no cell has read it.
    package func open(
        _ release: CellRelease, _ desk: LiveDesk, name: String, reason: String?, at place: LivePlace,
        screen: String? = nil, link: String? = nil, network: (any WidgetNetwork)? = nil,
        _ notify: @escaping @Sendable (LiveEnding) -> Void,
        opening open: @Sendable () throws(FileError) -> FileDescriptor
    ) async throws(CellRefusal) -> CellViewing {
        let entry = try await self.place(release, network: network, open)
        let viewing = CellViewing(
            name, in: entry.cell, of: entry.release, archive: release.archive, at: place, limits, desk, notify)
        do throws(CellEnd) {
            if try await viewing.begin(screen, opening: link, reason) { return viewing }
        } catch {
            viewing.finish(.widget(error.reason))
            throw .ended(error)
        }
        viewing.finish(.left)
        throw .noScreen(screen ?? "")
    }

    // MARK: - Time

    package var figures: Figures {
        let (all, spares, started, ends) = state.withLock { state in
            (Array(state.all.values), state.spares.count, state.started, state.ends)
        }
        return Figures(
            cells: all.count, spares: spares, viewings: all.reduce(0) { $0 + $1.viewingCount },
            residentByteCount: all.reduce(0) { $0 + $1.residentByteCount }, started: started, ends: ends)
    }

    /// Looks at time, memory and idleness of all cells from now on.
    package func begin() {
        _ = clock.call(after: CellHouse.pause) { [weak self, watching] in
            watching.async { [weak self] in
                guard let self, !state.withLock({ $0.isStopped }) else { return }
                tick()
                begin()
            }
        }
    }

    private static let pause = Duration.milliseconds(200)

    package func tick() {
        let now = clock.now
        for cell in state.withLock({ Array($0.all.values) }) {
            cell.tick()
            cell.renew()
        }
        let idle = state.withLock { state in
            state.cells.values.joined().map(\.cell).filter { $0.emptySeconds(at: now) >= limits.idleSeconds }
        }
        for cell in idle { cell.kill(.unneeded, ifUnused: true) }
    }

    /// Ends the cells of an archive, which may not be shown any more.
    package func retire(archive: String) {
        let cells = state.withLock { state in
            state.retired.append(archive)
            if state.retired.count > CellHouse.retiredCount { state.retired.removeFirst() }
            return state.cells.filter { $0.key.archive == archive }.values.joined().map(\.cell)
        }
        for cell in cells { cell.kill(.withdrawn) }
    }

    /// Shows an archive again that was withdrawn.
    package func admit(archive: String) { state.withLock { $0.retired.removeAll { $0 == archive } } }

    /// Ends all widgets; none is begun afterwards, and bundles are reviewed as before.
    package func close() {
        let cells = state.withLock { state in
            state.isClosed = true
            return state.cells.values.joined().map(\.cell)
        }
        for cell in cells { cell.kill(.unneeded) }
    }

    /// Ends all cells; none is started afterwards.
    package func stop() {
        let cells = state.withLock { state in
            state.isStopped = true
            return Array(state.all.values)
        }
        for cell in cells { cell.kill(.unneeded) }
    }
}
