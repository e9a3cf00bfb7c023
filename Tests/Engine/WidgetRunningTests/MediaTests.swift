import Foundation
import Testing
import WidgetBuild
import WidgetCore
import WidgetFiles
import WidgetHosting
import WidgetPredicates
import WidgetRender
import WidgetRunning
import WidgetTestSupport

/// Goal: pictures and films are picked by a file's name and sent, and their progress is shown.
@Suite struct `Pictures and films` {
    typealias Board = TestStoryboard

    /// A form for one picture in a form for a post, with a second place for another picture.
    static func widget() throws -> DrivenWidget {
        func media(_ name: String, y: Int) -> String {
            let inside = [
                Board.element(
                    "view", "\(name)Container", class: "UploadContainerView",
                    inside: "<subviews>\(Board.element("imageView", "\(name)Preview"))</subviews>"),
                Board.element("progressView", "\(name)Bar", y: 30, attributes: #"progress="0""#),
            ].joined()
            return Board.element(
                "view", name, y: y, height: 60, class: "MediaUploadFormView",
                runtime: [("resultInfoValueKey", "media.id")], inside: "<subviews>\(inside)</subviews>")
        }
        let views = [
            Board.button("pick", "Choose"), Board.button("send", "Send", y: 30),
            Board.element(
                "view", "outer", y: 60, height: 300, class: "FormDisplayView",
                runtime: [("dublicateKeyPolicy", "join")],
                inside: "<subviews>\(media("one", y: 0) + media("two", y: 100))</subviews>"),
            Board.button("detach", "Remove", y: 400), Board.label("count", y: 430),
        ].joined()
        func outlets(_ name: String) -> String {
            #""\#(name)": {"attrs": {"wx_fieldName": "media_ids"}, "outlets": {"uploadContainer": "\#(name)Container", "progressBar": "\#(name)Bar"}}, "#
                + #""\#(name)Container": {"attrs": {"wx_fieldName": "media"}, "outlets": {"previewView": "\#(name)Preview"}}"#
        }
        let scheme = """
            "objects": {
              "picker": {"type": "StandardMediaPickerController", "outlets": {"sender": "pick", "forms": ["one", "two"]}},
              "uploadOne": {"type": "ActionController", "attrs": {"actionName": "upload"}, "outlets": {"form": "one"}},
              "uploadTwo": {"type": "ActionController", "attrs": {"actionName": "upload"}, "outlets": {"form": "two"}},
              "post": {"type": "ButtonActionController", "attrs": {"actionName": "post"}, "outlets": {"form": "outer", "sender": "send"}},
              "status": {"type": "ActionStatusController", "attrs": {"actionName": "upload", "errorMessage": "It was not sent."}}
            },
            "elements": {
              \(outlets("one")), \(outlets("two")),
              "outer": {"outlets": {"optionalFields": ["one", "two"]}},
              "detach": {"action": {"target": "one", "selector": "detachAction:"}},
              "count": {"bindings": [{"from": "picker.pickedNumber", "format": "%@ picked"}]}
            }
            """
        let service = """
            {"defaults": {"baseUrl": "https://x.example"}, "actions": {
              "upload": {"path": "media.json", "httpMethod": "POST", "isUpload": true, "multipart": {"media": "media"}},
              "post": {"path": "post.json", "httpMethod": "POST", "parameters": {"ids": "$media_ids"}}}}
            """
        return try Board.widget(views, scheme, files: ["Service.json": service]).started()
    }

    static let picture = Media(
        fileName: "harbour.jpg", bytes: [0xFF, 0xD8, 0x0D, 0x0A, 0x2D, 0x2D], contentType: "image/jpeg", isFilm: false)

    private func outgoing(_ widget: DrivenWidget) -> [OutgoingRequest] {
        var requests: [OutgoingRequest] = []
        widget.change { requests = $0.beginRequests() }
        return requests
    }

    private func answer(_ id: String) -> RequestOutcome {
        let inner = Value.dictionary(PredicateDictionary([("id", .string(id))]))
        return .response(status: 200, body: .dictionary(PredicateDictionary([("media", inner)])))
    }

    @Test
    func `Pictures and films are sent when they are picked, show their progress, and go into the form around them`()
        throws
    {
        let widget = try Self.widget()
        #expect(widget.shows("0 picked"))
        for id in ["11", "22"] {
            #expect(widget.send(.pick(try widget.key("pick", for: .pick), Self.picture)) == nil)
            let sent = try #require(outgoing(widget).first)
            #expect(sent.request.url == "https://x.example/media.json" && sent.request.method == "POST")
            #expect(sent.request.parts == [ServiceRequest.Part(name: "media", bytes: Self.picture.bytes)])
            let bar = try widget.key(id == "11" ? "oneBar" : "twoBar")
            widget.send(.progress(request: sent.number, 0.4))
            #expect(widget.view().node(bar)?[.value]?.number == 0.4)
            #expect(widget.text().contains("[####------]"))
            widget.send(.response(request: sent.number, answer(id)))
            #expect(widget.view().node(bar)?[.value]?.number == 1)
        }
        #expect(widget.shows("[harbour.jpg]") && widget.shows("2 picked"))
        #expect(widget.send(.pick(try widget.key("pick", for: .pick), Self.picture)) != nil)
        try widget.tap("send")
        let post = try #require(outgoing(widget).first)
        #expect(String(decoding: post.request.body, as: UTF8.self) == "ids=11%2C22")
    }

    @Test func `Failed uploads are reported, and can be removed and picked again`() throws {
        let widget = try Self.widget()
        widget.send(.pick(try widget.key("pick", for: .pick), Self.picture))
        let sent = try #require(outgoing(widget).first)
        widget.send(.response(request: sent.number, .failure("The line was cut.")))
        #expect(widget.shows("It was not sent.") && widget.shows("The line was cut."))
        let alert = try #require(widget.view().alerts.first)
        widget.send(.tap(alert.key))
        try widget.tap("detach")
        #expect(!widget.shows("[harbour.jpg]"))
        #expect(widget.send(.pick(try widget.key("pick", for: .pick), Self.picture)) == nil)
        #expect(outgoing(widget).count == 1)
    }

    @Test func `Uploads under way are cancelled when they are removed`() throws {
        let widget = try Self.widget()
        widget.send(.pick(try widget.key("pick", for: .pick), Self.picture))
        let sent = try #require(outgoing(widget).first)
        #expect(widget.driver.underWay == [sent.number])
        try widget.tap("detach")
        #expect(widget.driver.underWay.isEmpty && widget.store.requests.isEmpty)
    }

    @Test func `Pictures and films keep their own names and types, as files do`() throws {
        let widget = try Self.widget()
        let film = Media(fileName: "a \"b\".mov", bytes: [1, 2], contentType: "video/quicktime", isFilm: true)
        widget.send(.pick(try widget.key("pick", for: .pick), film))
        let sent = try #require(outgoing(widget).first)
        #expect(
            sent.request.parts == [
                ServiceRequest.Part(
                    name: "media", bytes: [1, 2], contentType: "video/quicktime", fileName: "a \"b\".mov")
            ])
    }

    @Test func `A script chooses pictures and films by the name of a file`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let path = "\(scratch.path)/harbour.png"
        try Data(Self.picture.bytes).write(to: URL(fileURLWithPath: path))
        let script = try EventScript(
            Array(#"[{"pick": "pick", "file": "\#(path)"}, {"expect": "1 picked"}, {"expect": "harbour.png"}]"#.utf8))
        let network = ScriptedNetwork(
            ["POST https://x.example/media.json": answer("5")], progress: [0.25, 0.5])
        var shown: [String] = []
        var run = ScriptRun(try Self.widget().instance, network: network) { ViewText().text($0) }
        run.progressed = { shown.append(ViewText().text($0)) }
        try await run.continue(with: script)
        #expect(shown.count == 2 && shown[0].contains("[###-------]") && shown[1].contains("[#####-----]"))
        await #expect(throws: WidgetError.self) {
            try await run.continue(with: EventScript(Array(#"[{"pick": "pick", "file": "/etc/passwd"}]"#.utf8)))
        }
    }
}

/// Goal: a picker and a web page work all the way from a storyboard to the printed view. Method: a screen that has
/// both, compiled, loaded and used.
@Suite struct `A picker and a page on the web` {
    private typealias S = TestStoryboard

    private static let configuration = """
        <wkWebViewConfiguration key="configuration">
        <audiovisualMediaTypes key="mediaTypesRequiringUserActionForPlayback" none="YES"/>
        <wkPreferences key="preferences"/></wkWebViewConfiguration>
        """

    private static func widget() throws -> DrivenWidget {
        try S.widget(
            S.element("pickerView", "planet", height: 100) + S.label("chosen", y: 120)
                + S.element("wkWebView", "page", y: 150, inside: configuration)
                + S.element("webView", "old", y: 180, attributes: #"scalesPageToFit="YES""#)
                + S.button("next", "Next", y: 210),
            #"""
            "elements": {
                "@self": {"attrs": {"content": {"address": "https://example.com/moons", "start": 1}}},
                "planet": {"attrs": {"titles": ["Mercury", "Venus", "Earth"]}, "bindings": [{"from": "content.start"}]},
                "chosen": {"bindings": [{"from": "planet.wx_value"}]},
                "page": {"bindings": [{"from": "content.address"}]}
            }
            """#
        ).started()
    }

    @Test func `A picker and a web page are shown as text and as JSON`() throws {
        let widget = try Self.widget()
        #expect(widget.diagnostics.isEmpty)
        #expect(widget.text().contains("<Venus>\n1\n[web page: https://example.com/moons]\n[web page]\n"))
        let json = String(decoding: ViewJSON.document(widget.view(), size: (375, 667)), as: UTF8.self)
        #expect(json.contains(#""id":"planet","role":"combobox","value":"Venus""#))
        #expect(json.contains(#""id":"page","role":"document","value":"https://example.com/moons""#))
        #expect(widget.driver.waiting.isEmpty, "nothing is fetched")
    }

    @Test func `Pickers take titles and places, keep them, and notify their observers`() throws {
        let widget = try Self.widget()
        try widget.type("Earth", into: "planet")
        #expect(widget.shows("<Earth>\n2\n"), "what is bound to it follows")
        try widget.type("0", into: "planet")
        #expect(widget.shows("<Mercury>\n0\n"))
        let key = try widget.key("planet")
        #expect(widget.send(.input(key, .string("Pluto"))) == "Pluto is not a value for a picker")
        #expect(
            widget.send(.input(try widget.key("page"), .string("x")))
                == "the element has no value that could be changed")
        widget.advance(by: 60)
        #expect(widget.shows("<Mercury>"), "what a person chose stays until the screen is refreshed")
    }
}
