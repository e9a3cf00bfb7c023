internal import Testing
package import WidgetCore
package import WidgetDocuments
internal import WidgetRender

/// A bundle of documents that would use more than it may.
package struct HostileDocument: Sendable, CustomTestStringConvertible {
    package let name: String
    package let input: DocumentInput
    /// The limits that stop it: one of these is reported, or the bundle is refused.
    package let codes: Set<Finding.Code>

    package var testDescription: String { name }

    /// - Parameters:
    ///   - main: the first document.
    ///   - documents: others, by their names.
    ///   - components: files of components, by their names.
    init(
        _ name: String, stoppedBy codes: Set<Finding.Code>, _ main: String, documents: [(String, String)] = [],
        components: [(String, String)] = []
    ) {
        self.name = name
        self.codes = codes
        var input = DocumentInput(
            identifier: "test.hostile",
            documents: ([("Main", main)] + documents).map {
                DocumentFile(path: "\($0.0).widgets.json", name: $0.0, bytes: Array($0.1.utf8))
            }, first: "Main")
        input.components = components.map {
            DocumentFile(path: "components/\($0.0).json", name: $0.0, bytes: Array($0.1.utf8))
        }
        self.input = input
    }

    /// Reads it, shows it, taps what can be tapped first, lets a minute pass, and prints it both ways.
    ///
    /// - Parameters:
    ///   - limits: others than the usual ones.
    ///   - clock: the processor's time, for measuring costs.
    package func run(
        _ budget: Budget = Budget(), _ limits: DocumentLimits = DocumentLimits(),
        clock: @escaping @Sendable () -> Int64 = { 0 }
    ) -> HostileWidget.Outcome {
        var input = input
        input.limits = limits
        var outcome = HostileWidget.Outcome()
        let laps = HostileWidget.Laps(clock)
        let program: Program
        do throws(DocumentError) {
            program = try DocumentReader.program(input)
        } catch {
            laps.end("reading")
            outcome.refusal = "\(error)"
            outcome.costliest = laps.costliest
            return outcome
        }
        laps.end("reading")
        var store = Store(model: program.model)
        var environment = Environment(now: 803_678_400)
        let evaluator = Evaluator(program, budget: budget)
        var found = program.diagnostics
        func send(_ event: Event) {
            let transition = Reducer.reduce(event, store, in: program, environment, budget: budget)
            store = transition.store
            found += transition.diagnostics
            laps.end("one event")
        }
        send(.start)
        var view = evaluator.view(of: store, environment)
        laps.end("one evaluation")
        var keys: [ViewKey] = []
        view.visit { node in
            if node.events.contains(.tap) { keys.append(node.key) }
            return keys.count < HostileDocument.tapCount
        }
        for key in keys { send(.tap(key)) }
        environment.now += 60
        send(.time)
        view = evaluator.view(of: store, environment)
        laps.end("one evaluation")
        outcome.shown = String(decoding: ViewText(width: 80).text(view).utf8, as: UTF8.self)
        laps.end("printing as text")
        _ = ViewJSON.document(view, size: (375, 667))
        laps.end("printing as JSON")
        found += view.diagnostics
        outcome.codes = Set(found.map(\.code))
        outcome.costliest = laps.costliest
        return outcome
    }

    private static let tapCount = 5
}

extension HostileDocument {
    /// All of them.
    package static var all: [HostileDocument] { expansions + extents + themes + words }

    private static func many(_ count: Int, _ one: (Int) -> String) -> String {
        (0..<count).map(one).joined(separator: ",")
    }

    private static func label(_ text: String = "x") -> String {
        #"{"kind": "label", "payload": {"text": "\#(text)"}}"#
    }

    private static func scene(_ parts: String, root: String) -> String {
        #"{"schema": 1, \#(parts), "root": \#(root)}"#
    }

    /// Components of so many levels, each of which uses the next one several times.
    private static func levels(
        _ levels: Int, uses: Int, last: String = label(), _ use: (String) -> String = { $0 }
    ) -> String {
        let components = (1...levels).map { level in
            let inner = level == levels ? last : #"{"kind": "c\#(level + 1)"}"#
            let body = use(#"{"kind": "vstack", "children": [\#(many(uses) { _ in inner })]}"#)
            return #""c\#(level)": {"body": \#(body)}"#
        }
        return #""components": {\#(components.joined(separator: ","))}"#
    }

    // MARK: - What becomes more

    private static var expansions: [HostileDocument] {
        let stopped: Set<Finding.Code> = [.nodeBudget, .depthBudget, .countBudget]
        return [
            HostileDocument(
                "components that double at 15 levels", stoppedBy: stopped,
                scene(levels(15, uses: 2), root: #"{"kind": "c1"}"#)),
            HostileDocument(
                "components that become ten at twelve levels", stoppedBy: stopped,
                scene(levels(12, uses: 10), root: #"{"kind": "c1"}"#)),
            HostileDocument(
                "components whose every element has a fault at its end", stoppedBy: stopped,
                scene(
                    levels(12, uses: 10) { body in String(body.dropLast()) + #", "if": {"$": "((("}}"# },
                    root: #"{"kind": "c1"}"#)),
            HostileDocument(
                "components with a name for a fault", stoppedBy: stopped,
                scene(
                    levels(12, uses: 10) { body in String(body.dropLast()) + #", "style": 5, "on": 7, "id": 8}"# },
                    root: #"{"kind": "c1"}"#)),
            HostileDocument(
                "fallbacks that become more", stoppedBy: stopped.union([.unknownKind]),
                scene(
                    levels(12, uses: 10) { #"{"kind": "nothing", "fallback": \#($0)}"# }, root: #"{"kind": "c1"}"#)),
            HostileDocument(
                "fallbacks behind faults that are found late", stoppedBy: stopped,
                scene(
                    levels(12, uses: 4) { body in
                        String(body.dropLast()) + #", "if": {"$": "((("}, "fallback": \#(body)}"#
                    }, root: #"{"kind": "c1"}"#)),
            HostileDocument(
                "twenty components that all use each other", stoppedBy: stopped,
                scene(
                    #""components": {"#
                        + many(20) { one in
                            #""c\#(one)": {"body": {"kind": "vstack", "children": [\#(many(20) { #"{"kind": "c\#($0)"}"# })]}}"#
                        } + "}", root: #"{"kind": "c0"}"#)),
            HostileDocument(
                "two hundred documents that all host each other", stoppedBy: stopped,
                "[\(many(199) { #"{"kind": "host", "payload": {"document": "D\#($0)"}}"# })]",
                documents: (0..<199).map { one in
                    ("D\(one)", "[\(many(199) { #"{"kind": "host", "payload": {"document": "D\#($0)"}}"# })]")
                }),
            HostileDocument(
                "two hundred documents of one component that becomes more", stoppedBy: stopped, #"{"kind": "bomb"}"#,
                documents: (0..<199).map { ("D\($0)", #"{"kind": "bomb"}"#) },
                components: [
                    (
                        "bomb",
                        #"{"body": {"kind": "vstack", "children": [\#(many(200) { _ in #"{"kind": "more"}"# })]}}"#
                    ),
                    ("more", #"{"body": {"kind": "vstack", "children": [\#(many(200) { _ in label() })]}}"#),
                ]),
            HostileDocument(
                "values that double as they are passed", stoppedBy: stopped.union([.expressionBudget]),
                scene(
                    #""components": {"#
                        + many(14) { one in
                            let inner =
                                one == 13
                                ? #"{"kind": "label", "payload": {"text": "$a"}}"#
                                : #"{"kind": "c\#(one + 1)", "payload": {"a": {"$": "{a, a, a, a}"}}}"#
                            return #""c\#(one)": {"parameters": {"a": 1}, "body": \#(inner)}"#
                        } + "}", root: #"{"kind": "c0"}"#)),
            HostileDocument(
                "items of items of items", stoppedBy: [.nodeBudget, .byteBudget, .expressionBudget],
                scene(
                    #""state": {"list": [\#(many(100) { "\($0)" })]}"#,
                    root: (0..<5).reduce(label()) { inner, _ in
                        #"{"kind": "vstack", "items": {"in": "$list"}, "children": [\#(inner)]}"#
                    })),
            HostileDocument(
                "items of items that are never shown", stoppedBy: [.nodeBudget, .byteBudget, .expressionBudget],
                scene(
                    #""state": {"list": [\#(many(100) { "\($0)" })]}"#,
                    root: (0..<5).reduce(#"{"kind": "label", "if": false}"#) { inner, _ in
                        #"{"kind": "vstack", "items": {"in": "$list"}, "children": [\#(inner)]}"#
                    })),
        ]
    }

    // MARK: - What is large at once

    private static var extents: [HostileDocument] {
        func boxes(_ depth: Int) -> String {
            String(repeating: #"{"kind": "box", "children": ["#, count: depth) + label()
                + String(repeating: "]}", count: depth)
        }
        let text = String(repeating: "long ", count: 600_000)
        let halfText = String(repeating: "long ", count: 20_000)
        return [
            HostileDocument("boxes 5,000 deep", stoppedBy: [], boxes(5_000)),
            HostileDocument("boxes 36 deep", stoppedBy: [.depthBudget], boxes(36)),
            HostileDocument(
                "40,000 labels", stoppedBy: [.nodeBudget, .countBudget], "[\(many(40_000) { _ in label() })]"),
            HostileDocument("100,000 labels", stoppedBy: [], "[\(many(100_000) { _ in label() })]"),
            HostileDocument(
                "25,000 items", stoppedBy: [.rowBudget, .expressionBudget],
                scene(
                    #""state": {"list": [\#(many(25_000) { "\($0)" })]}"#,
                    root:
                        #"{"kind": "table", "items": {"in": "$list"}, "children": [{"kind": "cell", "payload": {"title": "$content"}}]}"#
                )),
            HostileDocument(
                "25,000 items with one key", stoppedBy: [.rowBudget, .expressionBudget],
                scene(
                    #""state": {"list": [\#(many(25_000) { "\($0)" })]}"#,
                    root:
                        #"{"kind": "table", "items": {"in": "$list", "key": {"$": "1"}}, "children": [{"kind": "cell", "payload": {"title": "$content"}}]}"#
                )),
            HostileDocument("a text of three million letters", stoppedBy: [.byteBudget], label(text)),
            HostileDocument(
                "a long text in each of 10,000 rows", stoppedBy: [.byteBudget, .expressionBudget],
                scene(
                    #""state": {"list": [\#(many(10_000) { "\($0)" })], "text": "\#(halfText)"}"#,
                    root:
                        #"{"kind": "table", "items": {"in": "$list"}, "children": [{"kind": "cell", "payload": {"title": "$text", "subtitle": {"$": "text.uppercase"}}}]}"#
                )),
            HostileDocument(
                "a value of 150,000 numbers that each of 1,000 rows reads", stoppedBy: [.expressionBudget],
                scene(
                    #""state": {"list": [\#(many(150_000) { "\($0)" })], "rows": [\#(many(1_000) { "\($0)" })]}"#,
                    root:
                        #"{"kind": "table", "items": {"in": "$rows"}, "children": [{"kind": "cell", "payload": {"title": {"$": "list.@sum"}}}]}"#
                )),
            HostileDocument(
                "numbers without an end", stoppedBy: [.badPayload, .badValue, .badPredicate],
                "[\(many(5_000) { _ in #"{"kind": "vstack", "payload": {"spacing": 1e308}, "style": {"width": -1e308, "height": 1e-308}}"# })]"
            ),
            HostileDocument(
                "a number of a million digits", stoppedBy: [.badPayload],
                #"{"kind": "vstack", "payload": {"spacing": \#(String(repeating: "9", count: 1_000_000))}}"#),
            HostileDocument(
                "20,000 states", stoppedBy: [.countBudget],
                scene(#""state": {\#(many(20_000) { #""s\#($0)": 1"# })}"#, root: label())),
            HostileDocument(
                "hosts of documents with 500 states", stoppedBy: [.countBudget, .nodeBudget],
                "[\(many(5_000) { _ in #"{"kind": "host", "payload": {"document": "States"}}"# })]",
                documents: [
                    ("States", scene(#""state": {\#(many(500) { #""s\#($0)": 1"# })}"#, root: label()))
                ]),
            HostileDocument(
                "components with 500 parameters", stoppedBy: [.countBudget, .nodeBudget],
                scene(
                    #""components": {"c": {"parameters": {\#(many(500) { #""p\#($0)": 1"# })}, "body": \#(label())}}"#,
                    root: "[\(many(5_000) { _ in #"{"kind": "c"}"# })]")),
            HostileDocument(
                "5,000 lists among 500 states", stoppedBy: [.nodeBudget, .countBudget],
                scene(
                    #""state": {\#(many(500) { #""s\#($0)": 1"# })}"#,
                    root:
                        "[\(many(5_000) { #"{"kind": "vstack", "items": {"in": "$s1", "as": "n\#($0)"}, "children": [\#(label())]}"# })]"
                )),
        ]
    }

    // MARK: - Themes

    /// Names that are looked for among many others: the work of their hints is limited.
    private static var themes: [HostileDocument] {
        let unknown = many(20_000) { _ in "\"z\"" }
        let long = String(repeating: "x", count: 1_500)
        let styles = many(499) { #""\#(long)\#($0)": {"bold": true}"# }
        let colors = many(499) { #""\#(long)\#($0)": "blue""# }
        return [
            HostileDocument(
                "20,000 unknown styles of one element", stoppedBy: [.unknownKey, .countBudget],
                scene(
                    #""styles": {\#(styles)}"#,
                    root: #"{"kind": "label", "style": [\#(unknown)]}"#)),
            HostileDocument(
                "3,000 unknown colours among 499", stoppedBy: [.badPayload, .countBudget],
                scene(
                    #""theme": {"colors": {\#(colors)}}"#,
                    root: "[\(many(3_000) { _ in #"{"kind": "label", "style": {"color": "z"}}"# })]")),
        ]
    }

    // MARK: - What is said

    private static var words: [HostileDocument] {
        let states = #""state": {\#(many(500) { #""someName\#($0)": 1"# })}"#
        let deepActions = (0..<12).reduce(#"{"do": "back"}"#) { inner, _ in
            #"{"do": "when", "if": true, "then": [\#(inner)]}"#
        }
        return [
            HostileDocument(
                "40,000 elements of unknown kinds", stoppedBy: [.unknownKind],
                "[\(many(40_000) { #"{"kind": "lable\#($0)"}"# })]"),
            HostileDocument(
                "60,000 unknown members", stoppedBy: [.unknownKey],
                "[\(many(300) { _ in #"{"kind": "label", "payload": {\#(many(200) { #""texd\#($0)": 1"# })}}"# })]"),
            HostileDocument(
                "9,000 misspelled names among 500", stoppedBy: [.unknownKey],
                scene(
                    states, root: "[\(many(9_000) { _ in #"{"kind": "label", "payload": {"text": "$someNane7"}}"# })]")),
            HostileDocument(
                "misspelled names in long expressions", stoppedBy: [.unknownKey],
                scene(
                    states,
                    root:
                        "[\(many(300) { _ in #"{"kind": "label", "payload": {"text": {"$": "\#((0..<100).map { "anyName\($0)" }.joined(separator: " + "))"}}}"# })]"
                )),
            HostileDocument(
                "300 expressions of a thousand parts", stoppedBy: [.countBudget],
                "[\(many(300) { _ in #"{"kind": "label", "payload": {"text": {"$": "\#((0..<1_000).map { "\($0)" }.joined(separator: " + "))"}}}"# })]"
            ),
            HostileDocument(
                "an expression of a million brackets", stoppedBy: [.badPredicate, .countBudget],
                #"{"kind": "label", "payload": {"text": {"$": "\#(String(repeating: "(", count: 1_000_000))"}}}"#),
            HostileDocument(
                "a key path of 300,000 parts", stoppedBy: [.badPredicate, .countBudget],
                #"{"kind": "label", "payload": {"text": "$content\#(String(repeating: ".a", count: 300_000))"}}"#),
            HostileDocument(
                "60,000 actions", stoppedBy: [.countBudget],
                "[\(many(300) { _ in #"{"kind": "button", "payload": {"text": "b"}, "on": {"tap": [\#(many(200) { _ in #"{"do": "back"}"# })]}}"# })]"
            ),
            HostileDocument(
                "60,000 actions without a name", stoppedBy: [.unknownAction, .countBudget],
                "[\(many(300) { _ in #"{"kind": "button", "payload": {"text": "b"}, "on": {"tap": [\#(many(200) { #"{"do": "togle\#($0)"}"# })]}}"# })]"
            ),
            HostileDocument(
                "actions twelve deep", stoppedBy: [.depthBudget],
                "[\(many(300) { _ in #"{"kind": "button", "payload": {"text": "b"}, "on": {"tap": \#(deepActions)}}"# })]"
            ),
            HostileDocument(
                "rows that all inherit 200 actions", stoppedBy: [.countBudget],
                #"{"kind": "table", "on": {"select": [\#(many(200) { _ in #"{"do": "back"}"# })]}, "children": [\#(many(3_000) { _ in #"{"kind": "cell", "payload": {"title": "a"}}"# })]}"#
            ),
            HostileDocument(
                "an action that calls itself again at once", stoppedBy: [.stepBudget, .countBudget],
                #"{"schema": 1, "state": {"a": true}, "on": {"load": [\#(many(200) { _ in #"{"do": "after", "seconds": 0, "then": [\#(many(200) { _ in #"{"do": "toggle", "state": "a"}"# })]}"# })]}, "root": \#(label())}"#
            ),
        ]
    }
}
