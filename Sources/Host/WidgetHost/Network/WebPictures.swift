internal import WidgetHosting
internal import WidgetRunning
internal import WidgetSurroundings

/// The pictures that came over one granted network: one fetch for all who show a picture, a few at once, kept in
/// memory for a while.
actor WebPictures {
    /// Every bound of them.
    struct Limits: Sendable {
        /// The pictures that are kept, and their bytes. The one that was asked for longest ago is dropped first.
        var count = 256
        var byteCount = 32 << 20
        /// The fetches that are under way, and all that are wanted at once.
        var atOnce = 4
        var wanted = 1_000
        /// Seconds until a picture is fetched again when it is asked for, and one that has failed.
        var freshSeconds = 600.0
        var failedSeconds = 30.0
    }

    private struct Kept {
        let picture: FetchedPicture
        let end: ContinuousClock.Instant
        var use: Int
        var byteCount: Int { if case .file(let file) = picture { file.bytes.count } else { 0 } }
    }

    /// A fetch, under way or in the line, and those who wait for it.
    private struct Flight {
        let number: Int
        let fetch: @Sendable () async -> FetchedPicture
        var task: Task<Void, Never>?
        var waits = WidgetWaits<FetchedPicture>()
    }

    private let limits: Limits
    private let clock: any Clock
    private var kept: [String: Kept] = [:]
    private var keptByteCount = 0
    private var uses = 0
    private var flights: [String: Flight] = [:]
    /// The addresses of the fetches that have not begun, in their order.
    private var line: [String] = []
    private var underWay = 0
    private var lastNumber = 0

    init(_ limits: Limits = Limits(), clock: any Clock) {
        self.limits = limits
        self.clock = clock
    }

    /// The picture of an address: kept from before, or fetched. A fetch ends with the last task that waits for it.
    func picture(
        at address: String, _ fetch: @escaping @Sendable () async -> FetchedPicture
    ) async -> FetchedPicture {
        if let known = known(address) { return known }
        if flights[address] == nil {
            guard flights.count < limits.wanted else { return .failed("\(limits.wanted) others are being fetched") }
            lastNumber += 1
            flights[address] = Flight(number: lastNumber, fetch: fetch)
            line.append(address)
            beginNext()
        }
        lastNumber += 1
        let number = lastNumber
        return await withTaskCancellationHandler {
            await withCheckedContinuation { flights[address]?.waits.add(number, $0) }
        } onCancel: {
            Task { await self.leave(address, number) }
        }
    }

    private func known(_ address: String) -> FetchedPicture? {
        guard let entry = kept[address], clock.now < entry.end else { return nil }
        uses += 1
        kept[address]?.use = uses
        return entry.picture
    }

    private func beginNext() {
        while underWay < limits.atOnce, !line.isEmpty {
            let address = line.removeFirst()
            guard let flight = flights[address] else { continue }
            underWay += 1
            let (number, fetch) = (flight.number, flight.fetch)
            flights[address]?.task = Task { finish(address, number, await fetch()) }
        }
    }

    private func finish(_ address: String, _ number: Int, _ picture: FetchedPicture) {
        underWay -= 1
        // One that all have left may have been asked for again meanwhile.
        if var flight = flights[address], flight.number == number {
            flights[address] = nil
            keep(picture, address)
            flight.waits.end(with: picture)
        }
        beginNext()
    }

    private func leave(_ address: String, _ number: Int) {
        guard flights[address]?.waits.has(number) ?? false else { return }
        flights[address]?.waits.end(number, with: .failed("it is not wanted any longer"))
        guard let flight = flights[address], flight.waits.isEmpty else { return }
        flights[address] = nil
        line.removeAll { $0 == address }
        flight.task?.cancel()
    }

    private func keep(_ picture: FetchedPicture, _ address: String) {
        drop(address)
        let isFile = if case .file = picture { true } else { false }
        uses += 1
        let seconds = isFile ? limits.freshSeconds : limits.failedSeconds
        let entry = Kept(picture: picture, end: clock.moment(after: seconds), use: uses)
        kept[address] = entry
        keptByteCount += entry.byteCount
        while kept.count > limits.count || keptByteCount > limits.byteCount {
            guard let oldest = kept.min(by: { $0.value.use < $1.value.use })?.key else { return }
            drop(oldest)
        }
    }

    private func drop(_ address: String) {
        keptByteCount -= kept.removeValue(forKey: address)?.byteCount ?? 0
    }
}
