package import WidgetContract
package import WidgetCore

/// The driver of one widget: it hands events to the instance under the clock it was given, and carries out those of
/// their effects that need no waiting.
///
/// It keeps the queue of requests, the changes that are not saved yet, and the requests to the app. Its owner sends the
/// requests: a host in the background, a script one after the other.
package struct WidgetDriver: Sendable {
    package internal(set) var instance: WidgetInstance
    private let clock: WidgetTime
    /// `nil` for a widget whose data is not kept.
    private var records: (any RecordKeeping)?
    /// Requests that are not sent yet, the oldest first.
    package private(set) var waiting: [OutgoingRequest] = []
    /// The numbers of the requests that were begun and are neither answered nor cancelled.
    package private(set) var underWay: Set<Int> = []
    /// Records that changed or went away since the last save that succeeded.
    package private(set) var unsaved: Set<RecordID> = []
    /// True if settings changed since the last save that succeeded.
    package private(set) var hasUnsavedSettings = false
    private var hostRequests: [HostRequest] = []
    private var cacheChanges: [CacheChange] = []
    private let keys: SendingKeys

    /// - Parameter chance: a random number, of which the keys of sendings are made.
    package init(
        _ instance: WidgetInstance, clock: WidgetTime, keeping records: (any RecordKeeping)? = nil,
        chance: () -> UInt64 = { .random(in: 0 ... .max) }
    ) {
        keys = SendingKeys(chance)
        self.instance = instance
        self.clock = clock
        self.records = records
    }

    // MARK: - Events

    /// - Returns: the reason for a refusal; `nil` if the widget has taken the event.
    @discardableResult
    package mutating func send(_ event: Event) -> String? {
        advance()
        defer { carryOut() }
        return instance.send(event)
    }

    /// Sends an event to an element of the screen.
    ///
    /// - Parameters:
    ///   - name: its identifier, one with its screen before it, or its accessible name.
    ///   - action: the wanted action; of several elements of a name, one that has it is chosen.
    /// - Returns: the reason for a refusal; `nil` if the widget has taken the event.
    package mutating func send(
        to name: String, for action: NodeEvent? = nil, _ event: (ViewKey) -> Event
    ) -> String? {
        let search = ElementSearch(instance.view())
        guard let key = search.key(name, for: action) else { return search.missing(name) }
        return send(event(key))
    }

    /// Sends an event to a row of a list of the screen.
    ///
    /// - Parameters:
    ///   - row: its place in the section.
    ///   - name, action: those of the list.
    /// - Returns: the reason for a refusal; `nil` if the widget has taken the event.
    package mutating func send(
        toRow row: Int, inSection section: Int, of name: String, for action: NodeEvent? = nil,
        _ event: (ViewKey) -> Event
    ) -> String? {
        switch ElementSearch(instance.view()).row(row, inSection: section, of: name, for: action) {
        case .row(let key): send(event(key))
        case .missing(let reason): reason
        }
    }

    /// Continues with another program, and keeps the state that has a place in it. Answers to earlier requests are
    /// discarded.
    ///
    /// - Parameter native: the widget whose program it is, if its closures are to run.
    package mutating func replace(_ program: Program, native: NativeProgram? = nil) {
        advance()
        dropRequests()
        instance.replace(program, native: native)
        carryOut()
    }

    /// Counts programs that could not be read. The present one continues.
    package mutating func refuse(times: Int = 1) { instance.refuse(times: times) }

    /// Begins again, with the records and settings that the run began with. Answers to earlier requests are discarded.
    package mutating func restart() {
        advance()
        dropRequests()
        instance.restart()
        carryOut()
    }

    package mutating func view() -> View { instance.view() }

    /// Keeps the moments from now on, so that an author can look at them again.
    package mutating func keepMoments() { instance.keepMoments() }

    /// Continues in another place, or with other abilities of the host.
    package mutating func show(in display: Display, abilities: Set<HostAbility>) {
        advance()
        instance.show(in: display, abilities: abilities)
        carryOut()
    }

    // MARK: - Updates of its data

    /// Asks again what the open screens ask on load.
    package mutating func beginUpdate(_ number: Int, within seconds: Double) {
        advance()
        instance.beginUpdate(number, within: seconds)
        carryOut()
    }

    /// The answer to the update that is running, once, when all of its requests have ended.
    package mutating func takeUpdateAnswer(hasContent: Bool = false) -> (update: Int, answer: DataUpdateAnswer)? {
        instance.takeUpdateAnswer(hasContent: hasContent)
    }

    /// Gives up the update that is running; see ``WidgetInstance/abandonUpdate(because:)``.
    package mutating func abandonUpdate(because reason: String) {
        instance.abandonUpdate(because: reason)
        carryOut()
    }

    /// The moment that the clock shows.
    package var now: Double { clock.now ?? instance.environment.now }

    /// The reason why an action has sent no request since the last call, if one lacked its authorization.
    package mutating func takeUnsent() -> String? { instance.takeUnsent() }

    mutating func carryOut() {
        for effect in instance.takeEffects() {
            switch effect {
            case .request(let number, let request):
                let request = PictureCompression.applied(to: keyed(request, number))
                let pending = instance.store.requests.first { $0.number == number }
                waiting.append(
                    OutgoingRequest(
                        number: number, request: request, service: pending?.service ?? "",
                        action: pending?.action ?? ""))
            case .cancel(let number):
                waiting.removeAll { $0.number == number }
                underWay.remove(number)
            case .persist(let ids): unsaved.formUnion(ids)
            case .settings: hasUnsavedSettings = true
            case .cache(let change):
                cacheChanges.removeAll { $0.key == change.key }
                cacheChanges.append(change)
            case .open(let url): add(.open(url))
            case .native(let call, let argument): add(.native(call, argument: argument))
            case .handle: continue
            }
        }
    }

    /// The request with the key of its sending, if it has one. A repeated request keeps its number, and so its key.
    private func keyed(_ request: ServiceRequest, _ number: Int) -> ServiceRequest {
        guard request.isKeyed else { return request }
        var request = request
        request.headers.append(ServiceRequest.Header(name: ServiceRequest.keyField, value: keys[number]))
        return request
    }

    // MARK: - Time

    /// Brings the widget up to the moment that the clock shows.
    package mutating func advance() {
        guard let now = clock.now else { return }
        instance.advance(to: now)
        carryOut()
    }

    /// Seconds until the next deadline; infinite without one.
    package var secondsToDeadline: Double {
        (instance.store.nextDeadline ?? .infinity) - now
    }

    /// Lets time pass on a script's clock.
    package mutating func pass(_ seconds: Double) {
        instance.advance(by: seconds)
        carryOut()
    }

    /// Lets time pass until nothing is under way, for the given seconds at most.
    ///
    /// - Returns: whether the widget is at rest; it is not while a request waits to be sent.
    package mutating func settle(within seconds: Double = 60) -> Bool {
        var steps = instance.budget.unrestStepCount
        return settle(within: seconds, &steps)
    }

    /// - Parameter steps: the steps that are left for several waits together.
    package mutating func settle(within seconds: Double, _ steps: inout Int) -> Bool {
        guard waiting.isEmpty else { return instance.isAtRest }
        defer { carryOut() }
        return instance.settle(within: seconds, &steps)
    }

    // MARK: - Requests to servers

    /// Begins waiting requests, until `limit` of them are under way. The caller sends them.
    package mutating func beginRequests(atOnce limit: Int = .max) -> [OutgoingRequest] {
        let begun = Array(waiting.prefix(max(0, limit - underWay.count)))
        waiting.removeFirst(begun.count)
        underWay.formUnion(begun.map { $0.number })
        return begun
    }

    /// Fails the oldest waiting requests when more than `limit` wait.
    package mutating func failRequests(beyond limit: Int) {
        let excess = waiting.prefix(max(0, waiting.count - limit))
        waiting.removeFirst(excess.count)
        for request in excess {
            instance.send(.response(request: request.number, .failure("More requests wait than may.")))
            carryOut()
        }
    }

    /// Reports the part of a request that was sent, from 0 to 1; ignored unless the request is under way.
    package mutating func progress(of number: Int, _ fraction: Double) {
        guard underWay.contains(number) else { return }
        send(.progress(request: number, fraction))
    }

    /// Answers a request; ignored unless the request is under way.
    package mutating func finish(_ number: Int, _ outcome: RequestOutcome) {
        guard underWay.remove(number) != nil else { return }
        send(.response(request: number, outcome))
    }

    /// Discards all requests; their answers will be ignored.
    package mutating func dropRequests() {
        waiting = []
        underWay = []
    }

    // MARK: - The cache

    /// The changes of the cache since the last call, the last one of each key.
    package mutating func takeCacheChanges() -> [CacheChange] {
        defer { cacheChanges = [] }
        return cacheChanges
    }

    // MARK: - Requests to the app

    package mutating func takeHostRequests() -> [HostRequest] {
        defer { hostRequests = [] }
        return hostRequests
    }

    package mutating func takeAddresses() -> [HostRequest] {
        var taken: [HostRequest] = []
        hostRequests.removeAll { request in
            guard case .open = request else { return false }
            taken.append(request)
            return true
        }
        return taken
    }

    /// Remembers a request to the app. An app that does not take them gets only the latest.
    private mutating func add(_ request: HostRequest) {
        if hostRequests.count == PendingEffects.hostRequestLimit { hostRequests.removeFirst() }
        hostRequests.append(request)
    }

    // MARK: - Saving

    /// Saves the changes since the last save that succeeded. When it fails, they are still to be saved.
    package mutating func save() throws(WidgetError) {
        if let records { try save(to: records) }
    }

    /// Saves to a store that the widget does not hold.
    package mutating func save(to records: any RecordKeeping) throws(WidgetError) {
        try records.save(unsaved, of: instance.store, settings: hasUnsavedSettings)
        unsaved = []
        hasUnsavedSettings = false
    }

    /// Releases the store, so that another widget may open it.
    package mutating func releaseStore() { records = nil }
}

/// The keys by which servers recognise that a request is sent again: one for each sending, and the same for all of its
/// attempts. They have the form of a random UUID (RFC 9562 §5.4), drawn once for each driver, with the request's number
/// in place of its last part.
struct SendingKeys: Sendable {
    private let first: UInt64
    private let second: UInt16

    init(_ chance: () -> UInt64) {
        first = chance()
        second = UInt16(truncatingIfNeeded: chance())
    }

    subscript(number: Int) -> String {
        let variant = second & 0x3FFF | 0x8000
        return [
            SendingKeys.hex(first >> 32, 8), SendingKeys.hex(first >> 16 & 0xFFFF, 4),
            SendingKeys.hex(first & 0x0FFF | 0x4000, 4), SendingKeys.hex(UInt64(variant), 4),
            SendingKeys.hex(UInt64(truncatingIfNeeded: number) & 0xFFFF_FFFF_FFFF, 12),
        ].joined(separator: "-")
    }

    private static func hex(_ number: UInt64, _ width: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

/// A place that keeps the records and settings of one widget.
package protocol RecordKeeping: AnyObject, Sendable {
    /// Stores the records of these numbers as a store has them, or removes those that it no longer has; with all settings,
    /// if they have changed.
    func save(_ ids: Set<RecordID>, of store: Store, settings: Bool) throws(WidgetError)
}

/// A request that only the app around a widget can fulfil.
package enum HostRequest: Sendable {
    case open(String)
    case native(HostCall, argument: Value)
}

/// A request to a server, with the number that its answer carries.
package struct OutgoingRequest: Sendable {
    package let number: Int
    package let request: ServiceRequest
    /// The action that asks, and its service.
    package let service: String
    package let action: String

    package init(number: Int, request: ServiceRequest, service: String, action: String) {
        (self.number, self.request, self.service, self.action) = (number, request, service, action)
    }
}

/// The time that a widget sees, in seconds since 2001.
package enum WidgetTime: Sendable {
    /// Moves only when the widget's driver lets time pass, as scripts and tests need it.
    case script
    /// Runs by a clock, which says the present moment.
    case running(@Sendable () -> Double)

    /// The moment to bring a widget up to; `nil` if only its driver moves it.
    var now: Double? {
        guard case .running(let moment) = self else { return nil }
        return moment()
    }
}
