import Testing
import WidgetCore
import WidgetPredicates

@testable import WidgetDocuments

/// A mistake in a document, with the sentence about it, and the same without the mistake.
struct DocumentMistake: Sendable, CustomTestStringConvertible {
    var about: String
    var code: Finding.Code
    /// `Main`, with `WRONG` where the mistake is.
    var main: String
    var wrong: String
    var right: String
    /// Parts of the description of the finding.
    var says: [String]
    var documents: [String: String] = [:]
    var components: [String: String] = [:]
    var answer: Value?

    var testDescription: String { about }

    func findings(_ written: String) throws -> [Finding] {
        func filled(_ text: String) -> String { text.replacing("WRONG", with: written) }
        let action = TestAction("list", "GET") { $0.response = answer }
        var services = TestService(action)
        services.service.isScripted = answer != nil
        let bench = try ServiceBench(
            filled(main), documents: documents.mapValues(filled), components: components.mapValues(filled),
            services: [services])
        return bench.program.diagnostics
    }
}

/// Goal: slips of authors that nothing else shows are reported with their place and the right name. Method: documents with one
/// mistake, each beside the same without it, about which nothing is said.
@Suite struct `Mistakes in documents` {
    private static func label(_ text: String, _ members: String = "") -> String {
        #"{"schema": 1, \#(members)"root": [{"kind": "label", "payload": {"text": \#(text)}}]}"#
    }

    private static func button(_ action: String, _ members: String = "") -> String {
        #"{"schema": 1, \#(members)"root": [{"kind": "button", "payload": {"text": "Go"}, "on": {"tap": \#(action)}}]}"#
    }

    private static func object(_ members: (String, Value)...) -> Value { .dictionary(PredicateDictionary(members)) }

    private static let paths: [DocumentMistake] = [
        DocumentMistake(
            about: "a member of a state", code: .unknownKey,
            main: label(#""$cart.WRONG""#, #""state": {"cart": {"checkout": 1}}, "#), wrong: "chekout",
            right: "checkout",
            says: ["cart has no member chekout", "did you mean checkout?", "Main.widgets.json:1:"]),
        DocumentMistake(
            about: "a member of an item", code: .unknownKey,
            main:
                #"{"schema": 1, "state": {"teas": [{"name": "Assam"}]}, "root": [{"kind": "table", "items": {"in": "$teas", "as": "tea"}, "children": [{"kind": "cell", "payload": {"title": "$tea.WRONG"}}]}]}"#,
            wrong: "nmae", right: "name", says: ["tea has no member nmae", "did you mean name?"]),
        DocumentMistake(
            about: "a member that no item of a fixed list has", code: .unknownKey,
            main:
                #"{"schema": 1, "state": {"teas": [{"name": "Assam"}]}, "root": [{"kind": "table", "items": {"in": "$teas", "as": "tea"}, "children": [{"kind": "cell", "payload": {"title": "$tea.WRONG"}}]}]}"#,
            wrong: "origin", right: "name", says: ["tea has no member origin [", "it has name"]),
        DocumentMistake(
            about: "a member of a list that changes", code: .unknownKey,
            main:
                #"{"schema": 1, "state": {"teas": [{"name": "Assam"}]}, "root": [{"kind": "button", "payload": {"text": "Go"}, "on": {"tap": {"do": "set", "state": "teas", "to": []}}}, {"kind": "table", "items": {"in": "$teas", "as": "tea"}, "children": [{"kind": "cell", "payload": {"title": "$tea.WRONG"}}]}]}"#,
            wrong: "nmae", right: "origin", says: ["tea has no member nmae at first", "did you mean name?"]),
        DocumentMistake(
            about: "a member of a value that another document passes", code: .unknownKey,
            main: button(
                #"{"do": "push", "scene": "Tea", "with": {"tea": "$tea"}}"#, #""state": {"tea": {"name": "Assam"}}, "#),
            wrong: "nmae", right: "name", says: ["Tea.widgets.json:1:", "tea has no member nmae"],
            documents: ["Tea": label(#""$tea.WRONG""#, #""parameters": {"tea": {}}, "#)]),
        DocumentMistake(
            about: "the environment", code: .unknownKey, main: label(#""$environment.WRONG""#), wrong: "mode",
            right: "display.mode", says: ["environment has no member mode", "did you mean environment.display.mode?"]),
        DocumentMistake(
            about: "a word that a mode never is", code: .badValue,
            main: label(#"{"$": "TERNARY(environment.display.mode == 'WRONG', 1, 2)"}"#), wrong: "expand",
            right: "expanded", says: ["environment.display.mode is never expand", "did you mean expanded?"]),
        DocumentMistake(
            about: "a field that its form does not have", code: .unknownKey,
            main:
                #"{"schema": 1, "state": {"name": ""}, "root": [{"kind": "form", "on": {"submit": {"do": "set", "state": "name", "to": "$argument.WRONG"}}, "children": [{"kind": "textfield", "payload": {"name": "user", "placeholder": "User"}}, {"kind": "button", "payload": {"text": "Send", "role": "submit"}}]}]}"#,
            wrong: "usr", right: "user", says: ["argument has no member usr", "did you mean user?"]),
        DocumentMistake(
            about: "a member that the answer of a stub lacks", code: .unknownKey,
            main: label(#""$list.WRONG""#, #""sources": {"list": {"action": "list"}}, "#), wrong: "totl",
            right: "total",
            says: ["list has no member totl", "did you mean total?"], answer: object(("total", .integer(3)))),
        DocumentMistake(
            about: "a part that the answer of a stub lacks", code: .unknownKey,
            main: label(#""$list""#, #""sources": {"list": {"action": "list", "part": "WRONG"}}, "#), wrong: "totl",
            right: "total", says: ["The answer of list has no totl, so list has no value", "did you mean total?"],
            answer: object(("total", .integer(3)))),
        DocumentMistake(
            about: "a key path without its sign", code: .badValue,
            main: label(#""WRONG""#, #""state": {"p": {"name": "Ann"}}, "#), wrong: "p.name", right: "$p.name",
            says: ["The text p.name is shown as it is written", "did you mean $p.name?"]),
    ]

    private static let values: [DocumentMistake] = [
        DocumentMistake(
            about: "a parameter that nothing gives", code: .neverGiven,
            main: button(#"{"do": "push", "scene": "Tea"WRONG}"#, #""state": {"tea": {"name": "Assam"}}, "#),
            wrong: "", right: #", "with": {"tea": "$tea"}"#,
            says: ["Nothing gives the parameter tea of Tea a value", "Main.widgets.json:1:", "pass it in"],
            documents: ["Tea": label(#""$tea.name""#, #""parameters": {"tea": {}}, "#)]),
        DocumentMistake(
            about: "a parameter of a component that nothing gives", code: .neverGiven,
            main: #"{"schema": 1, "root": [{"kind": "tag"WRONG}]}"#, wrong: "", right: #", "payload": {"name": "x"}"#,
            says: ["Nothing gives the parameter name of tag a value", "pass it in payload"],
            components: [
                "tag": #"{"parameters": {"name": ""}, "body": {"kind": "label", "payload": {"text": "$name"}}}"#
            ]),
        DocumentMistake(
            about: "a result that nothing takes", code: .unusedValue,
            main: button(#"{"do": "push", "scene": "Two"WRONG}"#), wrong: "", right: #", "result": {"do": "refresh"}"#,
            says: ["The back of Two returns a value", "Two.widgets.json:1:", #""result""#],
            documents: ["Two": button(#"{"do": "back", "value": 3}"#)]),
        DocumentMistake(
            about: "an event that no element is around", code: .unusedValue,
            main: button("WRONG"), wrong: #"{"do": "emit", "event": "done"}"#, right: #"{"do": "back"}"#,
            says: ["No element is around Main that takes the event", "Main.widgets.json:1:"]),
        DocumentMistake(
            about: "an event that a component never emits", code: .unknownKey,
            main: #"{"schema": 1, "root": [{"kind": "tag", "on": {"WRONG": {"do": "refresh"}}}]}"#, wrong: "chozen",
            right: "chosen", says: ["tag never emits chozen", "did you mean chosen?"],
            components: [
                "tag":
                    #"{"body": {"kind": "button", "payload": {"text": "Go"}, "on": {"tap": {"do": "emit", "event": "chosen"}}}}"#
            ]),
        DocumentMistake(
            about: "a value that its request has no place for", code: .unusedValue,
            main: button(#"{"do": "call", "action": "list"WRONG}"#), wrong: #", "with": {"page": 2}"#, right: "",
            says: ["The action list has no place for page", "$page"]),
        DocumentMistake(
            about: "an edit that compares objects with a number", code: .badValue,
            main: button(#"{"do": "remove", "state": "teas", WRONG"is": 1}"#, #""state": {"teas": [{"id": 1}]}, "#),
            wrong: "", right: #""key": "id", "#,
            says: ["The items of teas are objects, and none of them is 1", "the member that is compared: id"]),
    ]

    private static let names: [DocumentMistake] = [
        DocumentMistake(
            about: "one id twice", code: .duplicateIdentifier,
            main:
                #"{"schema": 1, "root": [{"kind": "label", "id": "a", "payload": {"text": "A"}}, {"kind": "label", "id": "WRONG", "payload": {"text": "B"}}]}"#,
            wrong: "a", right: "b",
            says: ["Two elements of Main are called a", "the other is at Main.widgets.json:1:24"]),
        DocumentMistake(
            about: "one id in two elements of which one is shown", code: .duplicateIdentifier,
            main:
                #"{"schema": 1, "state": {"on": true}, "root": [{"kind": "label", "id": "a", "payload": {"text": "A"}WRONG}, {"kind": "label", "id": "a", "payload": {"text": "B"}WRONG}]}"#,
            wrong: "", right: #", "if": "$on""#, says: ["Two elements of Main are called a"]),
        DocumentMistake(
            about: "a component that is called like a kind", code: .duplicateIdentifier,
            main:
                #"{"schema": 1, "components": {"WRONG": {"body": {"kind": "divider"}}}, "root": [{"kind": "WRONG"}]}"#,
            wrong: "label", right: "mark", says: ["The component label takes the place of the kind label"]),
        DocumentMistake(
            about: "a watched value without its sign", code: .badValue,
            main: label(#""$count""#, #""state": {"count": 0}, "watch": "WRONG", "#), wrong: "count", right: "$count",
            says: ["A text is written where a value to follow is expected", #"did you mean {"$": "count"}?"#]),
    ]

    @Test(arguments: paths + values + names)
    func `A mistake is reported, and its neighbour is left alone`(_ mistake: DocumentMistake) throws {
        let found = try mistake.findings(mistake.wrong)
        let reported = found.filter { $0.code == mistake.code }
        #expect(reported.count == 1 && found.count == 1, "\(found)")
        let said = reported.first?.description ?? ""
        for part in mistake.says {
            #expect(said.contains(part), "\(found) lacks \(part)")
        }
        let sound = try mistake.findings(mistake.right)
        #expect(sound.isEmpty, "\(sound)")
    }

    @Test func `A list in a form is reported, and JSON is left alone`() throws {
        let scene = Self.button(#"{"do": "call", "action": "save", "with": {"l": "$l"}}"#, #""state": {"l": [1, 2]}, "#)
        for (place, count) in [(ParameterPlace.body, 1), (.query, 1), (.json, 0)] {
            let action = TestAction("save", with: Self.object(("l", .string("$l"))), in: place)
            let found = try ServiceBench(scene, services: [TestService(action)]).program.diagnostics
            #expect(found.count == count, "\(found)")
            #expect(found.allSatisfy { $0.message == "l is a list, which neither a form nor an address can have" })
        }
    }

    @Test func `A first document of nearly the right name is named`() throws {
        let input = DocumentInput(
            identifier: "a.b",
            documents: [DocumentFile(path: "main.widgets.json", name: "main", bytes: Array("[]".utf8))], first: "Main")
        let fault = #expect(throws: DocumentError.self) { try DocumentReader.program(input) }
        #expect(fault?.description.contains("The bundle has no document Main.widgets.json") ?? false)
        #expect(fault?.place?.file == "main.widgets.json")
        let other = DocumentInput(
            identifier: "a.b",
            documents: [DocumentFile(path: "Cart.widgets.json", name: "Cart", bytes: Array("[]".utf8))], first: "Main")
        #expect(throws: DocumentError.missing("Main.widgets.json")) { try DocumentReader.program(other) }
    }
}
