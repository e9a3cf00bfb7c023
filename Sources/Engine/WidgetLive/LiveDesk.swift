internal import WidgetBytes
package import WidgetCore
package import WidgetRender
package import WidgetSurroundings

/// All live pages of a server.
package final class LiveDesk: Sendable {
    private struct Entry {
        let address: String
        let origin: Origin
        /// `nil` while its widget is made.
        var page: LivePage?
    }

    /// The way to another page in the place of one, and its reader.
    private struct Origin {
        var begin = ""
        var locale = ""
    }

    private struct State {
        var entries: [String: Entry] = [:]
        /// The reasons of the pages that have ended last, and their names in that order.
        var endings: [String: (reason: LiveEnding, origin: Origin)] = [:]
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
    private let state = Guarded(State())

    /// Ended pages whose reasons are remembered.
    private static let endingCount = 1_000
    /// Seconds between two looks at what is idle.
    private static let pause = 1.0

    /// - Parameter world: its chance makes the names of pages, which no client can predict.
    package init(_ limits: LiveLimits = LiveLimits(), in world: World = .machine) {
        self.limits = limits
        clock = world.clock
        chance = world.chance
        mark = chance.next() >> 48
    }

    /// The pages there are.
    package var count: Int { state.withLock { $0.entries.count } }

    package func page(_ name: String) -> LivePage? { state.withLock { $0.entries[name]?.page } }

    /// The reason why a page has ended; `nil` if it has not, if it never was, or if that is long ago.
    package func ending(_ name: String) -> LiveEnding? {
        if let reason = state.withLock({ $0.endings[name]?.reason }) { return reason }
        guard let start = LiveDesk.start(of: name), start >> 48 != mark else { return nil }
        return .stopped
    }

    /// The address that begins another page in the place of this one; `nil` if nothing is known of it.
    package func begin(insteadOf name: String) -> String? {
        state.withLock { $0.entries[name]?.origin ?? $0.endings[name]?.origin }?.begin
    }

    /// The words for the reader of a page; `nil` if nothing is known of it.
    package func words(for name: String) -> SystemWords? {
        state.withLock { $0.entries[name]?.origin ?? $0.endings[name]?.origin }.map { SystemWords($0.locale) }
    }

    /// Makes a page of a widget in this process, and begins the widget.
    ///
    /// - Parameters:
    ///   - address: of the client; each has a limit.
    ///   - former: the page whose place it takes, which is said if that has ended.
    ///   - begin: the address that begins another page in its place.
    ///   - link: leads to the screen that is shown first.
    ///   - script: of the page.
    ///   - place: called with the name of the page.
    package func open(
        _ source: any LiveSource, from address: String, after former: String? = nil, begin: String,
        opening link: String? = nil, script: ScriptAddress?, at place: @Sendable (String) -> LivePlace
    ) async throws(LiveRefusal) -> LivePage {
        let page = try await openOne(
            from: address, after: former, begin: begin, at: place, printing: { OneWidgetPage($0, script: script) }
        ) { _, place, reason, end in
            let viewing = Viewing(of: source, await source.widget(), at: place, limits, clock, files, end.come)
            await viewing.begin(reason, opening: link)
            return viewing
        }
        // A program that came in between found no page here.
        await page.catchUp()
        return page
    }

    /// Makes a page with one widget.
    ///
    /// - Parameter make: called with the name, the widget's place, the reason why the page takes the place of another, and what
    ///   is to be notified of the widget's end.
    package func openOne(
        from address: String, after former: String? = nil, begin: String,
        at place: @Sendable (String) -> LivePlace, printing: @Sendable (LivePlace) -> any LivePagePrinter,
        _ make: (String, LivePlace, String?, PartEnd) async throws(LiveRefusal) -> any LivePart
    ) async throws(LiveRefusal) -> LivePage {
        // The reader of a place is the same under any name.
        let locale = place("").options.locale
        return try await open(from: address, after: former, begin: begin, for: locale) {
            (name, reason, notify) throws(LiveRefusal) -> LivePage in
            let (place, end) = (place(name), PartEnd(notify))
            let part = try await make(name, place, reason, end)
            let source = OneWidget(part, letter: place.options.letter, end)
            let page = LivePage(name, of: source, printing(place), at: place.page, self, notify)
            await page.begin()
            return page
        }
    }

    /// Makes a page.
    ///
    /// - Parameters:
    ///   - locale: the reader's language and region.
    ///   - make: called with its name, the reason why it takes the place of another, and what it has to call when it has
    ///     ended.
    package func open(
        from address: String, after former: String? = nil, begin: String, for locale: String = "",
        _ make: (String, String?, @escaping @Sendable (LiveEnding) -> Void) async throws(LiveRefusal) -> LivePage
    ) async throws(LiveRefusal) -> LivePage {
        let name = LiveDesk.name(mark << 48 | chance.next() >> 16, chance.next())
        await reserve(try place(name, for: address, Origin(begin: begin, locale: locale)))
        let page: LivePage
        do throws(LiveRefusal) {
            page = try await make(name, former.flatMap { reason(toReplace: $0, SystemWords(locale)) }) { [weak self] in
                self?.remove(name, because: $0)
            }
        } catch {
            state.withLock { $0.entries[name] = nil }
            throw error
        }
        let isOpen = state.withLock { state in
            guard !state.isStopped, state.entries[name] != nil else { return false }
            state.entries[name]?.page = page
            return true
        }
        guard isOpen else {
            await page.end(.stopped)
            throw .over
        }
        return page
    }

    private func reason(toReplace former: String, _ words: SystemWords) -> String? {
        guard page(former) == nil else { return nil }
        return "\(ending(former)?.sentence(words) ?? words[.ended]) \(words[.begunAnew])"
    }

    /// Reserves a place.
    ///
    /// - Returns: the page that makes room for it.
    private func place(_ name: String, for address: String, _ origin: Origin) throws(LiveRefusal) -> LivePage? {
        let now = clock.now
        let result: Result<LivePage?, LiveRefusal> = state.withLock { state in
            guard !state.isStopped, state.entries[name] == nil else { return .failure(.over) }
            /// The page that is unused for longest, and for long enough.
            func unused(_ entries: some Sequence<Entry>) -> LivePage? {
                entries.compactMap { $0.page }.map { ($0, $0.use.unusedSeconds(at: now)) }
                    .filter { $0.1 >= limits.unusedSeconds }.max { $0.1 < $1.1 }?.0
            }
            var evicted: LivePage?
            let own = state.entries.filter { $0.value.address == address }
            if own.count >= limits.viewingsPerAddress {
                evicted = unused(own.values)
                guard evicted != nil else { return .failure(.tooManyOfAddress(limit: limits.viewingsPerAddress)) }
            } else if state.entries.count >= limits.viewings, limits.makesRoomForAll {
                evicted = unused(state.entries.values)
            }
            if let evicted {
                let origin = state.entries.removeValue(forKey: evicted.name)?.origin ?? Origin()
                LiveDesk.note(.madeRoom, origin, of: evicted.name, &state)
            }
            guard state.entries.count < limits.viewings else {
                return .failure(.tooManyViewings(limit: limits.viewings))
            }
            state.entries[name] = Entry(address: address, origin: origin)
            return .success(evicted)
        }
        return try result.get()
    }

    private func reserve(_ evicted: LivePage?) async { await evicted?.end(.madeRoom) }

    private func remove(_ name: String, because ending: LiveEnding) {
        state.withLock { state in
            let known = state.entries.removeValue(forKey: name)?.origin ?? state.endings[name]?.origin
            LiveDesk.note(ending, known ?? Origin(), of: name, &state)
        }
    }

    /// Remembers why a page has ended, and the address that begins another one.
    private static func note(_ ending: LiveEnding, _ origin: Origin, of name: String, _ state: inout State) {
        guard state.endings.updateValue((ending, origin), forKey: name) == nil else { return }
        state.ended.append(name)
        if state.ended.count > endingCount { state.endings[state.ended.removeFirst()] = nil }
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

    /// Has the widgets of a source continue with its present program. What was typed is kept.
    package func renew(_ source: any LiveSource) async {
        for page in pages { await page.renew(source) }
    }

    /// Shows on the pages of a source why its program was not replaced. Their widgets continue.
    package func warn(_ source: any LiveSource, _ reason: String, times: Int = 1) async {
        for page in pages { await page.warn(source, reason, times: times) }
    }

    private var pages: [LivePage] { state.withLock { $0.entries.values.compactMap { $0.page } } }

    // MARK: - Time

    /// Ends idle pages and beats streams until the task is cancelled.
    package func run() async {
        while !Task.isCancelled {
            await clock.sleep(for: LiveDesk.pause)
            await tick()
        }
    }

    /// Ends the pages that are idle now, and beats the streams for which it is time.
    package func tick() async {
        let now = clock.now
        for page in pages {
            if let ending = page.use.idleness(at: now) {
                await page.end(ending)
            } else if page.use.needsBeat(at: now) {
                await page.beat()
            }
        }
    }

    /// Ends all pages of a client, and those that are being made for it.
    package func end(of address: String) async {
        let own = state.withLock { state in
            let own = state.entries.filter { $0.value.address == address }
            for (name, entry) in own where entry.page == nil { state.entries[name] = nil }
            return own.values.compactMap { $0.page }
        }
        for page in own { await page.end() }
    }

    /// Ends all pages; none is made afterwards.
    package func stop() async {
        state.withLock { $0.isStopped = true }
        for page in pages { await page.end(.stopped) }
        state.withLock { $0.entries = [:] }
    }
}
