internal import WidgetBytes
internal import WidgetContract
package import WidgetCore
internal import WidgetHosting
internal import WidgetPredicates
internal import WidgetRunning

/// The acts of people. An element is named by its identifier, by the text that it is known by, or by its ``ScreenElement/key``;
/// `Save#2` is the second of several.
extension WidgetSession {
    /// Taps an element, or a button of the alert in front.
    ///
    /// - Throws: ``RuntimeError`` with ``RuntimeError/Code/unknownElement`` or ``RuntimeError/Code/refused``.
    public func tap(_ name: String) async throws(RuntimeError) {
        try await send(.tap(try await key(name, for: .tap)))
    }

    /// Types a text into a field, in place of what it has.
    public func type(_ text: String, into name: String) async throws(RuntimeError) {
        try await send(.input(try await key(name, for: nil), .string(text)))
    }

    /// Presses Enter in a field.
    public func submit(_ name: String) async throws(RuntimeError) {
        try await send(.submit(try await key(name, for: .submit)))
    }

    /// Turns a switch on or off.
    public func turn(_ name: String, on isOn: Bool) async throws(RuntimeError) {
        try await send(.input(try await key(name, for: nil), .boolean(isOn)))
    }

    /// Sets the value of a slider or a stepper, or chooses one of several parts or options, counted from 0.
    public func set(_ name: String, to value: Double) async throws(RuntimeError) {
        let whole = Int64(exactly: value)
        try await send(.input(try await key(name, for: nil), whole.map { .integer($0) } ?? .double(value)))
    }

    /// Selects a row of a list.
    public func select(row: Int, section: Int = 0, of list: String = "list") async throws(RuntimeError) {
        try await send(.select(try await self.row(row, section, list, for: .select)))
    }

    /// Deletes a row of a list.
    public func delete(row: Int, section: Int = 0, of list: String = "list") async throws(RuntimeError) {
        try await send(.deleteRow(try await self.row(row, section, list, for: .delete)))
    }

    /// Deletes the row that has a name, or that has an element of it: a key means the same row while others come and go.
    public func delete(_ name: String) async throws(RuntimeError) {
        let view = await running.snapshot().view
        let search = ElementSearch(view)
        guard let key = search.key(name, for: .delete) else { throw WidgetSession.unknown(name, search.names) }
        let kind = view.node(key)?.kind
        guard kind != .list, kind != .grid, let row = view.row(around: key) else {
            throw RuntimeError(
                .unknownElement, "\(name) is not in a row", hint: "a row of a list is deleted by its key or its number")
        }
        try await send(.deleteRow(row))
    }

    /// Scrolls a list to one of its ends. A list that loads more there does so.
    public func scroll(_ list: String = "list", toEnd: Bool = true) async throws(RuntimeError) {
        try await send(.scroll(try await key(list, for: toEnd ? .scrollEnd : .scrollStart), toEnd: toEnd))
    }

    /// Picks a picture or a film, as a widget wants it with ``AppWish/pickMedia``.
    ///
    /// - Parameters:
    ///   - media: the picture or film.
    ///   - name: the element that was tapped for it; `nil` for the first one of the screen that takes media.
    public func pick(_ media: PickedMedia, for name: String? = nil) async throws(RuntimeError) {
        let key: ViewKey
        if let name {
            key = try await self.key(name, for: .pick)
        } else {
            guard let first = await running.snapshot().view.firstKey(taking: .pick) else {
                throw RuntimeError(.refused, "the screen takes no pictures or films")
            }
            key = first
        }
        try await send(.pick(key, media.media))
    }

    /// Pulls a list down.
    public func refresh(_ list: String = "list") async throws(RuntimeError) {
        try await send(.refresh(try await key(list, for: .refresh)))
    }

    /// Returns to the screen below.
    public func back() async throws(RuntimeError) { try await send(.back) }

    /// Follows a link into the widget.
    public func open(_ address: String) async -> LinkOutcome {
        LinkOutcome(await running.open(address))
    }

    /// Follows a link into the widget, and returns when it has ended: at once, when its row has come, or when that is not
    /// expected any longer. The widget continues meanwhile, and another link ends this one.
    public func follow(_ address: String) async -> LinkEnd {
        LinkEnd(await running.arrive(at: address), of: address, in: identifier)
    }

    /// Returns when the widget has settled: no request, no update, no link and no timer that fires once within a minute is
    /// under way.
    ///
    /// Without a ``SteppedClock`` that is the time to look at a screen whose answers have come. With one, time passes by
    /// ``SteppedClock/advance(by:)`` alone.
    ///
    /// - Parameter seconds: the time for it, by the widget's clock.
    /// - Returns: false if it has not settled in time, was stopped, or if the task was cancelled.
    @discardableResult
    public func settle(within seconds: Double = 60) async -> Bool { await running.settled(within: seconds) }

    // MARK: - Data

    /// Asks the widget's servers for newer data. A call during an update shares its end.
    public func update() async -> DataUpdate { DataUpdate(await running.update(.demand)) }

    /// Says that a server has announced newer data. Unlike ``update()`` it waits for the end of a pause after failures.
    public func updateAfterNotification() async -> DataUpdate { DataUpdate(await running.update(.push)) }

    // MARK: - The app

    /// The wishes of the widget to the app since the last call.
    public func takeWishes() async -> [AppWish] { await running.takeHostRequests().map(AppWish.init) }

    /// Sends an event of the engine.
    package func send(_ event: Event) async throws(RuntimeError) {
        guard let reason = await running.send(event) else { return }
        throw RuntimeError(.refused, reason)
    }

    private func key(_ name: String, for event: NodeEvent?) async throws(RuntimeError) -> ViewKey {
        let search = ElementSearch(await running.snapshot().view)
        if let key = search.key(name, for: event) { return key }
        throw WidgetSession.unknown(name, search.names)
    }

    private func row(
        _ row: Int, _ section: Int, _ list: String, for event: NodeEvent
    ) async throws(RuntimeError) -> ViewKey {
        switch ElementSearch(await running.snapshot().view).row(row, inSection: section, of: list, for: event) {
        case .row(let key): return key
        case .missing(let reason): throw RuntimeError(.unknownElement, reason)
        }
    }

    private static func unknown(_ name: String, _ names: [String]) -> RuntimeError {
        let nearest = NearestName.of(name, in: names).map { "did you mean \($0)?" }
        return RuntimeError(
            .unknownElement, "nothing is called \(name) on the screen",
            hint: nearest ?? (names.isEmpty ? nil : "there are \(NameList(names))"))
    }
}

/// The end of an update of a widget's data. Every update has exactly one.
public enum DataUpdate: Hashable, Sendable {
    /// The data are others than before.
    case newData
    /// The data from before are up to date.
    case noData
    /// The data from before are still shown, for this reason.
    case failed(String)

    init(_ result: DataUpdateResult) {
        switch result {
        case .newData: self = .newData
        case .noData: self = .noData
        case .failed(let failure): self = .failed("\(failure)")
        }
    }
}

/// Something that a widget wants from its app.
public enum AppWish: Hashable, Sendable {
    /// To open an address, in a browser or in another app.
    case open(String)
    /// To call an object of the app, by the names that the bundle has for both.
    case call(target: String, selector: String, argument: WidgetValue)
    /// To let a person pick a picture or a film.
    case pickMedia
    /// To bring one end of a list into sight.
    case scroll(list: String, toEnd: Bool)

    init(_ request: HostRequest) {
        switch request {
        case .open(let address): self = .open(address)
        case .native(.pickMedia, _): self = .pickMedia
        case .native(.message(let target, let selector), let argument):
            self = .call(target: target, selector: selector, argument: WidgetValue(argument))
        case .native(.scroll(let list, let toEnd), _): self = .scroll(list: list, toEnd: toEnd)
        }
    }
}
