import Testing
import WidgetContract
import WidgetCore
import WidgetFormats
import WidgetHosting
import WidgetPredicates
import WidgetRunning

/// Goal: a link from elsewhere leads to the screen and the row of a document. Method: documents whose rows come when the
/// test says so.
@Suite struct DocumentLinkTests {
    private static let main = #"""
        {"schema": 1, "state": {"events": [], "groups": [{"name": "a", "rows": [{"id": 7}]}, {"name": "b", "rows": [{"id": 8}]}]},
         "links": {
           "event": {"pattern": "acme://events/{id:integer}", "scene": "Main", "reveal": {"list": "rows", "key": "id"}},
           "nested": {"pattern": "acme://nested/{row:integer}", "scene": "Main",
             "reveal": {"list": "nested", "key": "id", "part": "row"}},
           "person": {"pattern": "acme://people/{id}/{tab}", "scene": "Person", "parameters": {"id": "who"}}},
         "on": {"appear": {"do": "after", "seconds": 3, "then":
           {"do": "set", "state": "events", "to": {"$": "$rows"}}}},
         "root": [
           {"kind": "table", "id": "rows", "items": {"in": "$events", "as": "event", "key": "$event.id"},
            "children": [{"kind": "cell", "payload": {"title": "$event.name"}}]},
           {"kind": "vstack", "id": "nested", "items": {"in": "$groups", "as": "group"}, "children": [
             {"kind": "vstack", "items": {"in": "$group.rows", "as": "row"}, "children": [
               {"kind": "label", "payload": {"text": "$row.id"}}]}]},
           {"kind": "button", "payload": {"text": "Person"}, "on": {"tap": {"do": "push", "scene": "Person", "with": {"who": "Bo"}}}}]}
        """#
        .replacing(#"{"$": "$rows"}"#, with: #"[{"id": 4, "name": "Fork"}, {"id": 5, "name": "Push"}]"#)

    private static let person = #"""
        {"schema": 1, "parameters": {"who": "?", "tab": "?"}, "root": [
          {"kind": "label", "payload": {"text": "$who"}}, {"kind": "label", "payload": {"text": "$tab"}}]}
        """#

    private static func driver() throws -> WidgetDriver {
        let files = BundleFiles([
            "Main.widgets.json": Array(main.utf8), "Person.widgets.json": Array(person.utf8),
        ])
        let program = try FrontEnds.program(files, ProgramOptions(identifier: "test.links"))
        #expect(program.diagnostics.isEmpty, "\(program.diagnostics)")
        return WidgetDriver(WidgetInstance(program), clock: .script)
    }

    private static func texts(_ view: View, onlySelected: Bool = false) -> [String] {
        var found: [String] = []
        view.visit { node in
            guard !onlySelected || node.isTrue(.selected) else { return true }
            View(screen: "", title: "", root: node).visit { part in
                if part.kind == .label, onlySelected || node === part { found.append(part.text(.text)) }
                return true
            }
            return true
        }
        return found
    }

    private static func destination(_ address: String, _ driver: WidgetDriver) throws -> LinkDestination {
        try driver.instance.program.terms.router.destination(of: address).get()
    }

    @Test func `C19: A link of a document waits for its row, and chooses it when it comes`() throws {
        var driver = try Self.driver()
        driver.send(.start)
        let (result, visit) = driver.follow(try Self.destination("acme://events/5", driver))
        #expect(result == .pending)
        driver.pass(5)
        #expect(Self.texts(driver.view(), onlySelected: true).isEmpty)
        #expect(driver.result(of: visit) == .handled)
        #expect(Self.texts(driver.view(), onlySelected: true) == ["Push"])
    }

    @Test func `U5: A link to a row that a document does not have is not found, once its data are there`() throws {
        var driver = try Self.driver()
        driver.send(.start)
        driver.pass(5)
        let (result, _) = driver.follow(try Self.destination("acme://events/9", driver))
        #expect(result == .notFound(reason: "the list rows has no row whose id is \"9\""))
        #expect(Self.texts(driver.view(), onlySelected: true).isEmpty)
    }

    @Test func `C19: A row within repeated elements is found`() throws {
        var driver = try Self.driver()
        driver.send(.start)
        driver.pass(5)
        let (result, _) = driver.follow(try Self.destination("acme://nested/8", driver))
        #expect(result == .handled && Self.texts(driver.view(), onlySelected: true) == ["8"])
    }

    @Test func `C19: A link passes its parts under the names that the screen has for them`() throws {
        var driver = try Self.driver()
        driver.send(.start)
        let (result, _) = driver.follow(try Self.destination("acme://people/Ann%20B/all", driver))
        #expect(result == .handled && Self.texts(driver.view()) == ["Ann B", "all"])
    }

    @Test func `U5: A link brings its document to the front when another lies above it`() throws {
        var driver = try Self.driver()
        driver.send(.start)
        driver.pass(5)
        #expect(driver.send(to: "Person") { .tap($0) } == nil)
        #expect(Self.texts(driver.view()).first == "Bo")
        let (result, _) = driver.follow(try Self.destination("acme://events/4", driver))
        #expect(result == .handled && driver.instance.store.screens.count == 1)
        #expect(Self.texts(driver.view(), onlySelected: true) == ["Fork"])
    }

    @Test func `U4: Each declared route reads what it writes`() throws {
        let terms = try Self.driver().instance.program.terms
        let values: [String: Value] = [
            "id": .integer(5), "row": .integer(-8), "tab": .string("a/b?c&d=%20 ü"),
        ]
        for link in terms.links {
            let address = try link.pattern.address { values[$0] ?? .null }
            let destination = try terms.router.destination(of: address).get()
            #expect(destination.route == link.route)
            for part in link.pattern.parts {
                #expect(destination.parameters[part.name]?.shown == values[part.name]?.shown, "\(address)")
            }
            #expect(throws: LinkError.self) { try link.pattern.address { _ in .null } }
        }
    }
}
