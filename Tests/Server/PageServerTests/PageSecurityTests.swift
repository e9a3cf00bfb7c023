import HTTPWire
import Testing
import WidgetAddresses
import WidgetHTTPServer
import WidgetRender
import WidgetTestSupport

@testable import PageServer
@testable import WidgetLive

/// Goal: other sites, other viewers and floods get nothing. Method: a server on loopback, and requests as they make them.
@Suite(.ownThreads) struct `Pages, attacked,` {
    @Test func `Every answer has the policy, and is kept by no other`() throws {
        let bench = try PageBench()
        let address = try bench.open()
        let answers = [
            try bench.get("/"), try bench.get(address), try bench.get("/live/x"),
            try bench.get("\(address)/a/1.css"),
            try bench.post("/live"), try bench.post("\(address)/a"), try bench.post("/live", [], ""),
            try bench.act(address, 1), try bench.get("/assets/base.css"),
            try bench.get("/assets/\(LiveScript.fileName)"),
            try bench.get("/nothing"), try bench.get("\(address)/a/x"),
            try bench.connect().ask("PUT / HTTP/1.1\r\nHost: \(bench.host)\r\nContent-Length: 0\r\n\r\n"),
            try bench.connect().ask("GET /"),
        ]
        for answer in answers {
            #expect(answer.value("Content-Security-Policy") == LiveFrame.policy, "\(answer)")
            #expect(answer.value("X-Content-Type-Options") == "nosniff", "\(answer)")
            #expect(answer.value("Referrer-Policy") == "same-origin", "\(answer)")
            #expect(answer.value("Cross-Origin-Resource-Policy") == "same-origin", "\(answer)")
            #expect(answer.value("Set-Cookie") == nil)
            let caching = answer.value("Cache-Control")
            #expect(caching == "no-store" || caching == "public, max-age=31536000, immutable", "\(answer)")
        }
        #expect(answers[1].value("Cache-Control") == "no-store" && answers[9].value("Cache-Control") != "no-store")
    }

    @Test(arguments: [
        "Origin: http://evil.example\r\n", "Origin: null\r\n", "", "Sec-Fetch-Site: cross-site\r\n",
        "Sec-Fetch-Site: same-site\r\n", "Sec-Fetch-Site: none\r\n",
        "Origin: null\r\nSec-Fetch-Site: cross-site\r\n",
    ])
    func `A post from elsewhere is refused and changes nothing`(fields: String) async throws {
        let bench = try PageBench()
        let address = try bench.open()
        let add = try await bench.key("add", address)
        let event = #"["tap","\#(add)"]"#
        for (path, body, type) in [
            ("/live", "", "text/plain"), (address, "do=\(event)", "application/x-www-form-urlencoded"),
            ("\(address)/a/actions", "[1,[\(event)]]", "text/plain"), ("\(address)/end", "", "text/plain"),
        ] {
            #expect(try bench.post(path, Array(body.utf8), type: type, fields).status == 403, "\(path)")
        }
        #expect(bench.desk.count == 1)
        #expect(try bench.get(address).text.contains("count 0"))
    }

    @Test func `A post of a page of this server is taken, with or without a name of its origin`() throws {
        let bench = try PageBench()
        for fields in [
            bench.origin, "Sec-Fetch-Site: same-origin\r\n", "Origin: null\r\nSec-Fetch-Site: same-origin\r\n",
            "\(bench.origin)Sec-Fetch-Site: same-origin\r\n",
        ] {
            #expect(try bench.post("/live", [], fields).status == 303, "\(fields)")
        }
        let port = bench.port
        // The origin of another of its names is another origin.
        #expect(try bench.post("/live", [], "Origin: http://localhost:\(port)\r\n").status == 403)
        #expect(try bench.post("/live", [], "\(bench.origin)Sec-Fetch-Site: cross-site\r\n").status == 403)
    }

    @Test func `A request for another name is refused`() throws {
        let bench = try PageBench()
        let port = bench.port
        for host in [
            "evil.example", "evil.example:\(port)", "127.0.0.1.evil.example:\(port)", "127.0.0.2:\(port)",
        ] {
            let answer = try bench.connect().ask("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            #expect(answer.status == 421 && !answer.text.contains("count 0"), "\(host)")
            let posted = try bench.connect().ask(
                "POST /live HTTP/1.1\r\nHost: \(host)\r\nOrigin: http://\(host)\r\nContent-Length: 0\r\n\r\n")
            #expect(posted.status == 421, "\(host)")
        }
        // A proxy has another port, or none.
        for host in ["localhost:\(port)", "LOCALHOST:1", "[::1]:\(port)", "[::1]", "127.0.0.1"] {
            #expect(try bench.connect().ask("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n").status == 200, "\(host)")
        }
        #expect(bench.desk.count == 0)
    }

    @Test func `A viewing shows nothing that was typed into another`() async throws {
        let bench = try PageBench()
        let (first, second) = (try bench.open(), try bench.open())
        let name = try await bench.key("name", first)
        #expect(try bench.act(first, 1, #"["input","\#(name)","secret"]"#).status == 204)
        #expect(try bench.get(first).text.contains("secret"))
        #expect(try !bench.get(second).text.contains("secret") && !bench.get("/").text.contains("secret"))
        let stream = try EventReader(bench, "\(second)/events?after=0")
        #expect(stream.waits(for: "data: {") && !stream.text.contains("secret"))
        stream.close()
    }

    @Test func `An address has at most as many viewings as the limit, and so has the server`() throws {
        var limits = LiveLimits()
        (limits.viewings, limits.viewingsPerAddress) = (3, 2)
        let bench = try PageBench(PageBench.document, limits)
        for _ in 0..<2 { _ = try bench.open() }
        for _ in 0..<5 {
            let answer = try bench.post("/live")
            #expect(answer.status == 429 && answer.value("Retry-After") == "30")
        }
        #expect(bench.desk.count == 2)
        limits.viewingsPerAddress = 10
        let other = try PageBench(PageBench.document, limits)
        for _ in 0..<3 { _ = try other.open() }
        #expect(try other.post("/live").status == 503 && other.desk.count == 3)
    }

    @Test func `B13: Slow large bodies of one address leave places to others`() throws {
        let slots = UploadSlots()
        func sink(_ client: String) throws -> (any BodySink)? {
            slots.sink(isLarge: true, from: try #require(IPAddress(client))) { _ in .refused(.noRoute) }
        }
        var held: [any BodySink] = []
        for client in ["192.0.2.1", "2001:db8::1"] {
            let most = try (0..<12).compactMap { _ in try sink(client) }
            #expect(most.count == UploadSlots.slotsPerAddress)
            held += most
        }
        // The same host, with another of its addresses.
        #expect(try sink("2001:db8::2") == nil)
        for number in 3...4 { held += try (0..<2).compactMap { _ in try sink("192.0.2.\(number)") } }
        #expect(try held.count == UploadSlots.slotCount && sink("192.0.2.5") == nil)
        // Small ones need no place, and one that ends gives its place back.
        #expect(slots.sink(isLarge: false, from: .loopbackV4) { _ in .refused(.noRoute) } != nil)
        held.removeFirst()
        #expect(try sink("192.0.2.5") != nil)
        held = []
        #expect(try sink("192.0.2.1") != nil)
    }

    @Test func `B13: Large bodies for a page that is not there take no place`() throws {
        let bench = try PageBench()
        let address = try bench.open()
        let absent = "/live/\(String(repeating: "0", count: 32))"
        let slow = try (0..<4).map { number in
            let conversation = try bench.connect()
            let head =
                "POST \(absent)\(number % 2 == 0 ? "" : "/a/actions") HTTP/1.1\r\nHost: \(bench.host)\r\n"
                + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 900000\r\n\(bench.origin)\r\n"
            conversation.connection.send(Array(head.utf8))
            return conversation
        }
        let large = Array("name=\(String(repeating: "x", count: 300_000))".utf8)
        #expect(try bench.post("\(address)/a", large).status != 503)
        #expect(try bench.post(absent, large).status == 410)
        // The texts of a small form are shown again.
        let answer = try bench.submit(absent, ("name", "typed"))
        #expect(answer.status == 410 && answer.text.contains("typed"))
        for conversation in slow { conversation.connection.close() }
    }

    @Test func `A flood of acts is refused with the time to wait`() async throws {
        var limits = LiveLimits()
        (limits.eventBurst, limits.eventsPerSecond) = (5, 0.01)
        let bench = try PageBench(PageBench.document, limits)
        let address = try bench.open()
        let tap = #"["tap","\#(try await bench.key("add", address))"]"#
        for serial in 1...5 { #expect(try bench.act(address, serial, tap).status == 204) }
        let answer = try bench.act(address, 6, tap)
        #expect(answer.status == 429)
        #expect(answer.value("Retry-After").flatMap { Int($0) }.map { 50...100 ~= $0 } == true)
        #expect(try bench.get(address).text.contains("count 5"))
        #expect(try bench.post("\(address)/a/actions", Array(repeating: 0x20, count: 1 << 20 + 1)).status == 413)
        for body in ["", "[]", "[1]", "{}", "[1,[[\"fly\"]]]", "[[[[[[[[[[", "\u{0}"] {
            #expect(try bench.post("\(address)/a/actions", Array(body.utf8)).status == 400, "\(body)")
        }
    }
}
