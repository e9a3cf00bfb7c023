internal import Bytes
internal import Predicates
package import WidgetCore

/// A widget that a script drives: time stands still between steps, and each step is followed by as much of it as the
/// widget takes to come to rest.
package struct ScriptRun {
    package private(set) var driver: WidgetDriver
    private let network: any WidgetNetwork
    private let text: (View) -> String
    private let print: (View) -> String
    /// Called with the screen while a request is being sent.
    package var progressed: ((View) -> Void)?
    /// The pictures that snapshots have printed.
    package private(set) var output = ""

    /// The number of times a widget may ask again after it was answered, in one step.
    private static let exchangeLimit = 200
    private static let progressLimit = 100
    /// The seconds that a step may take on the widget's clock.
    private static let longestRest = 60.0

    /// - Parameters:
    ///   - keeper: the store that ``save()`` writes to.
    ///   - print: prints a snapshot; as `text` does when there is none.
    ///   - text: prints the screen, for expectations to look in and for the message when one fails.
    package init(
        _ instance: WidgetInstance, network: any WidgetNetwork, keeper: RecordStore? = nil,
        print: ((View) -> String)? = nil, text: @escaping (View) -> String
    ) {
        driver = WidgetDriver(instance, clock: .script, keeping: keeper)
        self.network = network
        self.text = text
        self.print = print ?? text
    }

    package var instance: WidgetInstance { driver.instance }
    package mutating func view() -> View { driver.view() }
    package mutating func takeHostRequests() -> [HostRequest] { driver.takeHostRequests() }

    /// Saves the changes since the last save that succeeded. When it fails, they are still to be saved.
    package mutating func save() throws(WidgetError) { try driver.save() }

    /// Starts the widget and plays the steps.
    package mutating func play(_ script: EventScript) async throws(WidgetError) {
        driver.send(.start)
        await rest()
        try await self.continue(with: script)
    }

    /// Plays more steps with the same widget.
    package mutating func `continue`(with script: EventScript) async throws(WidgetError) {
        for (number, entry) in script.entries.enumerated() {
            if let complaint = try play(entry.step) {
                throw .script("step \(number + 1), \(entry.text.prefix(200)): \(complaint)")
            }
            await rest()
        }
    }

    /// Continues with another program.
    package mutating func replace(_ program: Program) async {
        driver.replace(program)
        await rest()
    }

    /// Answers from outside take no time on the widget's clock.
    private mutating func rest() async {
        let end = instance.environment.now + ScriptRun.longestRest
        var steps = instance.budget.unrestStepCount
        for _ in 0..<ScriptRun.exchangeLimit {
            let left = end - instance.environment.now
            guard left > 0, steps > 0, !driver.settle(within: left, &steps) else { return }
            let requests = driver.beginRequests()
            guard !requests.isEmpty else { return }
            // An answer may cancel a request that was begun with it.
            for outgoing in requests where driver.underWay.contains(outgoing.number) { await answer(outgoing) }
        }
    }

    private mutating func answer(_ outgoing: OutgoingRequest) async {
        let sent = Guarded([Double]())
        let outcome = await network.outcome(of: outgoing.request) { step in sent.withLock { $0.append(step) } }
        for step in sent.withLock({ $0 }).suffix(ScriptRun.progressLimit) {
            driver.progress(of: outgoing.number, step)
            progressed?(driver.view())
        }
        driver.finish(outgoing.number, outcome)
    }

    // MARK: - Steps

    /// - Returns: the reason why the step fails, when it does.
    private mutating func play(_ step: ScriptStep) throws(WidgetError) -> String? {
        switch step {
        case .tap(let name): return driver.send(to: name, for: .tap) { .tap($0) }
        case .input(let name, let value): return driver.send(to: name, for: .change) { .input($0, .string(value)) }
        case .submit(let name): return driver.send(to: name, for: .submit) { .submit($0) }
        case .select(let name, let section, let row):
            return driver.send(to: name) { .select($0, section: section, row: row) }
        case .delete(let name, let section, let row):
            return driver.send(to: name, for: .delete) { .deleteRow($0, section: section, row: row) }
        case .scroll(let name, let toEnd): return driver.send(to: name) { .scroll($0, toEnd: toEnd) }
        case .refresh(let name): return driver.send(to: name, for: .refresh) { .refresh($0) }
        case .pick(let name, let file):
            let media = try MediaFile.read(file)
            return driver.send(to: name, for: .pick) { .pick($0, media) }
        case .back: return driver.send(.back)
        case .link(let url): return driver.send(.link(url))
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

    /// True if the screen shows a text: as it is printed, where lines may break anywhere, or as it is read aloud.
    private mutating func shows(_ wanted: String) -> Bool {
        let view = driver.view()
        let words = AccessibleNode(view.root).sequence.flatMap { $0.split(separator: "\t").dropFirst() }
        let shown = ScriptRun.joined(text(view)) + " " + ScriptRun.joined(words.joined(separator: " "))
        return shown.contains(ScriptRun.joined(wanted))
    }

    private static func joined(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
