import Testing
import WidgetContract
import WidgetCore
import WidgetPredicates
import WidgetRender
import WidgetTestSupport

@testable import WidgetDocuments

/// A widget of a document whose views share a cache, and whose every view is compared with one that is evaluated anew.
private struct ReusingWidget {
    let program: Program
    var store: Store
    var environment = Environment(now: 551_217_600)
    var budget = Budget()
    var cache = EvaluationCache()
    private(set) var view: View

    init(_ document: String) throws {
        program = try DocumentBench.program(document)
        store = Reducer.reduce(.start, Store(model: program.model), in: program, environment).store
        view = Evaluator(program).view(of: store, environment, cache: &cache)
    }

    mutating func send(_ event: Event) {
        store = Reducer.reduce(event, store, in: program, environment, budget: budget).store
    }

    /// The number of rows that the next view evaluates.
    mutating func evaluatedRows(_ note: String = "") -> Int {
        let evaluator = Evaluator(program, budget: budget)
        let old = view
        view = evaluator.view(of: store, environment, cache: &cache)
        let rows = cache.reevaluatedRows
        let fresh = evaluator.view(of: store, environment)
        #expect(view.digest == fresh.digest, "\(note)")
        #expect(fresh.difference(from: view).isEmpty, "\(note): \(fresh.difference(from: view).prefix(3))")
        #expect(view.diagnostics == fresh.diagnostics, "\(note)")
        // The patches of both lead to one number of changes, whether views share nodes or not.
        #expect(view.difference(from: old).count == fresh.difference(from: old).count, "\(note)")
        return rows
    }

    subscript(_ state: String) -> Value {
        get { store.screens[0].states[state] ?? program.scenes["Main"]?.states[state] ?? .null }
        set { store.screens[0].states[state] = newValue }
    }

    var list: [Value] {
        get { self["list"].elements ?? [] }
        set { self["list"] = .array(newValue) }
    }

    func keys(_ isWanted: (ViewNode) -> Bool) -> [ViewKey] {
        var keys: [ViewKey] = []
        view.visit { node in
            if isWanted(node) { keys.append(node.key) }
            return true
        }
        return keys
    }
}

private func item(_ id: Int, _ name: String) -> Value {
    .dictionary(PredicateDictionary([("id", .integer(Int64(id))), ("name", .string(name))]))
}

/// Goal: a row is evaluated again if, and only if, something it has read is another now. Method: the number of evaluated
/// rows after each kind of change, each view beside one without a cache; then many random changes.
@Suite struct `A row of a document` {
    private static func document(
        _ count: Int, key: String = #", "key": "$person.id""#, states: String = "", cell: String
    ) -> String {
        let items = (0..<count).map { #"{"id": \#($0), "name": "name \#($0)"}"# }.joined(separator: ",")
        return #"""
            {"schema": 1, "state": {"count": 0, "flag": false, \#(states)"list": [\#(items)]},
             "root": {"kind": "table", "items": {"in": "$list", "as": "person"\#(key)}, "children": [\#(cell)]}}
            """#
    }

    private static let plain = #"{"kind": "cell", "payload": {"title": "$person.name", "value": "$person.id"}}"#

    @Test(arguments: ["", #", "key": "$person.id""#])
    func `One changed item of 10,000 evaluates one row`(key: String) throws {
        var widget = try ReusingWidget(Self.document(10_000, key: key, cell: Self.plain))
        #expect(widget.cache.reevaluatedRows == 10_000)
        #expect(widget.evaluatedRows() == 0)
        widget.list[5_000] = item(5_000, "other")
        #expect(widget.evaluatedRows() == 1)
        widget["count"] = .integer(7)
        #expect(widget.evaluatedRows() == 0)
        // The same items from elsewhere are the same.
        widget.list = (0..<10_000).map { item($0, $0 == 5_000 ? "other" : "name \($0)") }
        #expect(widget.evaluatedRows() == 0)
    }

    @Test func `Rows with keys are found where they have moved to`() throws {
        var widget = try ReusingWidget(Self.document(100, cell: Self.plain))
        widget.list.insert(item(1_000, "new"), at: 0)
        #expect(widget.evaluatedRows("inserted") == 1)
        widget.list.remove(at: 50)
        #expect(widget.evaluatedRows("removed") == 0)
        widget.list.reverse()
        #expect(widget.evaluatedRows("reversed") == 0)
        widget.list[3] = widget.list[4]
        // One key twice: one row comes in place of another, and the second one of both has another turn.
        #expect(widget.evaluatedRows("doubled") == 2)
        widget.list = []
        #expect(widget.evaluatedRows("empty") == 0)
    }

    @Test func `Rows without keys belong to their places`() throws {
        var widget = try ReusingWidget(Self.document(100, key: "", cell: Self.plain))
        widget.list.append(item(1_000, "new"))
        #expect(widget.evaluatedRows("at the end") == 1)
        widget.list.insert(item(2_000, "new"), at: 90)
        #expect(widget.evaluatedRows("before eleven others") == 12)
    }

    @Test func `A state evaluates the rows that have read it`() throws {
        var widget = try ReusingWidget(
            Self.document(
                100,
                cell: #"""
                    {"kind": "cell", "payload": {"title": "$person.name"}, "children": [
                      {"kind": "label", "if": {"$": "person.id < 10"}, "payload": {"text": "$count"}},
                      {"kind": "label", "payload": {"text": {"$": "TERNARY(person.id > 95, flag, 0)"}}}]}
                    """#))
        widget["count"] = .integer(1)
        #expect(widget.evaluatedRows() == 10)
        widget["flag"] = .boolean(true)
        #expect(widget.evaluatedRows() == 4)
        // Rows that were evaluated alone have read the same as before.
        widget["count"] = .integer(2)
        #expect(widget.evaluatedRows() == 10)
    }

    @Test
    func `A switch in a row evaluates that row, and a member that changes evaluates the rows that read its state`()
        throws
    {
        var widget = try ReusingWidget(
            Self.document(
                100, states: #""user": {"name": "Ann", "age": 1}, "#,
                cell: #"""
                    {"kind": "cell", "payload": {"title": "$person.name"}, "children": [
                      {"kind": "switch", "payload": {"value": "$person.done"}},
                      {"kind": "label", "if": {"$": "person.id == 5"}, "payload": {"text": "$user.name"}},
                      {"kind": "button", "payload": {"text": {"$": "person.id"}}, "on": {"tap": {"do": "set", "state": "user.age", "to": "$person.id"}}}]}
                    """#))
        let switches = widget.keys { $0.kind == .toggle }
        widget.send(.tap(switches[50]))
        #expect(widget.list[50].member("done").truth)
        #expect(widget.evaluatedRows() == 1)
        let buttons = widget.keys { $0.kind == .button }
        widget.send(.tap(buttons[9]))
        #expect(widget["user"].member("age").shown == "9")
        #expect(widget.evaluatedRows() == 1)
        widget.send(.tap(buttons[9]))
        #expect(widget.evaluatedRows() == 0)
    }

    @Test func `The clock evaluates the rows whose texts follow it`() throws {
        var widget = try ReusingWidget(
            Self.document(
                20,
                cell: #"""
                    {"kind": "cell", "payload": {"title": "$person.name"}, "children": [
                      {"kind": "label", "if": {"$": "person.id == 3"}, "payload": {"text": {"$": "now() + person.id"}}}]}
                    """#))
        #expect(widget.evaluatedRows("the same moment") == 1)
        widget.environment.now += 1
        #expect(widget.evaluatedRows("later") == 1)
        widget.environment.now -= 100
        #expect(widget.evaluatedRows("earlier") == 1)
    }

    @Test func `A typed text evaluates its row`() throws {
        var widget = try ReusingWidget(
            Self.document(
                20, cell: #"{"kind": "cell", "children": [{"kind": "textfield", "payload": {"value": "start"}}]}"#))
        let fields = widget.keys { $0.kind == .textField }
        try #require(fields.count == 20)
        widget.send(.input(fields[4], .string("first")))
        // The keyboard focus has come to the fields.
        #expect(widget.evaluatedRows() == 20)
        widget.send(.input(fields[4], .string("second")))
        #expect(widget.evaluatedRows() == 1)
        widget.send(.input(fields[5], .string("third")))
        #expect(widget.evaluatedRows() == 1)
        widget.list.removeFirst()
        #expect(widget.evaluatedRows() == 0)
    }

    @Test func `What the host says of the place evaluates all rows`() throws {
        var widget = try ReusingWidget(
            Self.document(
                20, cell: #"{"kind": "cell", "payload": {"title": {"$": "environment.display.mode"}}}"#))
        widget.environment.display.mode = .compact
        #expect(widget.evaluatedRows() == 20)
        widget.environment.locale = "de_DE"
        #expect(widget.evaluatedRows() == 20)
        widget.environment.seed = 5
        #expect(widget.evaluatedRows() == 0)
    }

    @Test func `Rows with faults report them in each view`() throws {
        var widget = try ReusingWidget(
            Self.document(20, cell: #"{"kind": "cell", "payload": {"title": {"$": "1 / (person.id - 3)"}}}"#))
        #expect(!widget.view.diagnostics.isEmpty)
        #expect(widget.evaluatedRows() == 1)
        #expect(!widget.view.diagnostics.isEmpty)
    }

    @Test func `Parameters and states of components and hosts around a list count like others`() throws {
        let list = #"""
            {"kind": "table", "items": {"in": "$people", "as": "person"},
              "children": [{"kind": "cell", "payload": {"title": {"$": "{person.name, mark}"}}}]}
            """#
        var widget = try ReusingWidget(
            #"""
            {"schema": 1, "state": {"mark": 0, "count": 0, "list": [{"name": "Ann"}, {"name": "Bo"}, {"name": "Cy"}]},
             "components": {"people": {"parameters": {"people": [], "mark": ""}, "body": \#(list)}},
             "root": {"kind": "people", "payload": {"people": "$list", "mark": "$mark"}}}
            """#)
        #expect(widget.cache.reevaluatedRows == 3)
        widget["count"] = .integer(1)
        #expect(widget.evaluatedRows() == 0)
        widget.list[1] = item(1, "Di")
        #expect(widget.evaluatedRows() == 1)
        widget["mark"] = .integer(1)
        #expect(widget.evaluatedRows() == 3)
    }

    @Test func `Lists within rows are evaluated with their row`() throws {
        var widget = try ReusingWidget(
            #"""
            {"schema": 1, "state": {"flag": 0, "list": [{"tags": [1, 2]}, {"tags": [3, 4, 5]}, {"tags": []}]},
             "root": {"kind": "table", "items": {"in": "$list", "as": "row"}, "children": [{"kind": "cell", "children": [
               {"kind": "hstack", "items": {"in": "$row.tags", "as": "tag"}, "children": [
                 {"kind": "label", "payload": {"text": {"$": "TERNARY(tag > 4, flag, tag)"}}}]}]}]}}
            """#)
        #expect(widget.cache.reevaluatedRows == 8)
        widget.list[0] = .dictionary(PredicateDictionary([("tags", .array([.integer(9)]))]))
        #expect(widget.evaluatedRows() == 2)
        widget["flag"] = .integer(1)
        // The row of 9, with its tag, and that of 5, with its three.
        #expect(widget.evaluatedRows() == 6)
    }

    @Test func `A budget ends at the same row with a cache and without`() throws {
        var widget = try ReusingWidget(Self.document(200, cell: Self.plain))
        for fuel in stride(from: 2_000, through: 40_000, by: 1_900) {
            widget.budget.fuel = 2_000_000
            _ = widget.evaluatedRows("all of it")
            widget.budget.fuel = fuel
            _ = widget.evaluatedRows("\(fuel) steps")
        }
        widget.budget = Budget(nodeCount: 501)
        _ = widget.evaluatedRows("501 nodes")
        widget.budget = Budget(byteCount: 1_000)
        _ = widget.evaluatedRows("1,000 bytes")
        widget.budget = Budget(rowCount: 30)
        _ = widget.evaluatedRows("30 rows")
    }

    @Test func `The rows of a list that has left the screen are forgotten`() throws {
        var widget = try ReusingWidget(
            #"""
            {"schema": 1, "state": {"isShown": true, "list": [1, 2, 3]},
             "root": [{"kind": "vstack", "if": "$isShown", "items": {"in": "$list"}, "children": [{"kind": "label", "payload": {"text": "$content"}}]},
               {"kind": "vstack", "items": {"in": "$list"}, "children": [{"kind": "label", "payload": {"text": "$content"}}]}]}
            """#)
        #expect(widget.cache.rowCount == 6)
        widget["isShown"] = .boolean(false)
        #expect(widget.evaluatedRows() == 0 && widget.cache.rowCount == 3)
        widget["isShown"] = .boolean(true)
        #expect(widget.evaluatedRows() == 3 && widget.cache.rowCount == 6)
        widget.store.screens = []
        _ = Evaluator(widget.program).view(of: widget.store, widget.environment, cache: &widget.cache)
        #expect(widget.cache.rowCount == 0)
    }

    // MARK: - At random

    private static let everything = #"""
        {"schema": 1, "state": {"count": 0, "flag": false, "word": "a", "list": [], "other": [1, 2, 3]},
         "components": {"part": {"parameters": {"value": 0, "moment": 0}, "body": [
           {"kind": "label", "payload": {"text": "$value"}}, {"kind": "label", "payload": {"text": "$moment"}}]}},
         "root": [
          {"kind": "label", "payload": {"text": "$count"}},
          {"kind": "textfield", "id": "word", "payload": {"value": "$word"}},
          {"kind": "table", "items": {"in": "$list", "as": "person", "key": "$person.id"},
           "slots": {"empty": {"kind": "label", "payload": {"text": "none"}}},
           "children": [{"kind": "cell", "payload": {"title": "$person.name", "subtitle": {"$": "1 / (person.id - 3)"}},
            "on": {"select": {"do": "set", "state": "count", "to": {"$": "count + person.id"}}},
            "children": [
             {"kind": "label", "if": {"$": "person.id < count"}, "payload": {"text": "below"}},
             {"kind": "textfield", "payload": {"value": ""}},
             {"kind": "part", "payload": {"value": {"$": "person.id + count"}, "moment": {"$": "TERNARY(person.id == 5, now(), 0)"}}},
             {"kind": "hstack", "items": {"in": "$other", "as": "tag"}, "children": [
               {"kind": "label", "payload": {"text": {"$": "TERNARY(flag == YES, tag, person.name)"}}}]}]}]},
          {"kind": "vstack", "if": {"$": "flag == NO"}, "items": {"in": {"$": "SUBQUERY(list, $x, $x.id < count)"}}, "children": [
             {"kind": "label", "payload": {"text": "$content.name"}}, {"kind": "label", "if": "$flag", "payload": {"text": "$word"}}]}]}
        """#

    @Test(arguments: 1...12) func `Any changes give the views that are evaluated anew`(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &chance) }
        var widget = try ReusingWidget(Self.everything)
        #expect(widget.program.diagnostics.isEmpty, "\(widget.program.diagnostics)")
        var evaluated = 0
        for round in 0..<60 {
            var what = ""
            for _ in 0...number(3) {
                let choice = number(16)
                what += " \(choice)"
                switch choice {
                case 0, 1, 2: widget.list.insert(item(number(12), "n\(number(3))"), at: number(widget.list.count + 1))
                case 3 where !widget.list.isEmpty: widget.list.remove(at: number(widget.list.count))
                case 4 where !widget.list.isEmpty:
                    widget.list[number(widget.list.count)] = item(number(12), "m\(number(3))")
                case 5: widget.list.shuffle(using: &chance)
                case 6: widget["count"] = .integer(Int64(number(12)))
                case 7: widget["flag"] = .boolean(number(2) == 0)
                case 8: widget["other"] = .array((0..<number(4)).map { .integer(Int64($0)) })
                case 9: widget.environment.now += Double(number(5) - 1)
                case 10, 11:
                    let fields = widget.keys { $0.kind == .textField }
                    widget.send(.input(fields[number(fields.count)], .string("t\(number(3))")))
                case 12:
                    let rows = widget.keys { $0.kind == .row }
                    if !rows.isEmpty { widget.send(.tap(rows[number(rows.count)])) }
                case 13: widget.environment.display.mode = number(2) == 0 ? .compact : .expanded
                case 14:
                    widget.budget =
                        number(2) == 0
                        ? Budget()
                        : Budget(byteCount: 50 + number(400), nodeCount: 20 + number(200), fuel: number(9_000))
                default: widget.list = widget.list.map { $0 }
                }
            }
            evaluated += widget.evaluatedRows("seed \(seed), round \(round):\(what)")
        }
        // Without any reuse each of 60 views would evaluate all of its rows.
        #expect(evaluated > 0)
    }
}
