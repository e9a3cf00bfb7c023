import Testing
import WidgetContract
import WidgetCore

@testable import WidgetDocuments

/// Goal: a scene's statements about the widget reach the host, and faults in them cost nothing else. Method: documents
/// with one element, whose program is asked for its terms.
@Suite struct TermsTests {
    private static func program(_ members: String, _ documents: [String: String] = [:]) throws -> Program {
        try DocumentBench.program(
            #"{"schema": 1, \#(members), "root": {"kind": "label", "payload": {"text": "Here"}}}"#, documents)
    }

    private static func messages(_ program: Program) -> [String] { program.diagnostics.map(\.description) }

    @Test func `A scene declares modes, updates, groups and needs`() throws {
        let program = try Self.program(
            #""modes": ["compact"], "update": {"interval": 600, "deadline": 5}, "groups": ["group.com.acme"], "needs": "input""#
        )
        #expect(program.diagnostics.isEmpty, "\(Self.messages(program))")
        #expect(program.terms.modes == [.compact] && program.terms.largestMode == .compact)
        #expect(program.terms.policy == DataUpdatePolicy(interval: 600, deadline: 5))
        #expect(program.terms.groups == ["group.com.acme"] && program.terms.needs == [.input])
        #expect(program.termPlaces["modes"]?.description == "Main.widgets.json:1:24 (modes)")
    }

    @Test func `A scene that declares nothing can be shown in all modes and is not updated by itself`() throws {
        let terms = try Self.program(#""title": "Plain""#).terms
        #expect(terms.modes.isEmpty && terms.largestMode == .expanded && terms.mode(for: .compact) == .compact)
        #expect(terms.policy == DataUpdatePolicy() && terms.links.isEmpty && terms.visible == nil)
    }

    @Test func `A scene declares links into the widget and out of it`() throws {
        let program = try Self.program(
            #""links": {"event": {"pattern": "acme://events/{id:integer}", "scene": "Event", "parameters": {"id": "number"}}, "site": "https://example.com/{page}"}, "on": {"load": {"do": "open", "link": "site", "with": {"page": "a"}}}"#,
            ["Event": #"{"schema": 1, "parameters": {"number": 0}, "root": []}"#])
        #expect(program.diagnostics.isEmpty, "\(Self.messages(program))")
        #expect(program.terms.links.map(\.name) == ["event", "site"])
        let destination = try program.terms.router.destination(of: "acme://events/5").get()
        #expect(destination.route.entry == "Event" && destination.content.member("number").shown == "5")
        // The second one leads out.
        #expect(program.terms.router.routes.count == 1)
    }

    @Test func `Numbers beyond their range are moved, and reported`() throws {
        let program = try Self.program(
            #""update": {"interval": 0.001, "deadline": 1000000}, "insets": {"left": -5, "top": 99999}"#)
        #expect(program.terms.policy == DataUpdatePolicy(interval: 1, deadline: 300))
        #expect(
            Self.messages(program) == [
                "Main.widgets.json:1:38 (update.interval): warning: 0.001 seconds are too short [bad-value]; it is 1 instead",
                "Main.widgets.json:1:57 (update.deadline): warning: 1000000 seconds are too long [bad-value]; it is 300 instead",
                "Main.widgets.json:1:86 (insets.left): warning: A margin of -5 points cannot be shown [bad-value]; it is 0 instead",
                "Main.widgets.json:1:97 (insets.top): warning: A margin of 99999 points cannot be shown [bad-value]; it is 10000 instead",
            ])
    }

    @Test(arguments: [
        (#""modes": ["small"]"#, #""small" is not the name of a mode [bad-value]; there are compact, expanded"#),
        (#""modes": 5"#, "number is not the name of a mode [bad-value]"),
        (#""needs": ["imput"]"#, #""imput" is not the name of an ability of hosts [bad-value]; did you mean input?"#),
        (#""groups": ["../escape"]"#, #""../escape" is not the name of a group [bad-value]"#),
        (#""update": 5"#, "update is number, and has to be an object [bad-value]; it has interval, deadline"),
        (#""update": {"interval": "often"}"#, #"interval of a update is "often"; expected number [bad-payload]"#),
        (#""update": {"intervall": 5}"#, "A update has no intervall [unknown-key]; did you mean interval?"),
        (#""insets": 5"#, "The insets are number, and have to be an object [bad-value]"),
        (#""insets": {"lefft": 5}"#, "Insets have no lefft [unknown-key]; did you mean left?"),
        (#""insets": {"left": {"$": "5 +"}}"#, "[bad-predicate]"),
        (#""visible": {"$": "cuont > 0"}"#, "Nothing is called cuont here [unknown-key]"),
        (#""watch": {"a": 1, "b": "$$"}"#, ""),
        (#""links": 5"#, "The links are number, and have to be an object [bad-value]"),
        (#""links": {"a": {}}"#, "The link has no pattern; expected text [bad-payload]"),
        (#""links": {"a": "nowhere"}"#, "it has no scheme, as in acme://events/5 [bad-value]"),
        (#""links": {"a": {"pattern": "a://{b:number}/{b}", "scene": "Main"}}"#, "two parts have one name [bad-value]"),
        (
            #""links": {"a": {"pattern": "a://b/{c}", "scene": "Main", "parameters": {"d": "e"}}}"#,
            "The pattern has no part d, which its link uses [bad-value]; its parts are c"
        ),
        (
            #""links": {"a": {"pattern": "a://b/{c}/{d}", "scene": "Main", "parameters": {"c": "d"}}}"#,
            "Two parts of the pattern are the parameter d [bad-value]; its parts are c, d"
        ),
        (
            #""links": {"a": {"pattern": "a://b/{c}", "reveal": {"list": "t", "key": "c"}}}"#,
            "The link a leads to no screen of the bundle [bad-value]; name its scene"
        ),
    ]) func `A fault in a statement is reported with its place, and the screen is shown`(
        members: String, message: String
    ) throws {
        let program = try Self.program(members)
        let messages = Self.messages(program)
        if message.isEmpty {
            #expect(messages.isEmpty, "\(messages)")
        } else {
            #expect(messages.count == 1 && messages[0].contains(message), "\(messages)")
            #expect(messages.allSatisfy { $0.hasPrefix("Main.widgets.json:1:") }, "\(messages)")
        }
        #expect(program.scenes["Main"]?.nodes.contains { $0.kind == .label } == true)
    }

    @Test func `An ability that the host lacks is reported, and one that it has is left alone`() throws {
        let program = try Self.program(#""needs": "input""#)
        let faults = program.faults(of: Display(), abilities: [])
        #expect(faults.map(\.code) == [.missingAbility] && faults.first?.place?.path == "needs")
        #expect(program.faults(of: Display(), abilities: [.input]).isEmpty)
    }

    @Test func `Links of all documents have different names`() throws {
        let program = try Self.program(
            #""links": {"a": {"pattern": "a://b", "scene": "Other"}}"#,
            [
                "Other":
                    #"{"schema": 1, "links": {"a": "a://c", "d": {"pattern": "a://d", "scene": "Main"}}, "root": []}"#
            ])
        #expect(program.terms.links.map(\.name) == ["a", "d"])
        let faults = program.diagnostics.filter { $0.code == .duplicateIdentifier }
        #expect(faults.map { $0.place?.file } == ["Other.widgets.json"])
        #expect(faults[0].message == "Another link is called a, at Main.widgets.json:1:30 (links.a)")
    }

    @Test func `More links than there may be are left out, and reported once`() throws {
        let links = (0...LinkRouter.routeCount + 5).map { #""l\#($0)": {"pattern": "a://p\#($0)", "scene": "Main"}"# }
            .joined(separator: ", ")
        let program = try Self.program("\"links\": {\(links)}")
        #expect(program.terms.links.count == LinkRouter.routeCount)
        #expect(program.diagnostics.map(\.code) == [.countBudget])
    }

    @Test func `More groups than there may be are left out, and reported once`() throws {
        let groups = (0...WidgetTerms.groupCount + 5).map { #""g\#($0)""# }.joined(separator: ", ")
        let program = try Self.program("\"groups\": [\(groups)]")
        #expect(program.terms.groups.count == WidgetTerms.groupCount)
        #expect(program.diagnostics.map(\.code) == [.countBudget])
    }
}

/// Goal: links that lead nowhere are found before the widget is published. Method: one link with one fault.
@Suite struct LinkCheckTests {
    private static func messages(_ links: String, _ documents: [String: String] = [:]) throws -> [String] {
        let program = try DocumentBench.program(
            #"{"schema": 1, "links": {\#(links)}, "root": {"kind": "table", "id": "rows", "items": {"in": {"$": "{1, 2}"}}, "children": [{"kind": "label", "payload": {"text": "$content"}}]}}"#,
            documents)
        return program.diagnostics.map(\.description)
    }

    @Test func `A link to a screen that does not exist is dead`() throws {
        let found = try Self.messages(#""a": {"pattern": "a://b", "scene": "Mian"}"#)
        #expect(
            found == [
                "Main.widgets.json:1:30 (links.a): error: The link a leads to Mian, which the bundle does not have [dead-link]; did you mean Main?"
            ])
    }

    @Test func `A link that reveals a list which does not exist is dead`() throws {
        func link(_ list: String) -> String {
            #""a": {"pattern": "a://b/{id}", "scene": "Main", "reveal": {"list": "\#(list)", "key": "id"}}"#
        }
        #expect(try Self.messages(link("rows")) == [])
        let found = try Self.messages(link("row"))
        #expect(
            found.count == 1
                && found[0].hasSuffix(
                    "The link a reveals a row of row, and Main has no such list [dead-link]; did you mean rows?"),
            "\(found)")
    }

    @Test(arguments: [
        ("a://b/{x}", "a://b/c", true), ("a://b/c", "a://b/{x}", false), ("a://{x}", "a://{y:integer}", true),
        ("a://{x:integer}", "a://{y}", false), ("a://{x:number}", "a://{y:integer}", true),
        ("a://b", "a://b?q={q}", true),
        ("a://b?q={q}", "a://b", false), ("a://b", "b://b", false), ("A://b", "a://b", true),
        ("a://b/{x:integer}", "a://b/c", false), ("a://b/{x:integer}", "a://b/7", true), ("a://b", "a://b/c", false),
    ]) func `A pattern that has all addresses of a later one hides it`(
        first: String, second: String, isHidden: Bool
    ) throws {
        let found = try Self.messages(
            #""one": {"pattern": "\#(first)", "scene": "Main"}, "two": {"pattern": "\#(second)", "scene": "Main"}"#)
        #expect(
            found.map { $0.contains("two is never followed, because one has all of its addresses [hidden-link]") }
                == (isHidden ? [true] : []), "\(found)")
    }

    @Test func `A link out of the bundle that nothing opens is reported`() throws {
        #expect(
            try Self.messages(#""a": "a://b""#) == [
                "Main.widgets.json:1:30 (links.a): warning: Nothing opens the link a, and it leads to no screen [dead-link]; open it, name its scene, or take it out"
            ])
    }

    @Test func `A document that only a link leads to is reached`() throws {
        let link = #""a": {"pattern": "a://b", "scene": "Far"}"#
        #expect(try Self.messages(link, ["Far": "[]"]).isEmpty)
        #expect(try Self.messages("", ["Far": "[]"]).count == 1)
    }

    @Test func `A pattern that no address has is reported`() throws {
        let found = try Self.messages(#""a": {"pattern": "a://b//{c}", "scene": "Main"}"#)
        #expect(
            found.count == 1 && found[0].contains("No address has the pattern of the link a [dead-link]"), "\(found)")
    }
}
