import CommandSupport
import Foundation
import HostileServer
import Testing
import WidgetTestSupport

/// Goal: an author reads which requests are not sent before a bundle is published, and a form with a list reaches its
/// server. Method: the commands of authors on a folder with a document and a service.
@Suite(.callingThreads) struct RequestCommandTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        try folder.write("Shop/Info.plist", SampleBundle.info)
    }

    private func write(_ document: String, _ action: String, base: String = "https://shop.example") throws {
        try folder.write("Shop/Main.widgets.json", Array(document.utf8))
        let service =
            #"{"defaults": {"baseUrl": "\#(base)"}, "actions": {"order": {"httpMethod": "POST", "path": "orders", \#(action)}}}"#
        try folder.write("Shop/services/Shop.json", Array(service.utf8))
    }

    private func run(_ arguments: String...) throws -> BuiltProgram.Result { try run(arguments) }

    private func run(_ arguments: [String]) throws -> BuiltProgram.Result {
        try Program.run(arguments, in: folder.url)
    }

    private static let parameters = #""parameters": {"cents": "$cents", "email": "$email"}"#

    @Test func `build, inspect and render say which requests are not sent, and why`() throws {
        try write(
            #"{"schema": 1, "sources": {"order": {"action": "order", "when": "load", "with": {"cents": 5}}}, "root": {"kind": "button", "payload": {"text": "Order"}, "on": {"tap": {"do": "call", "source": "order"}}}}"#,
            Self.parameters)
        for (command, named) in [
            ("build", "Shop/Main.widgets.json:1:"), ("inspect", "Main.widgets.json:1:"),
            ("render", "Shop/Main.widgets.json:1:"),
        ] {
            let result = try run(command, "Shop")
            let said = result.output + result.error
            #expect(result.exitCode == 0, "\(said)")
            #expect(
                said.contains(
                    "The source order waits for an action, because a POST is not sent when a screen opens [sent-on-load]"
                )
                    && said.contains("The source order has no value for $email [unfilled]") && said.contains(named),
                "\(command): \(said)")
        }
        #expect(try run("build", "Shop", "--strict").exitCode == 1)
    }

    @Test(arguments: ["build", "inspect", "render"])
    func `A scheme that places an order when its screen opens is named by each command`(command: String) throws {
        try SmallSource.writeOrdering("Small", to: folder)
        let result = try run(command, "Small")
        let said = result.output + result.error
        #expect(result.exitCode == 0, "\(said)")
        #expect(
            said.contains("sends notes when the screen opens") && said.contains("[sent-on-load]")
                && said.contains("gives notes no value for $id") && said.contains("[unfilled]")
                && said.contains("\(SmallSource.scheme):"), "\(said)")
        if command == "build" { #expect(try run("build", "Small", "--strict").exitCode == 1) }
    }

    @Test func `build says the nearest name of a place of parameters`() throws {
        try write(#"{"kind": "label", "payload": {"text": "x"}}"#, #""parametersIn": "jsn""#)
        let result = try run("build", "Shop")
        #expect(result.exitCode == 1 && result.error.contains("Shop/services/Shop.json:1:"), "\(result.error)")
        #expect(result.error.contains("did you mean json?"), "\(result.error)")
    }

    @Test func `A cart is sent as JSON to a server that answers, and nothing before the tap`() throws {
        let bodies = Observed<[String]>([])
        let server = try HostileServer { visit in
            let body = String(decoding: visit.readBody(), as: UTF8.self)
            bodies.withLock {
                $0.append("\(visit.request.method) \(visit.request.value("Content-Type") ?? "") \(body)")
            }
            visit.answer(201, ["Content-Type: application/json"], text: #"{"id": "N7"}"#)
        }
        defer { server.stop() }
        try write(
            #"""
            {"schema": 1, "state": {"cart": [{"id": 7, "count": 2}, {"id": 8, "count": 1}], "end": "open"},
             "sources": {"order": {"action": "order"}}, "root": [
              {"kind": "form", "on": {"submit": {"do": "call", "source": "order", "with": {"lines": "$cart", "name": "$argument.name"},
                "then": {"do": "set", "state": "end", "to": "$argument.id"}, "else": {"do": "set", "state": "end", "to": "$argument"}}},
               "children": [{"kind": "textfield", "id": "name", "payload": {"name": "name", "value": "Ann"}},
                {"kind": "button", "id": "send", "payload": {"text": "Send", "role": "submit"}}]},
              {"kind": "label", "payload": {"text": "$end"}}]}
            """#, #""parametersIn": "json", "parameters": {"lines": "$lines", "name": "$name"}"#, base: server.url)
        let events = try folder.write(
            "events.json", Array(#"[{"input": "name", "value": "Bo"}, {"tap": "send"}, {"wait": 1}]"#.utf8))
        let result = try run(
            "render", "Shop", "--events", events, "--grant", "\(server.url)/", "--grant-range", "127.0.0.0/8")
        #expect(result.exitCode == 0 && result.output.contains("N7"), "\(result.output)\(result.error)")
        #expect(
            bodies.value == [
                #"POST application/json {"lines":[{"id":7,"count":2},{"id":8,"count":1}],"name":"Bo"}"#
            ])
    }

    @Test func `A page that is opened places no order, and its button does`() throws {
        let orders = Observed<Int>(0)
        let server = try HostileServer { visit in
            _ = visit.readBody()
            orders.change { $0 += 1 }
            visit.answer(201, ["Content-Type: application/json"], text: "{}")
        }
        defer { server.stop() }
        try write(
            #"{"schema": 1, "sources": {"order": {"action": "order"}}, "root": {"kind": "button", "id": "send", "payload": {"text": "Order"}, "on": {"tap": {"do": "call", "source": "order"}}}}"#,
            #""needAuth": false"#, base: server.url)
        let terminal = try CalledTerminal(
            [
                "run", "--http=127.0.0.1:0", folder.path("Shop"), "--grant", "\(server.url)/", "--grant-range",
                "127.0.0.0/8",
            ], environment: ["NO_COLOR": "1", "PATH": folder.url.path])
        #expect(terminal.shows { $0.contains(/http:\/\/127\.0\.0\.1:\d+\//) }, "\(terminal.shown)")
        let port = try #require(
            terminal.shown.firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)\//).flatMap { UInt16($0.1) })
        let live = try PageClient.ask(port, "POST /live")
        let address = try String(#require(live.firstMatch(of: /Location: (\/live\/[0-9a-f]{32})/)).1)
        let page = try PageClient.ask(port, "GET \(address)")
        let button = try String(#require(page.firstMatch(of: /data-id="send" name="do" value="([^"]+)"/)).1)
        #expect(orders.value == 0)
        let tap = button.replacingOccurrences(of: "&quot;", with: "%22").replacingOccurrences(of: ",", with: "%2C")
        #expect(try PageClient.ask(port, "POST \(address)/a", "n=1&do=\(tap)").contains(" 303 "))
        #expect(orders.reaches { $0 == 1 })
        terminal.interrupt()
        #expect(terminal.end() == .exited(0))
    }

    @Test func `Answers of a granted service are recorded, and the bundle runs with them and without a server`() throws
    {
        let server = try HostileServer { visit in
            visit.answer(
                200, ["Content-Type: application/json", "Set-Cookie: sid=hidden"],
                text:
                    #"{"items": [{"title": "High water", "email": "ann@hidden.example"}, {"title": "Low water", "token": "hidden1"}]}"#
            )
        }
        defer { server.stop() }
        try write(
            #"""
            {"schema": 1, "sources": {"events": {"action": "order", "with": {"user": "ann"}, "part": "items"}},
             "root": {"kind": "table", "items": {"in": "$events", "as": "event"},
              "children": [{"kind": "cell", "payload": {"title": "$event.title"}}]}}
            """#, "")
        let service =
            #"{"defaults": {"baseUrl": "\#(server.url)"}, "actions": {"order": {"path": "hidden", "headers": {"X-Key": "hidden"}}}}"#
        try folder.write("Shop/services/Shop.json", Array(service.utf8))
        let grant = ["--grant", "\(server.url)/", "--grant-range", "127.0.0.0/8"]
        let record = ["run", "Shop", "--plain", "--record-answers", "answers.json"]
        let events = try folder.write("wait.json", Array(#"[{"wait": 1}, {"expect": "Low water"}]"#.utf8))
        // A bundle that is not there leaves no file that the next try would meet.
        #expect(try run(["run", "Shopp", "--plain", "--record-answers", "answers.json"] + grant).exitCode != 0)
        let none = try folder.write("none.json", Array("[]".utf8))
        let other = ["--grant", "https://elsewhere.example/", "--events", none]
        let unanswered = try run(record + other)
        #expect(
            unanswered.error.contains("no granted service has answered: answers.json was not written"), "\(unanswered)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("answers.json")))
        let first = try run(record + grant + ["--events", events])
        #expect(first.exitCode == 0 && first.output.contains("the answers of 1 action in answers.json"), "\(first)")
        let recorded = String(decoding: try folder.bytes("answers.json"), as: UTF8.self)
        #expect(!recorded.contains("hidden") && recorded.contains("xxx@xxxxxx.xxxxxxx"), "\(recorded)")
        // Another file is never replaced unasked.
        let again = try run(record + grant + ["--events", events])
        #expect(again.exitCode == 1 && again.error.contains("answers.json is there already"), "\(again)")
        #expect(try run(record + grant + ["--events", events, "--force"]).exitCode == 0)
        #expect(try run(record).error.contains("none is granted"))

        try FileManager.default.removeItem(atPath: folder.path("Shop/services/Shop.json"))
        try folder.write("Shop/services/StubShop.json", Array(recorded.utf8))
        for command in ["render", "run"] {
            let shown = try run([command, "Shop", "--events", events])
            #expect(
                shown.exitCode == 0 && shown.output.contains("High water") && shown.error.isEmpty,
                "\(shown.output)\(shown.error)")
        }
        let mirrored = try run("run", "Shop", "--events", events, "--dir", "rtl", "--columns", "40")
        #expect(mirrored.output.contains("\(String(repeating: " ", count: 20))"), "\(mirrored.output)")
        #expect(try run("run", "Shop", "--plain", "--text-size", "huge").error.contains("--text-size is huge"))
    }
}
