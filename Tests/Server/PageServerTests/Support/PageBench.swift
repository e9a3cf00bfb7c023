import HTTPWire
import WidgetAddresses
import WidgetBytes
import WidgetCore
import WidgetDocuments
import WidgetHTTPServer
import WidgetHosting
import WidgetLogging
import WidgetRender
import WidgetRunning
import WidgetSockets
import WidgetTestSupport

@testable import PageServer
@testable import WidgetLive

/// Widgets of one document, which tests replace. It counts how often its first view was evaluated.
final class ServedDocument: LiveSource {
    private struct State {
        var program: LiveProgram
        var stills = 0
    }

    private let state: Guarded<State>

    init(_ document: String) throws {
        state = Guarded(State(program: try ServedDocument.program(document)))
    }

    var program: LiveProgram { state.withLock { $0.program } }
    var stillCount: Int { state.withLock { $0.stills } }

    func replace(by document: String) throws {
        let program = try ServedDocument.program(document)
        state.withLock { $0.program = program }
    }

    func widget() async -> RunningWidget {
        RunningWidget(WidgetInstance(program.planned.program), network: DeniedNetwork())
    }

    func still() -> View {
        state.withLock { $0.stills += 1 }
        var instance = WidgetInstance(program.planned.program)
        instance.send(.start)
        return instance.view()
    }

    private static func program(_ document: String) throws -> LiveProgram {
        let file = DocumentFile(path: "Main.widgets.json", name: "Main", bytes: Array(document.utf8))
        let input = DocumentInput(identifier: "a.b", documents: [file], first: "Main")
        return LiveProgram(try DocumentReader.program(input), NoAssets())
    }
}

/// A server of pages on loopback, and what browsers send to it.
protocol PageServing: Sendable {
    var server: Server { get }
}

/// Pages of a document behind a real socket.
final class PageBench: PageServing {
    let source: ServedDocument
    let desk: LiveDesk
    let server: Server

    init(
        _ document: String = PageBench.document, _ limits: LiveLimits = LiveLimits(),
        options: PageOptions = PageOptions()
    ) throws {
        source = try ServedDocument(document)
        desk = LiveDesk(limits)
        let hosts = PageHosts()
        let service = PageService(desk, OnePages(source, options: options), hosts: hosts)
        server = try Server(
            listeners: [ServerListener(try Endpoint("127.0.0.1:0"), routes: service.routes())], limits: ServerLimits(),
            workers: 1, serverName: "widgetd", logger: Logger(level: .error), logsRequests: false,
            explain: { PageService.problem($0) })
        for name in PageHosts.loopback { hosts.allow(name) }
        server.start()
    }

    deinit { server.stop() }

    /// Begins a viewing.
    ///
    /// - Returns: its address.
    func open() throws -> String {
        let answer = try post("/live")
        guard answer.status == 303, let address = answer.value("Location") else {
            throw Conversation.NoAnswer(description: "\(answer.status) \(answer.text)")
        }
        return address
    }

    /// The key of an element, as the page of a viewing has it.
    func key(_ identifier: String, _ address: String) async throws -> String {
        let name = String(address.split(separator: "/").last ?? "")
        var found = ""
        await (desk.page(name)?.part("a") as? Viewing)?.widget.snapshot().view.visit { node in
            if node.identifier == identifier { found = node.key.description }
            return found.isEmpty
        }
        return found
    }

    static let document = #"""
        {"schema": 1, "state": {"name": "", "wants": false, "count": 0},
         "root": [{"kind": "label", "id": "shown", "payload": {"text": {"$": ["count ", "$count", " name ", "$name"]}}},
          {"kind": "textfield", "id": "name", "payload": {"value": "$name", "placeholder": "Your name"}},
          {"kind": "switch", "id": "wants", "payload": {"value": "$wants", "label": "News"}},
          {"kind": "button", "id": "add", "payload": {"text": "Add"},
           "on": {"tap": {"do": "set", "state": "count", "to": {"$": "count + 1"}}}}]}
        """#
}

extension PageServing {
    var port: UInt16 {
        guard case .ip(_, let port) = server.endpoints[0] else { return 0 }
        return port
    }

    /// The name that browsers send.
    var host: String { "127.0.0.1:\(port)" }
    var origin: String { "Origin: http://\(host)\r\n" }

    func connect(receiveBuffer: Int32? = nil) throws -> Conversation {
        Conversation(try RawConnection(port: port, receiveBuffer: receiveBuffer))
    }

    func get(_ path: String, _ fields: String = "") throws -> WireAnswer {
        try connect().ask("GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\(fields)\r\n")
    }

    /// Posts, as a page of this server does unless other fields are given.
    func post(
        _ path: String, _ body: [UInt8] = [], type: String = "application/x-www-form-urlencoded",
        _ fields: String? = nil
    ) throws -> WireAnswer {
        let conversation = try connect()
        let head =
            "POST \(path) HTTP/1.1\r\nHost: \(host)\r\nContent-Type: \(type)\r\nContent-Length: \(body.count)\r\n"
            + (fields ?? origin) + "\r\n"
        conversation.connection.send(Array(head.utf8) + body)
        return try conversation.next()
    }

    /// Posts a form.
    func submit(_ path: String, _ fields: (name: String, value: String)...) throws -> WireAnswer {
        let body = fields.map { "\(Self.escaped($0.name))=\(Self.escaped($0.value))" }.joined(separator: "&")
        return try post(path, Array(body.utf8))
    }

    func act(_ path: String, _ serial: Int, _ events: String...) throws -> WireAnswer {
        let body = "[\(serial),[\(events.joined(separator: ","))]]"
        return try post("\(path)/a/actions", Array(body.utf8), type: "application/json")
    }

    private static func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: String(UnicodeScalar(byte))
            default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }.joined()
    }
}

/// The stream of a page, as bytes come.
final class EventReader {
    private let connection: RawConnection
    private(set) var text = ""
    private(set) var ending: RawConnection.Arrival?

    init(_ bench: some PageServing, _ path: String, _ fields: String = "", receiveBuffer: Int32? = nil) throws {
        connection = try RawConnection(port: bench.port, receiveBuffer: receiveBuffer)
        connection.send("GET \(path) HTTP/1.1\r\nHost: \(bench.host)\r\n\(fields)\r\n")
    }

    /// Reads until there is one of some texts.
    ///
    /// - Returns: false if the stream ended without it.
    func waits(for wanted: String...) -> Bool {
        while !wanted.contains(where: { text.contains($0) }) {
            guard ending == nil else { return false }
            read()
        }
        return true
    }

    func readToEnd() { while ending == nil { read() } }

    private func read() {
        switch connection.receive() {
        case .bytes(let bytes): text += String(decoding: bytes, as: UTF8.self)
        case let other: ending = other
        }
    }

    func close() { connection.close() }

    /// The data of all events so far.
    var data: [String] {
        text.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("data: ") }.map { String($0.dropFirst(6)) }
    }
}
