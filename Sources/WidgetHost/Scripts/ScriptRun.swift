internal import Locks
internal import Predicates
package import WidgetCore
package import WidgetRender

/// A widget being driven by a script.
package struct ScriptRun {
    package private(set) var instance: WidgetInstance
    private let network: any WidgetNetwork
    private let print: (View) -> String
    private let text: ViewText
    /// Shown what the screen is while something is being sent.
    package var progressed: ((View) -> Void)?
    /// What snapshots have printed.
    package private(set) var output = ""

    /// - Parameter print: how a snapshot is printed.
    package init(
        _ instance: WidgetInstance, network: any WidgetNetwork, text: ViewText, print: @escaping (View) -> String
    ) {
        self.instance = instance
        self.network = network
        self.text = text
        self.print = print
    }

    /// Starts the widget and plays the steps, each followed by as much time as it takes to come to rest.
    package mutating func play(_ script: EventScript) async throws(HostError) {
        instance.send(.start)
        await rest()
        try await self.continue(with: script)
    }

    /// More steps of the same widget.
    package mutating func `continue`(with script: EventScript) async throws(HostError) {
        for (number, entry) in script.entries.enumerated() {
            if let complaint = try play(entry.step) {
                throw .script("step \(number + 1), \(entry.text.prefix(200)): \(complaint)")
            }
            await rest()
        }
    }

    package mutating func view() -> View { instance.view() }

    /// Goes on with another program.
    package mutating func replace(_ program: Program) async {
        instance.replace(program)
        await rest()
    }

    /// Keeps what has changed since it was last kept.
    package mutating func save(to keeper: RecordStore?) throws(HostError) {
        guard let keeper else { return }
        let hasSettings = instance.hasUnsavedSettings
        try keeper.save(instance.takeUnsaved(), of: instance.store, settings: hasSettings)
    }

    /// How often a widget may ask again after it was answered, while nobody touches it.
    private static let mostExchanges = 200
    private static let mostProgress = 100

    /// Answers from outside come at once, as far as the widget's clock is concerned.
    private mutating func rest() async {
        let end = instance.environment.now + 60
        var steps = instance.budget.unrestStepCount
        for _ in 0..<ScriptRun.mostExchanges {
            let left = end - instance.environment.now
            guard left > 0, steps > 0, !instance.settle(within: left, &steps) else { return }
            let requests = instance.takeOutgoing()
            guard !requests.isEmpty else { return }
            let cancelled = Set(instance.takeCancelled())
            for (number, request) in requests where !cancelled.contains(number) {
                let sent = Guarded([Double]())
                let outcome = await network.outcome(of: request) { step in sent.withLock { $0.append(step) } }
                for step in sent.withLock({ $0 }).suffix(ScriptRun.mostProgress) {
                    instance.send(.progress(request: number, step))
                    progressed?(instance.view())
                }
                instance.send(.response(request: number, outcome))
            }
        }
    }

    // MARK: - Steps

    /// - Returns: what is wrong, when something is.
    private mutating func play(_ step: EventScript.Step) throws(HostError) -> String? {
        switch step {
        case .tap(let name): return send(name, .tap) { .tap($0) }
        case .input(let name, let value): return send(name, .change) { .input($0, .string(value)) }
        case .submit(let name): return send(name, .submit) { .submit($0) }
        case .select(let name, let section, let row): return send(name, nil) { .select($0, section: section, row: row) }
        case .delete(let name, let section, let row):
            return send(name, .delete) { .deleteRow($0, section: section, row: row) }
        case .scroll(let name, let toEnd): return send(name, nil) { .scroll($0, toEnd: toEnd) }
        case .refresh(let name): return send(name, .refresh) { .refresh($0) }
        case .pick(let name, let file):
            let media = try MediaFile.read(file)
            return send(name, .pick) { .pick($0, media) }
        case .back: return instance.send(.back)
        case .link(let url): return instance.send(.link(url))
        case .wait(let seconds):
            instance.advance(by: seconds)
            return nil
        case .expect(let wanted):
            let shown = shown
            return shown.contains(ScriptRun.joined(wanted))
                ? nil : "the screen does not show it; it shows:\n\(text.text(instance.view()))"
        case .expectNot(let unwanted):
            return shown.contains(ScriptRun.joined(unwanted))
                ? "the screen shows it:\n\(text.text(instance.view()))" : nil
        case .snapshot(let name):
            output += "== \(name)\n\(print(instance.view()))"
            return nil
        }
    }

    /// Lines may break anywhere; what is looked for need not know where.
    private var shown: String {
        mutating get {
            let view = instance.view()
            let words = AccessibleNode(view.root).sequence.flatMap { $0.split(separator: "\t").dropFirst() }
            return ScriptRun.joined(text.text(view)) + " " + ScriptRun.joined(words.joined(separator: " "))
        }
    }

    private static func joined(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private mutating func send(_ name: String, _ action: NodeEvent?, _ event: (ViewKey) -> Event) -> String? {
        let search = ElementSearch(instance.view())
        guard let key = search.key(name, for: action) else {
            return "the screen has no \(name); it has \(search.names.joined(separator: ", "))"
        }
        return instance.send(event(key))
    }
}
