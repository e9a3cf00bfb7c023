import Testing
import WidgetCore
import WidgetFormats
import WidgetHosting
import WidgetPredicates
import WidgetRender
import WidgetRunning
import WidgetTestSupport

/// Goal: a form whose fields break rules is not sent, says why wherever it is printed, and is sent once they follow the
/// rules. Method: a form for a new password, whose rules a scheme has.
@Suite struct `A form with rules` {
    typealias S = TestStoryboard

    static let validation = #"""
        "name": {"attrs": {"wx_fieldName": "name"}, "validation": {"required": true, "pattern": "[a-z]+", "message": {"pattern": "$name: small letters only"}}},
        "word": {"attrs": {"wx_fieldName": "word"}, "validation": {"minimumLength": 4}},
        "again": {"validation": {"predicateFormat": "again.text == word.text", "message": "They differ"}}
        """#

    static var views: String {
        let inside = [("name", "Name"), ("word", "Word"), ("again", "Again")].enumerated().map { place, field in
            S.element("textField", field.0, y: place * 30, attributes: #"placeholder="\#(field.1)""#)
        }
        return S.element(
            "view", "form", height: 200, class: "FormDisplayView", inside: "<subviews>\(inside.joined())</subviews>")
            + S.button("send", "Send", y: 300) + S.label("state", y: 330)
    }

    static let scheme = #"""
        "objects": {"act": {"type": "ButtonActionController", "attrs": {"actionName": "go"}, "outlets": {"sender": "send", "form": "form"}}},
        "elements": {"form": {"outlets": {"optionalFields": ["name", "word", "again"]}},
          "state": {"bindings": [{"from": "act.content.name", "placeholder": "incomplete"}]}, \#(validation)}
        """#

    static let service = #"{"defaults": {"baseUrl": "https://x.example"}, "actions": {"go": {"path": "$name/$word"}}}"#

    static func widget() throws -> DrivenWidget {
        try S.widget(views, scheme, files: ["Service.json": service]).started()
    }

    private static func message(_ widget: DrivenWidget, _ name: String) throws -> String? {
        AccessibleNode(try #require(widget.view().node(try widget.key(name)))).fault
    }

    @Test func `A refused form sends nothing, and each of its invalid fields says why in text and JSON`() throws {
        let widget = try Self.widget()
        #expect(widget.diagnostics.isEmpty, "\(widget.diagnostics)")
        try widget.type("abc", into: "word")
        let refusal = try widget.refusal(of: "send") { .tap($0) }
        #expect(
            refusal == """
                the form was not sent: name (Name is required), word (Word needs at least 4 characters), again (They differ)
                """)
        #expect(widget.driver.waiting.isEmpty)
        #expect(
            widget.text().contains(
                """
                [ <Name>, invalid ]
                ! Name is required
                [ abc, invalid ]
                ! Word needs at least 4 characters
                [ <Again>, invalid ]
                ! They differ
                """), "\(widget.text())")
        let json = String(decoding: ViewJSON.document(widget.view(), size: (375, 667)), as: UTF8.self)
        #expect(
            json.contains(#""id":"again","message":"They differ","name":"Again","role":"textbox","state":["invalid"]"#))
        #expect(json.contains(#""state":["focused","invalid"]"#), "the first invalid field has the focus")
    }

    @Test func `A message follows the value of its field, and the values of fields that it is compared with`() throws {
        let widget = try Self.widget()
        try widget.type("ABC", into: "name")
        try widget.type("abcd", into: "word")
        _ = try widget.refusal(of: "send") { .tap($0) }
        #expect(try Self.message(widget, "name") == "Name: small letters only")
        #expect(try Self.message(widget, "word") == nil && Self.message(widget, "again") == "They differ")
        try widget.type("ada", into: "name")
        #expect(try Self.message(widget, "name") == nil)
        try widget.type("", into: "name")
        #expect(try Self.message(widget, "name") == "Name is required")
        try widget.type("", into: "word")
        #expect(try Self.message(widget, "again") == nil, "both are empty now")
        try widget.type("abcd", into: "word")
        try widget.type("abcd", into: "again")
        try widget.type("ada", into: "name")
        try widget.tap("send")
        #expect(widget.driver.waiting.map(\.request.url) == ["https://x.example/ada/abcd"])
        try widget.type("", into: "name")
        #expect(try Self.message(widget, "name") == nil, "a form that was sent begins anew")
    }

    @Test func `The content of a form is there for expressions when all fields follow their rules`() throws {
        let widget = try Self.widget()
        #expect(widget.shows("incomplete"))
        for (name, text) in [("name", "ada"), ("word", "abcd"), ("again", "abcd")] { try widget.type(text, into: name) }
        #expect(!widget.shows("incomplete") && widget.column("state") == ["ada"])
        try widget.type("abc", into: "again")
        #expect(widget.shows("incomplete"))
    }

    @Test func `A required picture is refused until it was picked and sent`() throws {
        let media = S.element(
            "view", "photo", height: 60, class: "MediaUploadFormView", runtime: [("resultInfoValueKey", "media.id")],
            inside: "<subviews>\(S.element("view", "container", class: "UploadContainerView"))</subviews>")
        let views =
            S.button("pick", "Choose")
            + S.element(
                "view", "outer", y: 60, height: 300, class: "FormDisplayView", inside: "<subviews>\(media)</subviews>")
            + S.button("send", "Send", y: 30)
        let widget = try S.widget(
            views,
            #"""
            "objects": {
              "picker": {"type": "StandardMediaPickerController", "outlets": {"sender": "pick", "forms": ["photo"]}},
              "upload": {"type": "ActionController", "attrs": {"actionName": "upload"}, "outlets": {"form": "photo"}},
              "post": {"type": "ButtonActionController", "attrs": {"actionName": "post"}, "outlets": {"form": "outer", "sender": "send"}}},
            "elements": {\#(`A scheme`.stubSelf), "outer": {"outlets": {"optionalFields": ["photo"]}},
              "photo": {"attrs": {"wx_fieldName": "id", "accessibilityLabel": "A photo"}, "outlets": {"uploadContainer": "container"}, "validation": {"required": true}},
              "container": {"attrs": {"wx_fieldName": "media"}}}
            """#,
            files: [
                "StubService.json": `A mediator`.stub(
                    #""upload": {"response": {"media": {"id": "7"}}}, "post": {"response": {}}"#)
            ]
        ).started()
        #expect(widget.diagnostics.isEmpty, "\(widget.diagnostics)")
        let refusal = try widget.refusal(of: "send") { .tap($0) }
        #expect(refusal == "the form was not sent: photo (A photo is required)")
        #expect(widget.shows("! A photo is required"))
        #expect(widget.send(.pick(try widget.key("pick", for: .pick), `Pictures and films`.picture)) == nil)
        #expect(widget.shows("! A photo is required"), "it is not sent yet")
        widget.advance(by: 1)
        #expect(!widget.shows("! A photo is required"))
        try widget.tap("send")
        #expect(widget.log.contains { $0.kind == .request && $0.text.hasPrefix("post") })
    }

    @Test func `Messages about fields are in the reader's language where the bundle has them`() throws {
        let sources = try SampleBundle.files("HarbourLog") { sources in
            for path in sources.keys where path.hasSuffix(".json") { sources[path] = nil }
            sources["Main.storyboard"] = Array(S.text([S.Screen(name: "Main", views: Self.views)]).utf8)
            sources["Main.json"] = Array("{\"Main\": {\(Self.scheme)}}".utf8)
        }
        var files = Dictionary(uniqueKeysWithValues: sources.paths.map { ($0, sources[$0] ?? []) })
        files["de.lproj/Validation.strings"] = Array(
            #""required" = "$name fehlt"; "minimumLength" = "$name braucht $limit Zeichen"; "They differ" = "Sie sind verschieden";"#
                .utf8)
        for (locale, shown) in [
            ("de_AT", ["! Name fehlt", "! Word braucht 4 Zeichen", "! Sie sind verschieden"]),
            ("en", ["! Name is required", "! Word needs at least 4 characters", "! They differ"]),
            ("it", ["! Name è obbligatorio", "! Word richiede almeno 4 caratteri", "! They differ"]),
        ] {
            let program = try WidgetKitReader.program(BundleFiles(files, locale: locale), identifier: "test")
            let environment = Environment(locale: locale)
            let widget = try DrivenWidget(WidgetInstance(program, environment: environment)).started()
            try widget.type("abc", into: "word")
            _ = try widget.refusal(of: "send") { .tap($0) }
            for text in shown { #expect(widget.shows(text), "\(text) in \(widget.text())") }
        }
    }

    @Test func `Rules continue with a changed program, and apply from the next tap on`() throws {
        let widget = try Self.widget()
        _ = try widget.refusal(of: "send") { .tap($0) }
        let program = widget.program
        widget.change { $0.replace(program) }
        #expect(!widget.shows("invalid"))
        let again = try widget.refusal(of: "send") { .tap($0) }
        #expect(again?.contains("name (Name is required)") ?? false)
    }
}

/// Goal: scripts say which taps a form has to refuse. Method: the same form, and scripts of which some are wrong.
@Suite struct `A refused step of a script` {
    private static func run() throws -> ScriptRun {
        ScriptRun(try `A form with rules`.widget().instance, network: DeniedNetwork()) { ViewText().text($0) }
    }

    private static func played(_ steps: String) async throws -> (error: String?, output: String, log: [LogEntry]) {
        var run = try run()
        do throws(WidgetError) {
            try await run.play(EventScript(Array("[\(steps)]".utf8)))
            return (nil, run.output, run.instance.log)
        } catch {
            return ("\(error)", run.output, run.instance.log)
        }
    }

    private static let filled =
        #"{"input": "name", "value": "ada"}, {"input": "word", "value": "abcd"}, {"input": "again", "value": "abcd"}"#

    @Test func `A tap that a form refuses can be expected, and the form stays to be seen`() async throws {
        let (error, _, log) = try await Self.played(
            #"{"tap": "send", "refused": true}, {"expect": "Name is required"}, {"expectNot": "Word needs"}, \#(Self.filled), {"tap": "send", "refused": false}"#
        )
        #expect(error == nil)
        #expect(log.contains { $0.kind == .request && $0.text.hasPrefix("go") })
    }

    @Test func `An expected refusal fails when the form was sent, or when something else refused the tap`() async throws
    {
        let sent = try await Self.played(#"\#(Self.filled), {"tap": "send", "refused": true}"#)
        #expect(sent.error?.contains("step 4") ?? false)
        #expect(sent.error?.contains("it was not refused: the form was sent") ?? false)
        let missing = try await Self.played(#"{"tap": "nothing", "refused": true}"#)
        #expect(missing.error?.contains("the screen has no nothing") ?? false)
        let stale = try await Self.played(#"{"tap": "send", "refused": true}, {"tap": "nothing", "refused": true}"#)
        #expect(stale.error?.contains("step 2") ?? false, "an earlier refusal does not count")
        let quiet = try await Self.played(#"{"submit": "name", "refused": true}"#)
        #expect(quiet.error?.contains("nothing happens when the element is submitted") ?? false)
    }

    @Test func `An unexpected refusal ends the script, names the fields, and prints the screen`() async throws {
        let (error, output, _) = try await Self.played(
            #"{"snapshot": "before"}, {"tap": "send"}, {"snapshot": "after"}"#)
        #expect(error?.contains("step 2") ?? false)
        #expect(error?.contains("the form was not sent: name (Name is required)") ?? false)
        #expect(error?.contains(#""refused": true"#) ?? false, "it says how to expect that")
        #expect(
            output.hasPrefix("== before\n") && output.contains("! Name is required") && !output.contains("== after"))
    }

    @Test(arguments: [
        #"{"tap": "a", "refused": 1}"#, #"{"input": "a", "value": "b", "refused": true}"#,
        #"{"back": true, "refused": true}"#,
    ]) func `Only taps and submitted texts can be refused by a form`(step: String) {
        #expect(throws: WidgetError.self) { _ = try EventScript(Array("[\(step)]".utf8)) }
    }

    @Test func `A refused step is written as it is read`() throws {
        for step in [ScriptStep.tap("a", refused: true), .submit("b", refused: true), .tap("c"), .submit("d")] {
            #expect(try EventScript(Array("[\(step.json)]".utf8)).steps == [step])
        }
        #expect(ScriptStep.tap("a", refused: true).json == #"{"tap":"a","refused":true}"#)
    }
}
