internal import WidgetBytes
package import WidgetHosting
internal import WidgetLive
package import WidgetSurroundings

/// All cells of a host: each reviews one bundle, and ends then.
package final class CellHouse: Sendable {
    private struct State {
        /// All that run.
        var all: [ObjectIdentifier: Cell] = [:]
        var failures = CellFailures()
        var started = 0
        var ends: [String: Int] = [:]
        var isStopped = false
        var isWatching = false
    }

    /// The counts that operators see.
    package struct Figures: Sendable {
        package var cells = 0
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
    private let state = Guarded(State())
    /// Rings when a cell has begun or ended.
    package let changes = ChangeBell()

    package init(_ start: CellStart, _ limits: CellLimits = CellLimits(), in world: World = .machine) {
        self.start = start
        self.limits = limits
        clock = world.clock
        watching = world.threads.queue("cells.time")
    }

    // MARK: - Cells

    /// Starts a cell to learn what confines it, and ends it.
    package func probe() async throws(CellEnd) -> String {
        let cell = try begin(limits.reports)
        defer { cell.kill(.done) }
        return try await cell.ready()
    }

    /// A cell that has confined itself.
    func fresh() async throws(CellEnd) -> Cell {
        let cell = try begin(limits.reports)
        _ = try await cell.ready()
        return cell
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
        watch()
        changes.ring()
        return cell
    }

    private func forget(_ cell: Cell, _ end: CellEnd) {
        state.withLock { state in
            state.all[ObjectIdentifier(cell)] = nil
            state.ends[end.name, default: 0] += 1
        }
        changes.ring()
    }

    // MARK: - Failures

    /// The end of the last review of an archive whose reviews end by faults again and again.
    func refusal(of archive: String) -> CellEnd? {
        let now = clock.now
        return state.withLock { $0.failures.refusal(of: archive, at: now, limits) }
    }

    func note(_ end: CellEnd, of archive: String) {
        let now = clock.now
        state.withLock { $0.failures.add(end, of: archive, at: now, limits) }
    }

    // MARK: - Time

    package var figures: Figures {
        let (all, started, ends) = state.withLock { (Array($0.all.values), $0.started, $0.ends) }
        return Figures(
            cells: all.count, residentByteCount: all.reduce(0) { $0 + $1.residentByteCount }, started: started,
            ends: ends)
    }

    /// Looks at time and memory of all cells for as long as there are any.
    private func watch() {
        let isFirst = state.withLock { state in
            defer { state.isWatching = true }
            return !state.isWatching
        }
        if isFirst { lookAgain() }
    }

    private func lookAgain() {
        _ = clock.call(after: CellHouse.pause) { [weak self, watching] in
            watching.async { [weak self] in
                guard let self else { return }
                tick()
                let isOver = state.withLock { state in
                    state.isWatching = !state.all.isEmpty
                    return !state.isWatching
                }
                if !isOver { lookAgain() }
            }
        }
    }

    private static let pause = Duration.milliseconds(200)

    package func tick() {
        for cell in state.withLock({ Array($0.all.values) }) { cell.tick() }
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
