import Testing
import WidgetElement
import WidgetHTTPServer
import WidgetLogging
import WidgetSockets
import WidgetTestSupport

@testable import PageServer

/// A server of those routes alone.
private final class ElementBench: PageServing {
    let server: Server

    init(_ elements: ElementRoutes) throws {
        var routes = Routes()
        elements.add(to: &routes)
        server = try Server(
            listeners: [ServerListener(try Endpoint("127.0.0.1:0"), routes: routes)], limits: ServerLimits(),
            workers: 1,
            serverName: "widgetd", logger: Logger(level: .error), logsRequests: false,
            explain: { PageService.problem($0) })
        server.start()
    }

    deinit { server.stop() }
}

/// Goal: browsers of any origin get the element and its engine, each revalidated or kept for ever as its name says. Method: a
/// server with those routes alone, and an engine of a few bytes.
@Suite(.ownThreads) struct `The files of the element` {
    @Test func `Without an engine they are missing, with the next step`() throws {
        let bench = try ElementBench(ElementRoutes(beside: nil))
        let answer = try bench.connect().ask("GET /\(ElementScript.fileName) HTTP/1.1\r\nHost: \(bench.host)\r\n\r\n")
        #expect(answer.status == 404 && answer.text.contains("make wasm"))
        #expect(try bench.get("/assets/engine-00.wasm").status == 404)
    }

    @Test func `The script names the engine, and pages of any origin may use both`() throws {
        let elements = ElementRoutes(beside: nil)
        elements.serve(
            engine: [UInt8](repeating: 7, count: 4_000), digest: String(repeating: "0a", count: 32), brotli: [9])
        let bench = try ElementBench(elements)
        let script = try bench.get("/\(ElementScript.fileName)")
        let name = "engine-\(String(repeating: "0a", count: 16)).wasm"
        #expect(script.status == 200 && script.text.hasPrefix("const engineName = 'assets/\(name)'"))
        #expect(script.value("Cache-Control") == "no-cache" && script.value("Access-Control-Allow-Origin") == "*")
        for path in ["/assets/\(name)", "/assets/\(name)"] {
            let engine = try bench.get(path)
            #expect(engine.status == 200 && engine.value("Content-Type") == "application/wasm")
            #expect(engine.value("Cache-Control")?.contains("immutable") == true)
            #expect(engine.value("Cross-Origin-Resource-Policy") == "cross-origin")
        }
        #expect(try bench.get("/\(ElementScript.offlineFileName)").status == 200)
        #expect(try bench.get("/assets/engine-0b.wasm").status == 404)
    }
}
