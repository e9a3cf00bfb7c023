import CWidgetLinux
import HostileWidgets
import WidgetCore
import WidgetDocuments
import WidgetHosting
import WidgetPredicates
import WidgetRunning

/// Measures documents: a table of 10,000 items seen first and after one change, and documents that are hostile. Lines are
/// `name|number|what it is`, for the script that judges them; times are the processor's milliseconds.
enum DocumentTimes {
    private static let count = 10_000

    private static func document(keyed: Bool) -> String {
        let items = (0..<count).map {
            #"{"id": "\#($0)", "name": "name \#(100_000 + $0)", "group": "group \#($0 % 10)", "note": "a note"}"#
        }
        return #"""
            {"schema": 1, "state": {"count": 0, "people": [\#(items.joined(separator: ","))]},
             "root": {"kind": "table", "items": {"in": "$people", "as": "person"\#(keyed ? #", "key": "$person.id""# : "")},
              "children": [{"kind": "cell", "payload": {"title": "$person.name", "subtitle": "$person.group", "value": "$person.note"},
                "on": {"select": [{"do": "set", "state": "count", "to": {"$": "count + 1"}}]}}]}}
            """#
    }

    private static func input(_ document: String) -> DocumentInput {
        DocumentInput(
            identifier: "bench",
            documents: [DocumentFile(path: "Main.widgets.json", name: "Main", bytes: Array(document.utf8))],
            first: "Main")
    }

    private static func say(_ name: String, _ times: [Double], _ what: String) {
        let sorted = times.sorted()
        func shown(_ value: Double) -> String { NumberFormat.fixed(value, digits: 3) }
        print("\(name)|\(shown(sorted[sorted.count / 2]))|\(what), at best \(shown(sorted[0]))")
    }

    private static func timed<Result>(_ times: inout [Double], _ body: () throws -> Result) rethrows -> Result {
        let begin = linux_cpu_nanoseconds()
        let result = try body()
        times.append(Double(linux_cpu_nanoseconds() - begin) / 1e6)
        return result
    }

    static func list(keyed: Bool) throws {
        let input = input(document(keyed: keyed))
        try list(keyed ? "keyed " : "") { input }
    }

    /// The same list in Swift. Its first view begins with the values of Swift.
    static func swiftList() throws {
        var writing: [Double] = []
        for _ in 0..<9 { _ = timed(&writing) { MainScreen(count: count).input } }
        say("swift writing", writing, "10,000 swift items, writing their document alone")
        try list("swift ") { MainScreen(count: count).input }
        try closure()
    }

    /// - Parameter make: makes the document, which belongs to the first view.
    private static func list(_ form: String, _ make: () -> DocumentInput) throws {
        var (first, reading, evaluation): ([Double], [Double], [Double]) = ([], [], [])
        for _ in 0..<9 {
            try timed(&first) {
                let input = make()
                let program = try timed(&reading) { try DocumentReader.program(input) }
                let store = Reducer.reduce(.start, Store(model: program.model), in: program, Environment()).store
                timed(&evaluation) { _ = Evaluator(program).view(of: store, Environment()) }
            }
        }
        say("\(form)first", first, "10,000 \(form)items, first view")
        say("\(form)reading", reading, "10,000 \(form)items, reading alone")
        say("\(form)evaluation", evaluation, "10,000 \(form)items, evaluation alone")
        var run = try Run(make())
        run.change("\(form)one item", "one of 10,000 \(form)items changes") { run, round in
            run.set(item: 5_000, "note", "note \(round)")
        }
        run.change("\(form)state", "a state changes that no row reads") { run, round in
            run.set(state: "count", .integer(Int64(round)))
        }
        run.change("\(form)nothing", "the time passes") { run, _ in run.environment.now += 1 }
        let key = run.row(7_000)
        run.change("\(form)tap", "a row is tapped", count: 21) { run, _ in run.send(.tap(key)) }
        run.change("\(form)first item", "an item comes before the others", count: 21) { run, round in
            run.insert(at: 0, round)
        }
        var digest: [Double] = []
        for _ in 0..<9 { timed(&digest) { _ = run.view.digest } }
        say("\(form)digest", digest, "the digest of the view")
    }

    /// A closure that changes one item: the whole list passes from Swift to the document.
    private static func closure() throws {
        let native = MainScreen(count: count).native
        var instance = WidgetInstance(try native.program(), native: native)
        instance.send(.start)
        guard let key = ElementSearch(instance.view()).key("rename") else { return }
        var times: [Double] = []
        for _ in 0..<21 {
            timed(&times) {
                instance.send(.tap(key))
                _ = instance.view()
            }
        }
        say("swift closure", times, "a closure changes one item: \(instance.reevaluatedRows) rows evaluated again")
    }

    /// A widget of a document, driven event by event.
    private struct Run {
        let program: Program
        let evaluator: Evaluator
        var store: Store
        var environment = Environment()
        var cache = EvaluationCache()
        var view: View

        init(_ input: DocumentInput) throws {
            program = try DocumentReader.program(input)
            evaluator = Evaluator(program)
            store = Reducer.reduce(.start, Store(model: program.model), in: program, environment).store
            view = evaluator.view(of: store, environment, cache: &cache)
        }

        mutating func send(_ event: Event) {
            store = Reducer.reduce(event, store, in: program, environment).store
        }

        mutating func set(state: String, _ value: Value) { store.screens[0].states[state] = value }

        private var people: [Value] {
            let scene = program.scenes["Main"]
            return (store.screens[0].states["people"] ?? scene?.states["people"])?.elements ?? []
        }

        mutating func set(item place: Int, _ member: String, _ text: String) {
            var people = people
            guard case .dictionary(let item) = people[place] else { return }
            people[place] = .dictionary(
                PredicateDictionary(
                    zip(item.keys, item.values).map { ($0, $0 == member ? .string(text) : $1) }))
            set(state: "people", .array(people))
        }

        mutating func insert(at place: Int, _ number: Int) {
            var people = people
            people.insert(
                .dictionary(PredicateDictionary([("id", .string("new \(number)")), ("name", .string("new"))])),
                at: place)
            set(state: "people", .array(people))
        }

        func row(_ place: Int) -> ViewKey {
            var rows: [ViewKey] = []
            view.visit { node in
                if node.kind == .row { rows.append(node.key) }
                return rows.count <= place
            }
            return rows[place]
        }

        /// Measures a change to its view, with the patch that leads there.
        mutating func change(
            _ name: String, _ what: String, count: Int = 101, _ body: (inout Run, Int) -> Void
        ) {
            var (times, comparisons): ([Double], [Double]) = ([], [])
            var (rows, patches) = (0, 0)
            for round in 0..<count {
                timed(&times) {
                    body(&self, round)
                    send(.time)
                    let next = evaluator.view(of: store, environment, cache: &cache)
                    patches = timed(&comparisons) { next.difference(from: view).count }
                    view = next
                }
                rows = cache.reevaluatedRows
            }
            say(name, times, "\(what): \(rows) rows evaluated again, \(patches) patches")
        }
    }

    // MARK: - Hostile documents

    static func hostile(_ name: String) {
        guard let document = HostileDocument.all.first(where: { $0.name == name }) else { return }
        let (time, memory, outcome) = Peak.measured { document.run { linux_cpu_nanoseconds() } }
        let codes = outcome.codes.map(\.rawValue).sorted().joined(separator: " ")
        let cost = outcome.costliest
        let stopped = outcome.refusal.map { "refused: \($0.prefix(60).filter { $0 != "|" && $0 != "\n" })" } ?? codes
        print("\(time)|\(cost.time / 1_000)|\(cost.what)|\(stopped)|\(memory)")
    }
}
