internal import RegistryContract
internal import WidgetBytes
internal import WidgetSurroundings
internal import WidgetTransfers

/// The feed of a registry, read once for all watches of a client: one stream, however many widgets are watched.
///
/// Each watch has a seat, which gathers what concerns its widget until the watch looks. A seat holds a few changes at most,
/// so that a watch that is busy makes no other one wait, and a feed that floods fills no memory.
final class SharedFeed: Sendable {
    private struct State {
        var seats: [ObjectIdentifier: Seat] = [:]
        var run: Run?
        /// The identifier to continue from.
        var lastID: String?
        /// The time until which the registry is not asked again to begin behind its newest change, which it has refused,
        /// as older ones do.
        var beginsAtFirstUntil: ContinuousClock.Instant?
        var nextOpening: ContinuousClock.Instant?
        /// The time by which the bytes read so far are paid for, at the rate of ``WatchTiming/feedByteRate``.
        var busyUntil: ContinuousClock.Instant?
    }

    /// Reading on behalf of the seats, from the first to the last that is taken.
    private final class Run: Sendable {
        struct State {
            var task: Task<Void, Never>?
            var connection: Task<Ending, Never>?
            /// The widgets of the stream that is open or being opened.
            var filter = ChangeFilter([])
        }

        let state = Guarded(State())
    }

    /// The end of a stream.
    struct Ending: Sendable {
        /// True if there was a stream, or no answer that says otherwise.
        var hadFeed = true
        /// The pause that the registry wants before the stream is opened again.
        var retry: Duration?
    }

    /// The bytes of a filter in an address. A longer one is left out: every registry takes addresses of 8 KiB.
    private static let filterByteLimit = 6 << 10

    /// The time for which a refusal to begin behind the newest change counts. One 400 may be the mistake of a moment, or
    /// the registry is replaced by a newer one.
    static let refusalTime = Duration.seconds(600)

    private let state = Guarded(State())

    /// Takes a seat, and begins to read if no other watch has begun.
    func join(_ fetcher: WidgetFetcher, _ widget: WidgetIdentifier, _ timing: WatchTiming) -> Seat {
        let seat = Seat(widget, channel: fetcher.options.channel)
        state.withLock { state in
            state.seats[ObjectIdentifier(seat)] = seat
            if let run = state.run {
                // A stream that leaves the widget out is opened again with it.
                run.state.withLock { if !$0.filter.covers(widget) { $0.connection?.cancel() } }
                return
            }
            let run = Run()
            state.run = run
            let task = Task(executorPreference: fetcher.client.world.threads.tasks) { [self] in
                await read(run, fetcher, timing)
            }
            run.state.withLock { $0.task = task }
        }
        return seat
    }

    func leave(_ seat: Seat) {
        state.withLock { state in
            state.seats[ObjectIdentifier(seat)] = nil
            guard state.seats.isEmpty, let run = state.run else { return }
            state.run = nil
            run.state.withLock { $0.task?.cancel() }
        }
    }

    // MARK: Reading

    private func read(_ run: Run, _ fetcher: WidgetFetcher, _ timing: WatchTiming) async {
        let clock = fetcher.client.world.clock
        while true {
            // Watches that begin together are gathered into one stream.
            if let opening = state.withLock({ $0.nextOpening }), opening > clock.now, !Task.isCancelled {
                await clock.sleep(until: opening)
            }
            let connection = state.withLock { state -> Task<Ending, Never>? in
                guard state.run === run, !Task.isCancelled else { return nil }
                let filter = SharedFeed.filter(state.seats.values.map(\.widget))
                let task = Task(executorPreference: fetcher.client.world.threads.tasks) { [self] in
                    await connect(run, filter, fetcher, timing)
                }
                run.state.withLock { ($0.filter, $0.connection) = (filter, task) }
                return task
            }
            guard let connection else { return }
            let ending = await withTaskCancellationHandler {
                await connection.value
            } onCancel: {
                connection.cancel()
            }
            let (ended, parted) = state.withLock { state -> ([Seat], [Seat]) in
                guard state.run === run else { return ([], []) }
                let filter = run.state.withLock { $0.filter }
                if connection.isCancelled, state.seats.values.contains(where: { !filter.covers($0.widget) }) {
                    state.nextOpening = clock.now + timing.leastPause
                    // Without a place to continue from, what happens between the two streams is in neither.
                    return ([], state.lastID == nil ? Array(state.seats.values) : [])
                }
                // Many watches pause for different times: the first of them opens the next stream, and others join it.
                defer {
                    (state.seats, state.run, state.nextOpening) = ([:], nil, clock.now + timing.leastPause)
                }
                return (Array(state.seats.values), [])
            }
            for seat in parted { seat.close() }
            for seat in ended { seat.end(ending) }
            guard ended.isEmpty else { return }
        }
    }

    private static func filter(_ widgets: [WidgetIdentifier]) -> ChangeFilter {
        let filter = ChangeFilter(widgets)
        var query: QueryText = []
        filter.add(to: &query)
        let byteCount = query.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 2 }
        return byteCount <= filterByteLimit ? filter : ChangeFilter([])
    }

    /// Reads one stream to its end.
    private func connect(
        _ run: Run, _ filter: ChangeFilter, _ fetcher: WidgetFetcher, _ timing: WatchTiming
    ) async -> Ending {
        var ending = Ending()
        var reader = EventStreamReader()
        do {
            guard let body = try await open(filter, fetcher, timing) else { return Ending(hadFeed: false) }
            for seat in covered(by: run, filter) { seat.open() }
            while !Task.isCancelled, let bytes = try await body.next() {
                let events = try reader.add(bytes)
                ending.retry = reader.retry
                let changes = events.compactMap { ChangeDocument(event: $0.data) }
                let seats = state.withLock { state in
                    state.lastID = reader.lastID ?? state.lastID
                    return state.run === run ? Array(state.seats.values) : []
                }
                for seat in seats { seat.add(changes) }
                await throttle(after: bytes.count, fetcher.client.world.clock, timing)
            }
        } catch {
            // A feed that breaks off is followed again; whether the registry can be reached shows when it is asked.
        }
        return ending
    }

    /// The seats that the stream is for. Those that had one before hear of no opening: it continues.
    private func covered(by run: Run, _ filter: ChangeFilter) -> [Seat] {
        state.withLock { state in
            guard state.run === run else { return [] }
            return state.seats.values.filter { filter.covers($0.widget) }
        }
    }

    /// The endless answer with events; `nil` when the registry has no feed.
    private func open(
        _ filter: ChangeFilter, _ fetcher: WidgetFetcher, _ timing: WatchTiming
    ) async throws -> ResponseBody? {
        let clock = fetcher.client.world.clock
        while true {
            let (lastID, beginsAtLatest) = state.withLock { state in
                (state.lastID, state.beginsAtFirstUntil.map { $0 <= clock.now } ?? true)
            }
            var query: QueryText = []
            if lastID == nil, beginsAtLatest { ChangeListParameters.since.add(.latest, to: &query) }
            filter.add(to: &query)
            var request = fetcher.request(try fetcher.registry.route(RegistryPath.changes, query))
            request.fields.append(TransferField("Accept", "text/event-stream"))
            if let lastID { request.fields.append(TransferField("Last-Event-ID", lastID)) }
            request.acceptsCompression = false
            request.retries = .never
            request.limits.stall = timing.silence
            request.limits.total = nil
            request.limits.bodyByteCount = nil
            let answer = try await fetcher.client.send(request)
            if answer.head.status == 400, lastID != nil || beginsAtLatest {
                let seats = state.withLock { state in
                    if lastID == nil { state.beginsAtFirstUntil = clock.now + SharedFeed.refusalTime }
                    // The registry has no such change: it was put back to an older copy, or is another one.
                    state.lastID = nil
                    return Array(state.seats.values)
                }
                // What happened meanwhile is in no stream.
                if lastID != nil { for seat in seats { seat.close() } }
                continue
            }
            let kind = answer.head["Content-Type"]?.prefix { $0 != ";" }.lowercased()
            return answer.head.status == 200 && kind == "text/event-stream" ? answer.body : nil
        }
    }

    /// Reads no faster than an honest feed writes: the rest of it waits in the network.
    private func throttle(after byteCount: Int, _ clock: any Clock, _ timing: WatchTiming) async {
        // A piece costs something however small it is.
        let cost = Double(max(byteCount, WatchTiming.pieceByteCount)) / Double(timing.feedByteRate)
        let end = state.withLock { state in
            let end = max(state.busyUntil ?? clock.now, clock.now) + .seconds(cost)
            state.busyUntil = end
            return end
        }
        if end - clock.now > .seconds(1) { await clock.sleep(until: end) }
    }
}

extension SharedFeed {
    /// A notice for a watch.
    enum Notice: Sendable {
        /// The stream has begun; what happened before is in none.
        case opened
        /// Something was read: changes that may concern the widget, and whether there were too many of them to keep.
        case read([ChangeDocument], isFlooded: Bool)
        case ended(Ending)
    }

    /// The place of one watch at the feed.
    final class Seat: Sendable {
        private struct Mail {
            var isOpen = false
            var isNew = false
            var hasRead = false
            var changes: [ChangeDocument] = []
            var isFlooded = false
            var ending: Ending?
        }

        /// Changes that are kept until the watch looks.
        private static let mostChanges = 64

        let widget: WidgetIdentifier
        private let channel: String
        private let mail = Guarded(Mail())
        private let (bell, ring) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

        fileprivate init(_ widget: WidgetIdentifier, channel: String) {
            self.widget = widget
            self.channel = channel
        }

        /// The next notice; `nil` if the task is cancelled.
        func next() async -> Notice? {
            while true {
                if let notice = mail.withLock({ Seat.take(&$0) }) { return notice }
                var bells = bell.makeAsyncIterator()
                guard await bells.next() != nil else { return nil }
            }
        }

        private static func take(_ mail: inout Mail) -> Notice? {
            if mail.isNew {
                mail.isNew = false
                return .opened
            }
            if mail.hasRead {
                defer { (mail.hasRead, mail.changes, mail.isFlooded) = (false, [], false) }
                return .read(mail.changes, isFlooded: mail.isFlooded)
            }
            return mail.ending.map { .ended($0) }
        }

        fileprivate func open() {
            change {
                if !$0.isOpen { $0.isNew = true }
                $0.isOpen = true
            }
        }

        /// The stream that follows does not continue the one before.
        fileprivate func close() { change { $0.isOpen = false } }

        fileprivate func add(_ changes: [ChangeDocument]) {
            let mine = changes.filter { $0.concerns(widget, channel: channel, seen: nil) }
            change { mail in
                mail.hasRead = true
                let room = Seat.mostChanges - mail.changes.count
                mail.changes += mine.prefix(room)
                if mine.count > room { mail.isFlooded = true }
            }
        }

        fileprivate func end(_ ending: Ending) { change { $0.ending = ending } }

        private func change(_ body: (inout Mail) -> Void) {
            mail.withLock { body(&$0) }
            ring.yield()
        }
    }
}
