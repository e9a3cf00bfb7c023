package import WidgetContract
package import WidgetCore
internal import WidgetPredicates

/// A widget that a script drives, without waiting: it says what it needs from a host, and continues when it has that. Time
/// passes only after a step, until the widget has settled.
package struct ScriptPlayer {
    /// A need that has to be met before a script continues.
    package enum Need {
        /// A request to send; ``ScriptPlayer/answer(_:_:progress:)`` takes the answer.
        case answer(OutgoingRequest)
        /// A change of the host's cache.
        case keep(CacheChange)
    }

    /// The step that follows when the widget has settled.
    private enum Next {
        case start
        case step(Int)
        /// The end, with the sentence about a form that refused a step.
        case failure(String)
        case end
    }

    /// The state of settling: the requests of a round that are not sent yet, and what is left of the limits.
    private struct Settling {
        var then: Next
        var end: Double
        var steps: Int
        var exchanges = ScriptPlayer.exchangeLimit
        var round: ArraySlice<OutgoingRequest> = []
        var isExchanging = true
        var changes: ArraySlice<CacheChange> = []
    }

    package private(set) var driver: WidgetDriver
    private var updates: DataUpdates
    private let text: (View) -> String
    private let print: (View) -> String
    private var entries: [EventScript.Entry] = []
    private var settling: Settling?
    private var place = 0
    /// Called with the screen when the widget has settled: after its start, and after each step.
    package var settled: ((View) -> Void)?
    /// Called with the screen while a request is being sent.
    package var progressed: ((View) -> Void)?
    /// Reads the file of a picture or a film that a step picks.
    package var media: (String) throws(WidgetError) -> Media
    /// The pictures that snapshots have printed, and the screen of a form that refused a step unexpectedly.
    package private(set) var output = ""

    private var notices: [String] = []
    /// The link whose row is awaited.
    private var visit: LinkVisit?
    /// Takes down the steps that succeed, if they are recorded.
    package var recorder: ScriptRecorder?

    /// The number of times a widget may ask again after it was answered, in one step.
    private static let exchangeLimit = 200
    private static let progressLimit = 100
    /// The seconds that a step may take on the widget's clock.
    private static let settlingLimit = 60.0

    /// - Parameters:
    ///   - records: the store that ``save()`` writes to.
    ///   - print: prints a snapshot; by default as `text` does.
    ///   - text: prints the screen, for expectations to look in and for the message when one fails.
    package init(
        _ instance: WidgetInstance, records: (any RecordKeeping)? = nil,
        media: @escaping (String) throws(WidgetError) -> Media,
        print: ((View) -> String)? = nil, text: @escaping (View) -> String
    ) {
        driver = WidgetDriver(instance, clock: .script, keeping: records)
        updates = DataUpdates(instance.program.terms.policy, seed: instance.environment.seed)
        self.media = media
        self.text = text
        self.print = print ?? text
    }

    package var instance: WidgetInstance { driver.instance }

    package mutating func view() -> View { driver.view() }

    /// Sentences about actions since the last call that sent nothing, because they lacked an authorization.
    package mutating func takeNotices() -> [String] {
        defer { notices = [] }
        return notices
    }

    package mutating func note(_ sentence: String) { notices.append(sentence) }

    package mutating func takeHostRequests() -> [HostRequest] { driver.takeHostRequests() }

    /// Saves the changes since the last save that succeeded. When it fails, they are still to be saved.
    package mutating func save() throws(WidgetError) { try driver.save() }

    /// The age and state of its data. Its beginning is an update, and all that it asks on the way belongs to it.
    package var data: DataStatus { updates.status(at: driver.now) }

    /// Takes over values that a host's cache has.
    package mutating func recall(_ changes: [CacheChange]) { driver.send(.cached(changes)) }

    // MARK: - From need to need

    /// Starts the widget and plays the steps, by ``next()``.
    package mutating func begin(_ script: EventScript) {
        (entries, place) = (script.entries, 0)
        for case .begin(let update) in updates.handle(.trigger(.demand), at: driver.now) {
            driver.beginUpdate(update, within: updates.policy.deadline)
        }
        settle(then: .start)
    }

    /// Plays more steps with the same widget, by ``next()``.
    package mutating func `continue`(with script: EventScript) {
        (entries, place, settling) = (script.entries, 0, nil)
    }

    /// Begins again, with the records and settings that the run began with; it settles by ``next()``.
    package mutating func restart() {
        driver.restart()
        if recorder != nil { recorder = ScriptRecorder() }
        settleAlone()
    }

    /// Continues with another program; it settles by ``next()``.
    package mutating func replace(_ program: Program, native: NativeProgram? = nil) {
        driver.replace(program, native: native)
    }

    /// Lets the widget settle, by ``next()``, and play nothing.
    package mutating func settleAlone() {
        (entries, place) = ([], 0)
        settle(then: .end)
    }

    /// Counts programs that could not be read. The present one continues.
    package mutating func refuse(times: Int) { driver.refuse(times: times) }

    /// Continues until something is needed, or to the end.
    ///
    /// - Returns: `nil` at the end.
    /// - Throws: if a step fails.
    package mutating func next() throws(WidgetError) -> Need? {
        while true {
            if settling != nil {
                if let need = settlingNeed() { return need }
                let then = settling?.then
                settling = nil
                finishSettling()
                switch then {
                case .start?: settled?(driver.view())
                case .step(let number)?:
                    if let reason = missedVisit() { throw failure(of: number, reason) }
                    settled?(driver.view())
                case .failure(let sentence)?:
                    output += print(driver.view())
                    throw failure(of: place - 1, sentence)
                case .end?, nil: break
                }
            } else if place < entries.count {
                try playEntry()
            } else {
                return nil
            }
        }
    }

    private func failure(of number: Int, _ reason: String) -> WidgetError {
        .script("step \(number + 1), \(entries[number].text.prefix(200)): \(reason)")
    }

    private mutating func playEntry() throws(WidgetError) {
        let number = place
        let entry = entries[number]
        place += 1
        let before = recorder == nil ? nil : (view: driver.view(), instance: driver.instance)
        let refusal = try play(entry.step)
        let isForms = refusal != nil && refusal == driver.instance.formRefusal?.sentence
        if let before, isForms || refusal == nil {
            let step = isForms ? entry.step.expectingRefusal : entry.step
            if !isForms || step.expectsRefusal { recorder?.take(step, in: before.view, of: before.instance) }
        }
        if entry.step.expectsRefusal {
            let complaint = isForms ? nil : refusal ?? "it was not refused: the form was sent"
            if let complaint { throw failure(of: number, complaint) }
        } else if isForms, let refusal {
            return settle(then: .failure("\(refusal)\na step with \"refused\": true expects that"))
        } else if let refusal {
            throw failure(of: number, refusal)
        }
        settle(then: .step(number))
    }

    // MARK: - Settling

    private mutating func settle(then next: Next) {
        settling = Settling(
            then: next, end: instance.environment.now + ScriptPlayer.settlingLimit,
            steps: instance.budget.unrestStepCount)
    }

    /// The next need of a widget that settles. Answers of servers take no time on its clock.
    private mutating func settlingNeed() -> Need? {
        while settling?.isExchanging == true {
            // An answer may cancel a request that was begun with it.
            while let outgoing = settling?.round.popFirst() {
                if driver.underWay.contains(outgoing.number) { return .answer(outgoing) }
            }
            if !beginRound() {
                if let unsent = driver.takeUnsent() { notices.append("nothing was sent: \(unsent)") }
                settling?.isExchanging = false
                settling?.changes = driver.takeCacheChanges()[...]
            }
        }
        return settling?.changes.popFirst().map { .keep($0) }
    }

    /// - Returns: false if there is nothing more to ask.
    private mutating func beginRound() -> Bool {
        guard var state = settling, state.exchanges > 0 else { return false }
        defer { settling = state }
        state.exchanges -= 1
        let left = state.end - instance.environment.now
        guard left > 0, state.steps > 0, !driver.settle(within: left, &state.steps) else { return false }
        state.round = driver.beginRequests()[...]
        return !state.round.isEmpty
    }

    private mutating func finishSettling() {
        if let (update, answer) = driver.takeUpdateAnswer() {
            _ = updates.handle(.answered(update: update, answer), at: driver.now)
        }
    }

    /// - Parameter progress: the parts of it that were sent, one after the other.
    package mutating func answer(_ outgoing: OutgoingRequest, _ outcome: RequestOutcome, progress: [Double] = []) {
        for step in progress.suffix(ScriptPlayer.progressLimit) {
            driver.progress(of: outgoing.number, step)
            progressed?(driver.view())
        }
        driver.finish(outgoing.number, outcome)
    }

    // MARK: - Steps

    /// - Returns: the reason why the step fails, when it does.
    private mutating func play(_ step: ScriptStep) throws(WidgetError) -> String? {
        switch step {
        case .tap(let name, _): return driver.send(to: name, for: .tap) { .tap($0) }
        case .input(let name, let value): return type(value, into: name)
        case .submit(let name, _): return driver.send(to: name, for: .submit) { .submit($0) }
        case .select(let name, let section, let row):
            return driver.send(toRow: row, inSection: section, of: name) { .select($0) }
        case .delete(let name, let section, let row):
            return driver.send(toRow: row, inSection: section, of: name, for: .delete) { .deleteRow($0) }
        case .scroll(let name, let toEnd): return driver.send(to: name) { .scroll($0, toEnd: toEnd) }
        case .refresh(let name): return driver.send(to: name, for: .refresh) { .refresh($0) }
        case .pick(let name, let file):
            let media = try self.media(file)
            return driver.send(to: name, for: .pick) { .pick($0, media) }
        case .back: return driver.send(.back)
        case .answer(let title):
            guard let alert = driver.view().alerts.last else { return "no alert is in front of the screen" }
            guard let button = alert.buttons.first(where: { $0.title == title }) else {
                return "the alert has no button \(title.excerpt), but \(NameList(alert.buttons.map { $0.title }))"
            }
            return driver.send(.tap(button.key))
        case .link(let url): return follow(url)
        case .wait(let seconds):
            driver.pass(seconds)
            return nil
        case .expect(let wanted):
            return shows(wanted) ? nil : "the screen does not show it; it shows:\n\(text(driver.view()))"
        case .expectNot(let unwanted):
            return shows(unwanted) ? "the screen shows it:\n\(text(driver.view()))" : nil
        case .snapshot(let name):
            output += "== \(name)\n\(print(driver.view()))"
            return nil
        }
    }

    /// Types into a control. A number that lies outside of its limits becomes another one, which is noted.
    private mutating func type(_ value: String, into name: String) -> String? {
        let before = driver.view()
        let node = ElementSearch(before).key(name, for: .change).flatMap { before.node($0) }
        let refusal = driver.send(to: name, for: .change) { .input($0, .string(value)) }
        if refusal == nil, let limits = node?.limits, let number = Double(value), number.isFinite,
            !limits.contains(number)
        {
            let (low, high) = (Value.text(limits.lowerBound), Value.text(limits.upperBound))
            note("\(value.excerpt) lies outside of the limits of \(name.excerpt), which go from \(low) to \(high)")
        }
        return refusal
    }

    /// Follows a link that the widget declares; the host opens others.
    ///
    /// - Returns: the reason why it leads nowhere.
    private mutating func follow(_ address: String) -> String? {
        guard case .success(let destination) = instance.program.terms.router.destination(of: address) else {
            return driver.send(.link(address))
        }
        let (result, visit) = driver.follow(destination)
        if result == .pending { self.visit = visit }
        if case .notFound(let reason) = result { return reason }
        return nil
    }

    /// The reason why a link whose row was awaited leads nowhere; `nil` while it may still lead there.
    private mutating func missedVisit() -> String? {
        guard let visit else { return nil }
        let result = driver.result(of: visit)
        if result != .pending { self.visit = nil }
        if case .notFound(let reason) = result { return reason }
        return nil
    }

    /// True if the screen shows a text: as it is printed, where lines may break anywhere, or as it is read aloud.
    private mutating func shows(_ wanted: String) -> Bool {
        let view = driver.view()
        let words = AccessibleNode(view.root).sequence.flatMap { $0.split(separator: "\t").dropFirst() }
        let shown = ScriptPlayer.joined(text(view)) + " " + ScriptPlayer.joined(words.joined(separator: " "))
        return shown.contains(ScriptPlayer.joined(wanted))
    }

    private static func joined(_ text: String) -> String {
        text.split { $0.isWhitespace }.joined(separator: " ")
    }
}
