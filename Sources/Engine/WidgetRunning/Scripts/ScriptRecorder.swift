package import WidgetCore
internal import WidgetPredicates

/// Takes down the acts of a user as steps of a script that repeats them.
///
/// A script lets the widget settle after each step. A wait is recorded where more time has passed than that and a timer
/// was pending, because only then would the screen be another one.
package struct ScriptRecorder: Sendable {
    package private(set) var steps: [ScriptStep] = []
    /// Sentences about acts that the script does not repeat.
    package private(set) var remarks: [String] = []

    /// The text that replaces that of a secure field.
    package static let secret = "(not recorded)"
    /// Shorter waits are left out, and longer ones rounded to it.
    private static let shortestWait = 0.1
    /// The bytes of a step besides its JSON, in a document.
    private static let separatorByteCount = 4

    private var byteCount = ScriptRecorder.separatorByteCount
    private var isFull = false
    /// The element that the last step types into.
    private var typedInto: ViewKey?
    /// The moment since which the widget has been at rest after the last step.
    private var restsSince: Double?
    /// True if a timer was pending at that moment.
    private var hasTimers = false
    /// Seconds that have passed between letters, to be waited for after the text.
    private var owed = 0.0

    package init() {}

    /// The steps that the next act leaves as they are.
    package var finished: [ScriptStep] { typedInto == nil ? steps : steps.dropLast() }

    // MARK: - Acts

    /// Records an event that the widget has taken. Events that no user causes are left out.
    ///
    /// - Parameters:
    ///   - view: the view that the user saw before it.
    ///   - before: the widget before it.
    ///   - isRefused: true if a form has refused it.
    ///   - file: the path of picked media.
    package mutating func take(
        _ event: Event, in view: View, of before: WidgetInstance, isRefused: Bool, file: String? = nil
    ) {
        let act = UserAct(view)
        guard var step = act.step(event, file: file) else { return }
        if isRefused {
            step = step.expectingRefusal
            guard step.expectsRefusal else { return noteRefusal(step) }
        }
        guard case .input(let key, _) = event, case .input(let name, _) = step else {
            wait(before)
            return add(step)
        }
        owed += pause(before)
        restsSince = nil
        if typedInto == key { remove() } else { addOwed() }
        if act.isSecure(key) { noteSecret(name) }
        add(step)
        typedInto = isFull ? nil : key
    }

    /// Records a step that the widget has taken.
    package mutating func take(_ step: ScriptStep, in view: View, of before: WidgetInstance) {
        let act = UserAct(view)
        switch step {
        case .tap(let name, let isRefused):
            let tap = act.step(tapping: name)
            add(isRefused ? tap.expectingRefusal : tap)
        case .input(let name, _):
            guard act.isSecure(name) else { return add(step) }
            noteSecret(name)
            add(.input(name, ScriptRecorder.secret))
        // A script names everything else as the user did.
        default: add(step)
        }
    }

    /// Notices when the widget comes to rest.
    package mutating func observe(_ widget: WidgetInstance) {
        guard restsSince == nil, widget.isAtRest else { return }
        restsSince = widget.environment.now
        hasTimers = !widget.store.timers.isEmpty
    }

    /// Records the wait since the last act.
    package mutating func end(_ widget: WidgetInstance) { wait(widget) }

    // MARK: - Waits

    /// Seconds since the widget came to rest, if timers can have changed it.
    private func pause(_ widget: WidgetInstance) -> Double {
        guard let restsSince, hasTimers || !widget.store.timers.isEmpty else { return 0 }
        return widget.environment.now - restsSince
    }

    private mutating func wait(_ widget: WidgetInstance) {
        owed += pause(widget)
        restsSince = nil
        addOwed()
    }

    private mutating func addOwed() {
        let seconds = (owed / ScriptRecorder.shortestWait).rounded() / 10
        owed = 0
        if seconds >= ScriptRecorder.shortestWait {
            add(.wait(min(seconds, ScriptStep.waits.upperBound)))
        }
    }

    // MARK: - Steps

    private mutating func add(_ step: ScriptStep) {
        typedInto = nil
        let count = step.json.utf8.count + ScriptRecorder.separatorByteCount
        guard !isFull, byteCount + count <= EventScript.byteCount else {
            if !isFull {
                remarks.append(
                    "the recording has \(EventScript.byteCount) bytes, as many as a script may have; "
                        + "what follows step \(steps.count) is left out")
            }
            isFull = true
            return
        }
        byteCount += count
        steps.append(step)
    }

    private mutating func remove() {
        guard let last = steps.popLast() else { return }
        byteCount -= last.json.utf8.count + ScriptRecorder.separatorByteCount
    }

    /// A script cannot expect the refusal of every step.
    private mutating func noteRefusal(_ step: ScriptStep) {
        let remark = "a form refused \(step.json.prefix(200)), which is left out"
        if !remarks.contains(remark) { remarks.append(remark) }
    }

    private mutating func noteSecret(_ name: String) {
        let remark =
            "\(name) is a secure field, so its text is not recorded; replace \(ScriptRecorder.secret) in the script"
        if !remarks.contains(remark) { remarks.append(remark) }
    }
}

/// Names the elements and rows of a view as scripts do.
private struct UserAct {
    private let view: View
    private let search: ElementSearch

    init(_ view: View) {
        self.view = view
        search = ElementSearch(view)
    }

    func isSecure(_ key: ViewKey) -> Bool { view.node(key)?.isTrue(.isSecure) ?? false }

    func isSecure(_ name: String) -> Bool { search.key(name, for: .change).map(isSecure) ?? false }

    /// - Returns: `nil` for an event that no user causes.
    func step(_ event: Event, file: String?) -> ScriptStep? {
        switch event {
        case .tap(let key) where key.node == ViewKey.alertButton && view.alerts.last?.choices.isEmpty == false:
            .answer(search.name(of: key))
        case .tap(let key): row(tappedBy: key) ?? .tap(search.name(of: key, for: .tap))
        case .input(let key, let value):
            .input(search.name(of: key, for: .change), isSecure(key) ? ScriptRecorder.secret : text(value, for: key))
        case .submit(let key): .submit(search.name(of: key, for: .submit))
        case .select(let key):
            place(of: key).map { .select($0.list, section: $0.section, row: $0.row) }
                ?? .tap(search.name(of: key, for: .tap))
        case .deleteRow(let key):
            // A row without a place is named itself.
            place(of: key).map { .delete($0.list, section: $0.section, row: $0.row) }
                ?? .delete(search.name(of: key, for: .delete), section: 0, row: 0)
        case .scroll(let key, let toEnd): .scroll(search.name(of: key), toEnd: toEnd)
        case .refresh(let key): .refresh(search.name(of: key, for: .refresh))
        case .pick(let key, let media): .pick(search.name(of: key, for: .pick), file: file ?? media.fileName)
        case .back: .back
        case .link(let url): .link(url)
        case .start, .replaced, .update, .arrive, .reveal, .time, .response, .progress, .setting, .signal, .cached,
            .abandon, .perform, .continued:
            nil
        }
    }

    /// A tap by name. A key, by which numbers of spoken commands tap, becomes a name that lasts.
    func step(tapping name: String) -> ScriptStep {
        guard let key = search.key(name, for: .tap), key.description == name else { return .tap(name) }
        return row(tappedBy: key) ?? .tap(search.name(of: key, for: .tap))
    }

    /// The choice of a row, for a tap on the row itself: of one that a list's source makes, and of one that has no name.
    private func row(tappedBy key: ViewKey) -> ScriptStep? {
        guard let node = view.node(key), node.kind == .row, let place = view.place(ofRow: key) else { return nil }
        let isMade = key.item?.list == place.list.node
        let isChoice = isMade ? !node.events.contains(.tap) : node.events.contains(.tap) && isNameless(key)
        return isChoice ? .select(search.name(of: place.list), section: place.section, row: place.row) : nil
    }

    private func isNameless(_ key: ViewKey) -> Bool { search.name(of: key, for: .tap) == key.description }

    /// The name of a row's list, and its place there.
    private func place(of key: ViewKey) -> (list: String, section: Int, row: Int)? {
        view.place(ofRow: key).map { (search.name(of: $0.list), $0.section, $0.row) }
    }

    /// A value as a script writes it. One of several titles is written as the title, because a title may be a number.
    private func text(_ value: Value, for key: ViewKey) -> String {
        guard let number = value.number, value.string == nil else { return value.shown }
        if let node = view.node(key), node.kind.row.value == .choice, let titles = node[.titles]?.elements {
            let place = Int(min(max(number.rounded(), -1), Double(titles.count) - 1))
            if titles.indices.contains(place) { return titles[place].shown }
        }
        return Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    }
}
