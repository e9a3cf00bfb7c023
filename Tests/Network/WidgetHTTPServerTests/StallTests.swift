import Glibc
import HTTPWire
import Testing
import WidgetAddresses
import WidgetTestSupport

@testable import WidgetHTTPServer

/// Clients that stop, or nearly stop, in the middle of something.
@Suite struct `A client that stalls` {
    private let server: TestServer

    init() throws { server = try TestServer(.impatient) }

    static let slow: [(name: String, text: String)] = [
        ("in a request line", "GET /li"),
        ("in a field", "GET /livez HTTP/1.1\r\nHost: te"),
        ("before the last line of a head", "GET /livez HTTP/1.1\r\nHost: test\r\n"),
        ("in a body", echo("Content-Length: 5\r\n", "ab")),
        ("before a body", echo("Content-Length: 5\r\n", "")),
        ("in a chunk's size", chunked("5")),
        ("in a chunk", chunked("5\r\nab")),
        ("before the last chunk", chunked("5\r\nabcde\r\n")),
        ("in a trailer", chunked("5\r\nabcde\r\n0\r\nA: b")),
        ("in an unwanted body", request("POST /plain HTTP/1.1", "Content-Length: 5\r\n") + "ab"),
        ("in unwanted chunks", request("POST /plain HTTP/1.1", "Transfer-Encoding: chunked\r\n") + "5\r\nab"),
        ("before a body it was asked to send", echo("Expect: 100-continue\r\nContent-Length: 5\r\n", "")),
    ]

    @Test(arguments: slow)
    func `A client that stalls gets an answer, and its connection ends`(_ stall: (name: String, text: String)) throws {
        let conversation = try server.connect()
        conversation.connection.send(stall.text)
        #expect(server.reaches { $0.table.count == 1 && $0.table[0].state.phase != .idle })
        if stall.text.contains("Expect") { #expect(try conversation.next().status == 100) }
        // Deadlines are kept to within a tick of 250 ms.
        server.pass(.milliseconds(299))
        #expect(conversation.connection.receive(patience: 0) == .silence)
        server.pass(.milliseconds(250))
        let answer = try conversation.next()
        #expect(answer.status == 408)
        #expect(answer.problemCode == "timeout")
        #expect(answer.closes)
        #expect(conversation.remainder() == ([], .end))
        conversation.connection.close()
        #expect(server.settles())
    }

    static let silent = ["", "\r\n", get("/livez")]

    @Test(arguments: silent)
    func `A client that stalls between requests is disconnected without an answer`(_ text: String) throws {
        let conversation = try server.connect()
        if text.hasPrefix("GET") {
            #expect(try conversation.ask(text).status == 200)
        } else {
            conversation.connection.send(text)
            #expect(server.reaches { $0.table.count == 1 })
        }
        server.pass(.milliseconds(299))
        #expect(conversation.connection.receive(patience: 0) == .silence)
        server.pass(.milliseconds(250))
        #expect(conversation.remainder() == ([], .end))
        #expect(server.settles())
    }

    @Test func `A client that stalls in an unwanted body after its refusal is disconnected`() throws {
        let conversation = try server.connect()
        conversation.connection.send(request("POST /nowhere HTTP/1.1", "Content-Length: 5\r\n") + "ab")
        #expect(try conversation.next().status == 404)
        #expect(server.endsAll(within: .seconds(2)))
        #expect(conversation.remainder() == ([], .end))
    }

    @Test func `A client that sends a byte now and then does not gain time for its head`() throws {
        let conversation = try server.connect()
        let bytes = Array("GET /livez HTTP/1.1\r\nX: \(String(repeating: "a", count: 5_000))".utf8)
        for (count, byte) in bytes.prefix(30).enumerated() {
            conversation.connection.send([byte])
            #expect(server.reaches { $0.table[0].activity?.input.count == count + 1 })
            server.pass(.milliseconds(9))
        }
        #expect(conversation.connection.receive(patience: 0) == .silence)
        conversation.connection.send([bytes[30]])
        server.pass(.milliseconds(250))
        #expect(try conversation.next().status == 408)
        #expect(server.endsAll(within: .seconds(1)))
    }

    static let unread = ["/huge", "/large"]

    @Test(arguments: unread)
    func `A client that does not read its answer is cut off`(_ path: String) throws {
        let conversation = try server.connect(receiveBuffer: 4_096)
        conversation.connection.send(get(path))
        #expect(server.reaches { $0.table.count == 1 && $0.table[0].state.phase == .sending })
        #expect(server.endsAll(within: .seconds(10)))
    }

    @Test func `A client that does not read any of many answers is cut off`() throws {
        let conversation = try server.connect(receiveBuffer: 4_096)
        let requests = String(repeating: get("/letters"), count: 1_000)
        for _ in 0..<100 { guard conversation.connection.send(Array(requests.utf8), patience: 100) > 0 else { break } }
        #expect(server.endsAll(within: .seconds(10)))
    }

    @Test func `A client that does not read its answers is cut off, even if an empty one follows later`() throws {
        // More than the system takes at once, less than the engine gathers: the rest waits beside a request.
        let text = String(repeating: get("/letters"), count: 100) + get("/held")
        let conversation = try server.connect(from: .loopbackV4, saying: text, sendBuffer: 4_096)
        let responder = try #require(server.routes.held.take())
        #expect(server.onEachLoop { $0.table.hasOutput(0) } == [true])
        responder.answer(.response(Response(.noContent)))
        #expect(server.endsAll(within: .seconds(10)))
        withExtendedLifetime(conversation) {}
    }

    /// The system's buffers hold megabytes, and take more only when a third of them is free: for several windows of such
    /// a client, nothing can be sent.
    @Test func `A client that stalls less than the least rate allows reads its answer to the end (A2)`() throws {
        var limits = ServerLimits.impatient
        limits.bodyRate = 100_000
        limits.rateWindow = .seconds(1)
        let server = try TestServer(limits)
        let conversation = try server.connect()
        conversation.connection.send(get("/huge"))
        var count = 0
        while count < 3_600_000 {
            guard case .bytes(let bytes) = conversation.connection.receive() else { break }
            count += bytes.count
            // Five times the least rate.
            server.pass(.microseconds(bytes.count * 2))
        }
        #expect(count >= 3_600_000)
        #expect(server.onEachLoop { $0.table.isOpen(0) && $0.table[0].state.phase == .sending } == [true])
    }

    @Test func `A client that the server has paused is not cut off`() throws {
        let conversation = try server.connect()
        conversation.connection.send(request("PUT /paused HTTP/1.1", "Content-Length: 6\r\n") + "abc")
        let sink = try #require(server.routes.paused.take())
        #expect(sink.received.take() == 3)
        // Several times what a client would have.
        server.pass(.seconds(2))
        server.pass(.seconds(2))
        #expect(conversation.connection.receive(patience: 0) == .silence)
        sink.resume()
        conversation.connection.send("def")
        #expect(try conversation.next().text == "6")
    }

    @Test func `A client whose answer is not ready is not cut off`() throws {
        let conversation = try server.connect()
        conversation.connection.send(get("/held"))
        let responder = try #require(server.routes.held.take())
        server.pass(.seconds(2))
        server.pass(.seconds(2))
        #expect(conversation.connection.receive(patience: 0) == .silence)
        responder.answer(.response(TestRoutes.bytes([0x61])))
        #expect(try conversation.next().text == "a")
    }

    @Test func `Three hundred clients that stall do not delay the others`() throws {
        let server = try TestServer(workers: 2)
        let stalled = try (0..<300).map { index in
            let connection = try RawConnection(port: server.port)
            connection.send(["", "GET /li", echo("Content-Length: 5\r\n", "a"), get("/livez")][index % 4])
            return connection
        }
        #expect(server.isWell())
        let haveAll = server.reaches({ $0.table.count }, { $0.reduce(0, +) >= stalled.count })
        #expect(haveAll)
        for connection in stalled { connection.close() }
        #expect(server.settles())
    }
}
