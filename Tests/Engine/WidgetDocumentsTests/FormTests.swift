import JSONText
import Testing
import WidgetCore
import WidgetPredicates
import WidgetRender

@testable import WidgetDocuments

/// Forms of documents: values by the names of their fields, rules, refusals, and what sends them.
@Suite struct FormTests {
    private static let login = #"""
        {"schema": 1, "state": {"user": "", "sent": "nothing", "taps": 0, "busy": false},
         "components": {"secret": {"parameters": {"hint": ""}, "body": {"kind": "textfield", "id": "password",
           "payload": {"name": "password", "secure": true, "placeholder": "$hint", "pattern": ".{4,}"}}}},
         "root": [
          {"kind": "form", "id": "login", "payload": {"busy": "$busy"}, "on": {"submit": {"do": "set", "state": "sent", "to": "$argument"}},
           "children": [
            {"kind": "textfield", "id": "user", "payload": {"name": "user", "value": "$user", "placeholder": "User", "required": true}},
            {"kind": "secret", "payload": {"hint": "Password"}},
            {"kind": "switch", "id": "terms", "payload": {"name": "terms", "label": "Terms", "required": true, "message": "Please agree"}},
            {"kind": "button", "id": "send", "payload": {"text": "Send", "role": "submit"},
             "on": {"tap": {"do": "set", "state": "taps", "to": {"$": "taps + 1"}}}}]},
          {"kind": "button", "id": "work", "payload": {"text": "Work"}, "on": {"tap": {"do": "toggle", "state": "busy"}}},
          {"kind": "label", "payload": {"text": {"$": ["User ", "$sent.user", ", password ", "$sent.password", ", terms ", "$sent.terms"]}}},
          {"kind": "label", "payload": {"text": {"$": ["Taps ", "$taps"]}}}]}
        """#

    @Test func `A form is refused at the fields that break a rule, and sent with the values of all`() throws {
        var bench = try DocumentBench(Self.login)
        #expect(bench.messages.isEmpty, "\(bench.messages)")
        #expect(try bench.type("abc", into: "password") == nil)
        let refusal = try bench.tap("send")
        #expect(
            refusal
                == "the form was not sent: user (User is required), password (Password does not have the expected form), terms (Please agree)",
            "\(refusal ?? "nothing")")
        #expect(bench.lines.contains("! User is required") && bench.lines.contains("! Please agree"), "\(bench.text)")
        let page = String(
            decoding: PagePrinter(bench.program, PrintOptions()).print(bench.view, NoAssets()), as: UTF8.self)
        #expect(page.contains("<fieldset") && page.contains(#"aria-invalid="true""#))
        // A switch has its message in a box with it, and names it for readers of screens.
        let shown = try #require(
            page.firstMatch(
                of:
                    /<div class="[^"]* v fc"><input type="checkbox"[^>]* aria-invalid="true" aria-describedby="([^"]*)"[^>]*>(.*)/
            ))
        #expect(shown.2.hasPrefix("<span class=\"er\" id=\"\(shown.1)\">Please agree</span></div>"), "\(page)")
        #expect(try bench.type("ann", into: "user") == nil)
        #expect(try bench.type("abcd", into: "password") == nil)
        #expect(bench.send(.input(try bench.key("terms"), .boolean(true))) == nil)
        #expect(!bench.text.contains("!"), "A field that follows its rule has no fault:\n\(bench.text)")
        #expect(try bench.tap("send") == nil)
        #expect(bench.lines.contains("User ann, password abcd, terms 1"), "\(bench.text)")
        // The actions of the button itself run as well, also when the form is refused.
        #expect(bench.lines.contains("Taps 2"))
    }

    @Test func `A field of several lines has the border of the others on pages`() throws {
        let bench = try DocumentBench(
            #"[{"kind": "textfield", "payload": {}}, {"kind": "textfield", "payload": {"multiline": true}}]"#)
        let page = String(
            decoding: PagePrinter(bench.program, PrintOptions()).print(bench.view, NoAssets()), as: UTF8.self)
        #expect(page.contains(/<span[^>]* class="[^"]*tf b3"/), "\(page)")
        #expect(page.contains(/<span[^>]* class="[^"]*ta b3"/), "\(page)")
    }

    @Test func `The return key of a field sends the form, unless the field has its own use for it`() throws {
        var bench = try DocumentBench(
            #"""
            {"schema": 1, "state": {"sent": "no", "own": 0}, "root": [
              {"kind": "form", "on": {"submit": {"do": "set", "state": "sent", "to": {"$": "argument.a"}}}, "children": [
                {"kind": "textfield", "id": "a", "payload": {"name": "a"}},
                {"kind": "textfield", "id": "b", "payload": {"name": "b"}, "on": {"submit": {"do": "set", "state": "own", "to": 1}}}]},
              {"kind": "label", "payload": {"text": {"$": ["$sent", " ", "$own"]}}}]}
            """#)
        #expect(try bench.type("x", into: "a") == nil)
        #expect(bench.send(.submit(try bench.key("b"))) == nil)
        #expect(bench.lines.contains("no 1"), "\(bench.text)")
        #expect(bench.send(.submit(try bench.key("a"))) == nil)
        #expect(bench.lines.contains("x 1"), "\(bench.text)")
    }

    @Test func `A busy form is not sent, and its button cannot be tapped`() throws {
        var bench = try DocumentBench(Self.login)
        #expect(try bench.tap("work") == nil)
        #expect(try bench.tap("send") == "the element is disabled")
        #expect(bench.send(.submit(try bench.key("user"))) == "the form is being sent")
        #expect(bench.send(.submit(try bench.key("login"))) == "the form is being sent")
        #expect(try bench.tap("work") == nil)
        #expect(try bench.tap("send")?.hasPrefix("the form was not sent") == true)
    }

    @Test func `Fields and buttons that belong to no form are reported`() throws {
        let bench = try DocumentBench(
            #"""
            [{"kind": "textfield", "payload": {"name": "a", "required": true}},
             {"kind": "button", "payload": {"text": "Send", "role": "submit"}},
             {"kind": "form", "children": [
               {"kind": "textfield", "payload": {"pattern": "a"}}, {"kind": "textfield", "payload": {"name": "x", "pattern": "("}},
               {"kind": "vstack", "items": {"in": [1, 2]}, "children": [{"kind": "switch", "payload": {"name": "c"}}]},
               {"kind": "form"}]},
             {"kind": "vstack", "items": {"in": [1]}, "children": [{"kind": "form"}]}]
            """#)
        let expected = [
            "The textfield is not a field of a form", "No form is around the button",
            "The textfield is not a field of a form", "`(`", "The switch is not a field of a form",
            "A form cannot be in another form", "A form cannot be in the items of a list",
        ]
        #expect(bench.messages.count == expected.count, "\(bench.messages)")
        for (message, part) in zip(bench.messages, expected) { #expect(message.contains(part), "\(message)") }
    }

    @Test func `A form of a document in another document knows its fields`() throws {
        var bench = try DocumentBench(
            #"[{"kind": "label", "payload": {"text": "Above"}}, {"kind": "host", "payload": {"document": "ask"}}]"#,
            documents: [
                "ask": #"""
                {"schema": 1, "state": {"sent": "no"}, "root": [
                  {"kind": "form", "on": {"submit": {"do": "set", "state": "sent", "to": "$argument.a"}}, "children": [
                    {"kind": "textfield", "id": "a", "payload": {"name": "a", "required": true}},
                    {"kind": "button", "payload": {"text": "Send", "role": "submit"}}]},
                  {"kind": "label", "payload": {"text": "$sent"}}]}
                """#
            ])
        #expect(try bench.tap("Send") == "the form was not sent: a (This field is required)")
        #expect(try bench.type("yes", into: "a") == nil)
        #expect(try bench.tap("Send") == nil)
        #expect(bench.lines.contains("yes"), "\(bench.text)")
    }
}
