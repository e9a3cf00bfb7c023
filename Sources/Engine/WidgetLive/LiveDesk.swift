internal import Bytes
package import Surroundings

/// All viewings of a server.
package final class LiveDesk: Sendable {
    private struct Entry {
        let address: String
        /// The address that begins another in its place.
        let begin: String
        /// `nil` while its widget is made.
        var viewing: (any LiveViewing)?
    }

    private struct State {
        var entries: [String: Entry] = [:]
        /// The reasons of the viewings that have ended last, and their names in that order.
        var endings: [String: (reason: LiveEnding, begin: String)] = [:]
        var ended: [String] = []
        var isStopped = false
    }

    package let limits: LiveLimits
    package let clock: any Clock
    /// The files of all pages.
    package let files = LiveFiles()
    private let chance: any Chance
    /// The first digits of the names that this desk gives.
    private let mark: UInt64
    private let isOneOfMany: Bool
    private let state = Guarded(State())

    /// Ended viewings whose reasons are remembered.
    private static let endingCount = 1_000
    /// Seconds between two looks at what is idle.
    private static let pause = 1.0

    /// - Parameters:
    ///   - isOneOfMany: other servers of the same registry have desks as well, and may be asked for the pages of this one.
    ///   - world: its chance makes the names of viewings, which no client can predict.
    package init(_ limits: LiveLimits = LiveLimits(), isOneOfMany: Bool = false, in world: World = .machine) {
        self.limits = limits
        self.isOneOfMany = isOneOfMany
        clock = world.clock
        chance = world.chance
        mark = chance.next() >> 48
    }

    /// The viewings there are.
    package var count: Int { state.withLock { $0.entries.count } }

    package func viewing(_ name: String) -> (any LiveViewing)? { state.withLock { $0.entries[name]?.viewing } }

    /// The reason why a viewing has ended; `nil` if it has not, if it never was, or if that is long ago.
    package func ending(_ name: String) -> LiveEnding? {
        if let reason = state.withLock({ $0.endings[name]?.reason }) { return reason }
        guard let start = LiveDesk.start(of: name), start >> 48 != mark else { return nil }
        return isOneOfMany ? .elsewhere : .stopped
    }

    /// The address that begins another viewing in the place of this one; `nil` if nothing is known of it.
    package func begin(insteadOf name: String) -> String? {
        state.withLock { $0.entries[name]?.begin ?? $0.endings[name]?.begin }
    }

    /// Makes a viewing of a widget in this process, and begins the widget.
    ///
    /// - Parameters:
    ///   - address: of the client; each has a limit.
    ///   - former: the viewing whose place it takes, which is said if that has ended.
    ///   - begin: the address that begins another viewing in its place.
    ///   - place: called with the name of the viewing.
    package func open(
        _ source: any LiveSource, from address: String, after former: String? = nil, begin: String,
        at place: @Sendable (String) -> LivePlace
    ) async throws(LiveRefusal) -> Viewing {
        let viewing = try await open(from: address, after: former, begin: begin) { name, reason, notify in
            let widget = await source.widget()
            let viewing = Viewing(name, of: source, widget, at: place(name), limits, clock, files, notify)
            await viewing.begin(reason)
            return viewing
        }
        // A program that came in between found no viewing here.
        await viewing.catchUp()
        return viewing
    }

    /// Makes a viewing.
    ///
    /// - Parameter make: called with its name, the reason why it takes the place of another, and what it has to call when
    ///   it has ended.
    package func open<Made: LiveViewing>(
        from address: String, after former: String? = nil, begin: String,
        _ make: (String, String?, @escaping @Sendable (LiveEnding) -> Void) async throws(LiveRefusal) -> Made
    ) async throws(LiveRefusal) -> Made {
        let name = LiveDesk.name(mark << 48 | chance.next() >> 16, chance.next())
        await reserve(try place(name, for: address, begin))
        let viewing: Made
        do throws(LiveRefusal) {
            viewing = try await make(name, former.flatMap { reason(toReplace: $0) }) { [weak self] in
                self?.remove(name, because: $0)
            }
        } catch {
            state.withLock { $0.entries[name] = nil }
            throw error
        }
        let isOpen = state.withLock { state in
            guard !state.isStopped, state.entries[name] != nil else { return false }
            state.entries[name]?.viewing = viewing
            return true
        }
        guard isOpen else {
            await viewing.end(.stopped)
            throw .over
        }
        return viewing
    }

    private func reason(toReplace former: String) -> String? {
        guard viewing(former) == nil else { return nil }
        return "\(ending(former)?.sentence ?? LiveEnding.unknownSentence) \(LiveEnding.begunAnew)"
    }

    /// Reserves a place.
    ///
    /// - Returns: the viewing that makes room for it.
    private func place(_ name: String, for address: String, _ begin: String) throws(LiveRefusal) -> (any LiveViewing)? {
        let now = clock.now
        let result: Result<(any LiveViewing)?, LiveRefusal> = state.withLock { state in
            guard !state.isStopped, state.entries[name] == nil else { return .failure(.over) }
            var evicted: (any LiveViewing)?
            let own = state.entries.filter { $0.value.address == address }
            if own.count >= limits.viewingsPerAddress {
                let unused = own.values.compactMap(\.viewing).filter {
                    $0.use.unusedSeconds(at: now) >= limits.unusedSeconds
                }
                evicted = unused.max { $0.use.unusedSeconds(at: now) < $1.use.unusedSeconds(at: now) }
                guard let evicted else { return .failure(.tooManyOfAddress(limit: limits.viewingsPerAddress)) }
                state.entries[evicted.name] = nil
            }
            guard state.entries.count < limits.viewings else {
                return .failure(.tooManyViewings(limit: limits.viewings))
            }
            state.entries[name] = Entry(address: address, begin: begin)
            return .success(evicted)
        }
        return try result.get()
    }

    private func reserve(_ evicted: (any LiveViewing)?) async { await evicted?.end(.madeRoom) }

    private func remove(_ name: String, because ending: LiveEnding) {
        state.withLock { state in
            let begin = state.entries.removeValue(forKey: name)?.begin ?? state.endings[name]?.begin ?? ""
            guard state.endings.updateValue((ending, begin), forKey: name) == nil else { return }
            state.ended.append(name)
            if state.ended.count > LiveDesk.endingCount { state.endings[state.ended.removeFirst()] = nil }
        }
    }

    /// The first half of a name, as ``name(_:_:)`` writes it; `nil` of another text.
    private static func start(of name: String) -> UInt64? {
        let digits = Array(name.utf8)
        guard digits.count == 32, digits.allSatisfy({ Hex.lowercaseValue(of: $0) != nil }) else { return nil }
        return digits.prefix(16).reduce(0) { $0 << 4 | UInt64(Hex.lowercaseValue(of: $1) ?? 0) }
    }

    /// 128 bits as 32 hexadecimal digits, of which four are the desk's mark.
    private static func name(_ first: UInt64, _ second: UInt64) -> String {
        [first, second].map { number in
            let digits = String(number, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    // MARK: - The program

    /// Has the viewings of a source continue with its present program. What was typed is kept.
    package func renew(_ source: any LiveSource) async {
        for viewing in viewings(of: source) { await viewing.renew() }
    }

    /// Shows on the pages of a source why its program was not replaced. Their widgets continue.
    package func warn(_ source: any LiveSource, _ reason: String, times: Int = 1) async {
        for viewing in viewings(of: source) { await viewing.warn(reason, times: times) }
    }

    private func viewings(of source: any LiveSource) -> [Viewing] {
        viewings.compactMap { $0 as? Viewing }.filter { $0.source === source }
    }

    private var viewings: [any LiveViewing] { state.withLock { $0.entries.values.compactMap(\.viewing) } }

    // MARK: - Time

    /// Ends idle viewings and beats streams until the task is cancelled.
    package func run() async {
        while !Task.isCancelled {
            await clock.sleep(for: LiveDesk.pause)
            await tick()
        }
    }

    /// Ends the viewings that are idle now, and beats the streams for which it is time.
    package func tick() async {
        let now = clock.now
        for viewing in viewings {
            if let ending = viewing.use.idleness(at: now) {
                await viewing.end(ending)
            } else if viewing.use.needsBeat(at: now) {
                await viewing.beat()
            }
        }
    }

    /// Ends all viewings; none is made afterwards.
    package func stop() async {
        state.withLock { $0.isStopped = true }
        for viewing in viewings { await viewing.end(.stopped) }
        state.withLock { $0.entries = [:] }
    }
}
