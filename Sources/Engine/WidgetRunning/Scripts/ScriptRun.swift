internal import Bytes
internal import Files
internal import Predicates
package import WidgetContract
package import WidgetCore

/// A widget that a script drives. Time passes only after a step, until the widget has settled.
package struct ScriptRun {
    package private(set) var driver: WidgetDriver
    private let network: any WidgetNetwork
    private var cache: (any CachePlace)?
    private var unsaved = UnsavedChanges()
    private var updates: DataUpdates
    private let text: (View) -> String
    private let print: (View) -> String
    /// Called with the screen when the widget has settled: after its start, and after each step.
    package var settled: ((View) -> Void)?
    /// Called with the screen while a request is being sent.
    package var progressed: ((View) -> Void)?
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
    ///   - cache: the host's cache; without one, cached values live as long as the run.
    ///   - print: prints a snapshot; by default as `text` does.
    ///   - text: prints the screen, for expectations to look in and for the message when one fails.
    package init(
        _ instance: WidgetInstance, network: any WidgetNetwork, records: RecordStore? = nil,
        cache: (any CachePlace)? = nil,
        print: ((View) -> String)? = nil, text: @escaping (View) -> String
    ) {
        driver = WidgetDriver(instance, clock: .script, keeping: records)
        self.network = network
        self.cache = cache
        updates = DataUpdates(instance.program.terms.policy, seed: instance.environment.seed)
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

    package mutating func takeHostRequests() -> [HostRequest] { driver.takeHostRequests() }

    /// Saves the changes since the last save that succeeded. When it fails, they are still to be saved.
    package mutating func save() throws(WidgetError) { try driver.save() }

    /// Starts the widget and plays the steps.
    package mutating func play(_ script: EventScript) async throws(WidgetError) {
        recallCache()
        for case .begin(let update) in updates.handle(.trigger(.demand), at: driver.now) {
            driver.beginUpdate(update, within: updates.policy.deadline)
        }
        await settle()
        settled?(driver.view())
        try await self.continue(with: script)
    }

    /// Plays more steps with the same widget.
    package mutating func `continue`(with script: EventScript) async throws(WidgetError) {
        for (number, entry) in script.entries.enumerated() {
            let before = recorder == nil ? nil : (view: driver.view(), instance: driver.instance)
            let refusal = try play(entry.step)
            let isForms = refusal != nil && refusal == driver.instance.formRefusal?.sentence
            if let before, isForms || refusal == nil {
                let step = isForms ? entry.step.expectingRefusal : entry.step
                if !isForms || step.expectsRefusal { recorder?.take(step, in: before.view, of: before.instance) }
            }
            var complaint = refusal
            if entry.step.expectsRefusal {
                complaint = isForms ? nil : refusal ?? "it was not refused: the form was sent"
            } else if isForms, let refusal {
                await settle()
                output += print(driver.view())
                complaint = "\(refusal)\na step with \"refused\": true expects that"
            }
            if let complaint {
                throw .script("step \(number + 1), \(entry.text.prefix(200)): \(complaint)")
            }
            await settle()
            if let reason = missedVisit() {
                throw .script("step \(number + 1), \(entry.text.prefix(200)): \(reason)")
            }
            settled?(driver.view())
        }
    }

    /// Begins again, with the records and settings that the run began with.
    package mutating func restart() async {
        driver.restart()
        if recorder != nil { recorder = ScriptRecorder() }
        await settle()
    }

    /// Continues with another program.
    ///
    /// - Parameters:
    ///   - native: the widget whose program it is, if its closures are to run.
    ///   - cache: the host's cache for this program; `nil`: the one from before.
    package mutating func replace(
        _ program: Program, native: NativeProgram? = nil, cache: (any CachePlace)? = nil
    ) async {
        if let cache { self.cache = cache }
        driver.replace(program, native: native)
        recallCache()
        await settle()
    }

    /// Counts programs that could not be read. The present one continues.
    package mutating func refuse(times: Int) { driver.refuse(times: times) }

    /// The age and state of its data. Its beginning is an update, and all that it asks on the way belongs to it.
    package var data: DataStatus { updates.status(at: driver.now) }

    private mutating func recallCache() {
        let keys = instance.program.cachedKeys
        guard let cache, !keys.isEmpty else { return }
        if let denial = cache.denial { notices.append("\(denial)") }
        driver.send(.cached(unsaved.newer(cache.values(of: keys, at: driver.now))))
    }

    private mutating func keepCache() async {
        for change in driver.takeCacheChanges() {
            guard let cache else { continue }
            do throws(CacheRefusal) {
                let newer = try await cache.carryOut(change, at: driver.now)
                unsaved.forget(change.key)
                if let newer { driver.send(.cached([newer])) }
            } catch {
                if unsaved.keep(change, of: cache, at: driver.now) {
                    notices.append("\(error); the widget has it until it ends")
                } else {
                    notices.append("\(error)")
                    driver.send(.cached([CacheChange(change.key, nil)]))
                }
            }
        }
    }

    private mutating func settle() async {
        await exchange()
        await keepCache()
        if let (update, answer) = driver.takeUpdateAnswer() {
            _ = updates.handle(.answered(update: update, answer), at: driver.now)
        }
    }

    /// Lets the widget settle. Answers of servers take no time on its clock.
    private mutating func exchange() async {
        defer { if let unsent = driver.takeUnsent() { notices.append("nothing was sent: \(unsent)") } }
        let end = instance.environment.now + ScriptRun.settlingLimit
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
        let outcome = await network.outcome(of: outgoing) { step in sent.withLock { $0.append(step) } }
        for step in sent.withLock({ $0 }).suffix(ScriptRun.progressLimit) {
            driver.progress(of: outgoing.number, step)
            progressed?(driver.view())
        }
        if let mishap = network.takeNotice() { notices.append(mishap) }
        driver.finish(outgoing.number, outcome)
    }

    // MARK: - Steps

    /// - Returns: the reason why the step fails, when it does.
    private mutating func play(_ step: ScriptStep) throws(WidgetError) -> String? {
        switch step {
        case .tap(let name, _): return driver.send(to: name, for: .tap) { .tap($0) }
        case .input(let name, let value): return driver.send(to: name, for: .change) { .input($0, .string(value)) }
        case .submit(let name, _): return driver.send(to: name, for: .submit) { .submit($0) }
        case .select(let name, let section, let row):
            return driver.send(toRow: row, inSection: section, of: name) { .select($0) }
        case .delete(let name, let section, let row):
            return driver.send(toRow: row, inSection: section, of: name, for: .delete) { .deleteRow($0) }
        case .scroll(let name, let toEnd): return driver.send(to: name) { .scroll($0, toEnd: toEnd) }
        case .refresh(let name): return driver.send(to: name, for: .refresh) { .refresh($0) }
        case .pick(let name, let file):
            let media = try MediaFile.read(file)
            return driver.send(to: name, for: .pick) { .pick($0, media) }
        case .back: return driver.send(.back)
        case .answer(let title):
            guard let alert = driver.view().alerts.last else { return "no alert is in front of the screen" }
            guard let button = alert.buttons.first(where: { $0.title == title }) else {
                return "the alert has no button \(title.excerpt), but \(NameList(alert.buttons.map(\.title)))"
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
        let shown = ScriptRun.joined(text(view)) + " " + ScriptRun.joined(words.joined(separator: " "))
        return shown.contains(ScriptRun.joined(wanted))
    }

    private static func joined(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

/// Finds the element with a name: an identifier, one with its screen before it, or an accessible name.
package struct ElementSearch {
    private let view: View
    private let nodes: [AccessibleNode]

    package init(_ view: View) {
        self.view = view
        var nodes: [AccessibleNode] = []
        var pending = [AccessibleNode(view.root)]
        while let node = pending.popLast() {
            nodes.append(node)
            pending.append(contentsOf: node.children.reversed())
        }
        self.nodes = nodes
    }

    /// - Parameters:
    ///   - name: may end in `#2` for the second of several elements of a name.
    ///   - action: the wanted action; of several elements of a name, one that has it is chosen.
    package func key(_ name: String, for action: NodeEvent? = nil) -> ViewKey? {
        if let alert = view.alerts.last {
            if let button = alert.buttons.first(where: { $0.title == name }) { return button.key }
        }
        let byKey = nodes.filter { $0.key.description == name }
        // A screen may be called as its tab is.
        let groups = matches(name).filter { !$0.isEmpty }
        let named = groups.first { !ElementSearch.able($0, for: action).isEmpty } ?? groups.first ?? byKey
        return (ElementSearch.able(named, for: action).first ?? named.first)?.key ?? counted(name, for: action)
    }

    /// The row at a place of the list of a name. For a deletion, the name may be that of the row or of a part of it.
    package func row(
        _ row: Int, inSection section: Int = 0, of name: String, for action: NodeEvent? = nil
    ) -> CountedRow {
        guard let key = key(name, for: action) else { return .missing(missing(name)) }
        if action == .delete, let kind = view.node(key)?.kind, kind != .list, kind != .grid,
            let own = view.row(around: key)
        {
            return .row(own)
        }
        return view.row(row, inSection: section, of: key)
    }

    /// The sentence about a name that no element has.
    func missing(_ name: String) -> String { "the screen has no \(name); it has \(names.joined(separator: ", "))" }

    /// The elements with an identifier, and those with an accessible name, in reading order.
    private func matches(_ name: String) -> [[AccessibleNode]] {
        var id = name
        if let slash = name.firstIndex(of: "/"), name[..<slash] == view.screen {
            id = String(name[name.index(after: slash)...])
        }
        return [
            nodes.filter { $0.id == id }, nodes.filter { $0.name == name },
            name == ElementSearch.listName ? nodes.filter { $0.role == name } : [],
        ]
    }

    /// The name of lists without names: an author seldom gives one to a screen's only list.
    private static let listName = "list"

    private static func able(_ nodes: [AccessibleNode], for action: NodeEvent?) -> [AccessibleNode] {
        guard let action else { return nodes }
        return nodes.filter { $0.actions.contains(action.rawValue) }
    }

    /// The element that a name with `#2` behind it means, among those that have the action.
    private func counted(_ name: String, for action: NodeEvent?) -> ViewKey? {
        guard let mark = name.lastIndex(of: "#"), mark > name.startIndex,
            let number = Int(name[name.index(after: mark)...]), number > 0
        else {
            return nil
        }
        let found = matches(String(name[..<mark])).map { ElementSearch.able($0, for: action) }.first { !$0.isEmpty }
        return found.flatMap { $0.indices.contains(number - 1) ? $0[number - 1].key : nil }
    }

    /// The name that a script can use for an element: its identifier or its accessible name, with its place among
    /// several of that name, or else its key.
    package func name(of key: ViewKey, for action: NodeEvent? = nil) -> String {
        if let button = view.alerts.last?.buttons.first(where: { $0.key == key }) { return button.title }
        guard let node = nodes.first(where: { $0.key == key }) else { return key.description }
        for name in [node.id, node.name, node.role == ElementSearch.listName ? node.role : nil] {
            guard let name, !name.isEmpty, name != key.description, name.utf8.count <= ElementSearch.nameByteCount
            else { continue }
            if self.key(name, for: action) == key { return name }
            let several = matches(name).map { ElementSearch.able($0, for: action) }.first { !$0.isEmpty } ?? []
            guard let place = several.firstIndex(where: { $0.key == key }) else { continue }
            let counted = "\(name)#\(place + 1)"
            if self.key(counted, for: action) == key { return counted }
        }
        return key.description
    }

    /// Longer names are not used for elements.
    private static let nameByteCount = 200

    /// The elements that can be touched: their names and their keys.
    package var touchable: [(name: String, key: ViewKey)] {
        let wanted: Set<String> = ["tap", "select", "change"]
        return nodes.filter { !wanted.isDisjoint(with: $0.actions) }.map { node in
            let texts = node.children.compactMap(\.name).filter { !$0.isEmpty }
            return (
                node.role == "listitem" ? texts.prefix(3).joined(separator: " ") : node.id ?? node.name ?? "", node.key
            )
        } + view.alerts.flatMap { $0.buttons.map { ($0.title, $0.key) } }
    }

    /// The names of all elements, each once.
    package var names: [String] {
        var seen: Set<String> = []
        return nodes.lazy.filter { !$0.actions.isEmpty || $0.id != nil }.compactMap { $0.id ?? $0.name }
            .filter { !$0.isEmpty && seen.insert($0).inserted }
    }
}

/// A picture or a film that a user picks, from a file.
package enum MediaFile {
    private static let largest = 8 << 20

    private static let types: [String: (type: String, isFilm: Bool)] = [
        "jpg": ("image/jpeg", false), "jpeg": ("image/jpeg", false), "png": ("image/png", false),
        "gif": ("image/gif", false), "heic": ("image/heic", false), "webp": ("image/webp", false),
        "mov": ("video/quicktime", true), "mp4": ("video/mp4", true), "m4v": ("video/x-m4v", true),
    ]

    package static func read(_ path: String) throws(WidgetError) -> Media {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        // A file of another kind is not read.
        _ = try kind(of: name)
        return try media(
            named: name,
            try rethrowing(as: WidgetError.file) { () throws(FileError) in
                let file = try FileDescriptor.reading(path)
                return try file.read(at: 0, count: min(try file.status().byteCount, largest + 1))
            })
    }

    /// A picture or a film, whose kind its name says.
    package static func media(named name: String, _ bytes: [UInt8]) throws(WidgetError) -> Media {
        let (type, isFilm) = try kind(of: name)
        guard bytes.count <= largest else { throw .script("\(name) has more than \(largest) bytes") }
        return Media(fileName: name, bytes: bytes, contentType: type, isFilm: isFilm)
    }

    private static func kind(of name: String) throws(WidgetError) -> (type: String, isFilm: Bool) {
        let ending = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
        guard let kind = types[ending] else {
            throw .script(
                "\(name) is neither a picture nor a film; it may end in \(types.keys.sorted().joined(separator: ", "))")
        }
        return kind
    }
}
