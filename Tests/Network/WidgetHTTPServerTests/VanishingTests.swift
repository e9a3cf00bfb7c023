import HTTPWire
import Testing
import WidgetTestSupport

@testable import WidgetHTTPServer

/// Clients that are gone without a word, at every point where that can happen.
@Suite struct `A client that vanishes` {
    static let requests = [
        get("/letters", "X: y\r\n"),
        get("/held"),
        get("/stream"),
        echo("Content-Length: 5\r\n", "abcde"),
        chunked("3;a=b\r\nabc\r\n2\r\nde\r\n0\r\nT: x\r\n\r\n"),
        request("PUT /gated HTTP/1.1", "Content-Length: 5\r\n") + "abcde",
        request("PUT /paused HTTP/1.1", "Transfer-Encoding: chunked\r\n") + "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n",
        request("POST /nowhere HTTP/1.1", "Content-Length: 5\r\n") + "abcde",
        request("POST /plain HTTP/1.1", "Transfer-Encoding: chunked\r\n") + "5\r\nabcde\r\n0\r\n\r\n",
    ]

    @Test(arguments: requests)
    func `A client that vanishes at any byte of a request leaves nothing behind`(_ text: String) throws {
        let server = try TestServer()
        let bytes = Array(text.utf8)
        for count in 0...bytes.count {
            for resets in [true, false] {
                let connection = try RawConnection(port: server.port)
                connection.send(Array(bytes[..<count]))
                if resets { connection.reset() } else { connection.close() }
            }
        }
        #expect(server.isWell())
        #expect(server.settles())
    }

    static let answers = ["/file", "/large", "/counted", "/letters", "/huge"]

    @Test(arguments: answers)
    func `A client that vanishes at many points of an answer leaves nothing behind`(_ path: String) throws {
        let server = try TestServer()
        var point = 0
        var isWholeAnswer = false
        while !isWholeAnswer, point < 3_000_000 {
            for resets in [true, false] {
                let connection = try RawConnection(port: server.port, receiveBuffer: point % 3 == 0 ? 4_096 : nil)
                connection.send(get(path) + get(path))
                var received = 0
                while received < point {
                    guard
                        case .bytes(let bytes) = connection.receive(upTo: min(65_536, point - received), patience: 300)
                    else {
                        isWholeAnswer = true
                        break
                    }
                    received += bytes.count
                }
                if resets { connection.reset() } else { connection.close() }
            }
            point = point * 2 + 17
        }
        #expect(server.isWell())
        #expect(server.settles(), "\(server.remains)")
    }

    @Test func `A client that vanishes before its answer gets none, and no other client gets it`() throws {
        let server = try TestServer()
        for _ in 0..<200 {
            let gone = try RawConnection(port: server.port)
            gone.send(get("/held"))
            let responder = try #require(server.routes.held.take())
            gone.reset()
            #expect(server.settles())
            // The slot is used again at once.
            let next = try server.connect()
            next.connection.send(get("/held"))
            let nextResponder = try #require(server.routes.held.take())
            responder.answer(.response(TestRoutes.bytes(Array("stale".utf8))))
            nextResponder.answer(.response(TestRoutes.bytes(Array("fresh".utf8))))
            responder.answer(.response(TestRoutes.bytes(Array("stale".utf8))))
            #expect(try next.next().text == "fresh")
            nextResponder.answer(.response(TestRoutes.bytes(Array("again".utf8))))
            #expect(try next.ask(get("/letters")).text == "abcdefghijklmnopqrstuvwxyz")
            next.connection.reset()
        }
    }

    @Test func `A client that vanishes behind many requests leaves nothing behind`() throws {
        let server = try TestServer(workers: 2)
        for round in 0..<100 {
            let connection = try RawConnection(port: server.port, receiveBuffer: 4_096)
            let many = String(
                repeating: get("/later/x") + get("/letters") + echo("Content-Length: 2\r\n", "ab"), count: 50)
            connection.send(many)
            if round % 2 == 0 { connection.reset() } else { connection.close() }
        }
        #expect(server.isWell())
        #expect(server.settles())
    }

    @Test func `A client that vanishes during a stream stops its source`() throws {
        let server = try TestServer()
        for resets in [true, false] {
            let connection = try RawConnection(port: server.port)
            connection.send(get("/stream"))
            let source = try #require(server.routes.streams.take())
            let stream = try #require(source.begun.take())
            stream.write([0x61])
            if resets { connection.reset() } else { connection.close() }
            // A farewell alone could be a client that only listens; the first bytes it does not want settle that.
            stream.write([0x61])
            #expect(server.reaches { $0.table.count == 0 })
            #expect(server.server.connectionCount == 0)
            #expect(source.stopped.take() != nil)
        }
    }

    @Test func `A client that vanishes leaves no descriptor open`() async {
        await #expect(processExitsWith: .success) {
            let server = try TestServer(workers: 2)
            // Files that routes open when they are first asked are open from then on.
            for path in Self.answers {
                _ = try server.ask("HEAD \(path) HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n", isHead: true)
            }
            guard server.settles() else { exitWithFailure() }
            let before = openDescriptors()
            for text in Self.requests + Self.answers.map({ get($0) }) {
                for count in [text.utf8.count / 2, text.utf8.count] {
                    for round in 0..<20 {
                        let connection = try RawConnection(port: server.port)
                        connection.send(Array(text.utf8.prefix(count)))
                        if round % 2 == 0 { connection.reset() } else { connection.close() }
                    }
                }
            }
            guard server.settles() else { exitWithFailure("not at rest") }
            // The system's own threads may open one or two meanwhile; what leaks here would leak ten times.
            guard openDescriptors() < before + 5 else {
                exitWithFailure("\(before) descriptors, then \(openDescriptors())")
            }
        }
    }
}

/// A client that has said all it will say, and listens.
@Suite struct `A client that only listens` {
    static let paths = [("/letters", 26), ("/large", TestRoutes.largeByteCount), ("/huge", TestRoutes.hugeByteCount)]

    @Test(arguments: paths)
    func `A client that only listens gets its whole answer`(_ path: String, _ byteCount: Int) throws {
        let server = try TestServer()
        let connection = try RawConnection(port: server.port)
        connection.send(get(path))
        connection.finishSending()
        var received = 0
        var last = RawConnection.Arrival.silence
        while true {
            last = connection.receive(upTo: 262_144)
            guard case .bytes(let bytes) = last else { break }
            received += bytes.count
        }
        #expect(last == .end)
        #expect((byteCount...(byteCount + 1_000)).contains(received))
        #expect(server.settles())
    }

    @Test func `A client that only listens gets all the answers it has asked for`() throws {
        let server = try TestServer()
        let conversation = try server.connect()
        conversation.connection.send(get("/later/x") + get("/file") + get("/counted") + get("/held") + get("/letters"))
        conversation.connection.finishSending()
        #expect(try conversation.next().text == "x")
        #expect(try conversation.next().body.count == TestRoutes.largeByteCount)
        #expect(try conversation.next().text == CountingStream.text)
        try #require(server.routes.held.take()).answer(.refused(.noRoute))
        #expect(try conversation.next().status == 404)
        #expect(try conversation.next().text == "abcdefghijklmnopqrstuvwxyz")
        #expect(conversation.remainder() == ([], .end))
        #expect(server.settles())
    }

    @Test func `A client that only listens gets the refusal of a request it sent before`() throws {
        let server = try TestServer()
        let conversation = try server.connect()
        conversation.connection.send(request("PUT /late HTTP/1.1", "Content-Length: 1000000\r\n"))
        let responder = try #require(server.routes.held.take())
        _ = conversation.connection.push(1_000_000)
        conversation.connection.finishSending()
        responder.answer(.refused(.noRoute))
        #expect(try conversation.next().status == 404)
        // An end and no reset: everything it sent has been read.
        #expect(conversation.remainder() == ([], .end))
        #expect(server.settles())
    }
}

extension TestServer {
    /// Answers, opens and resumes everything that tests have left waiting, and all that comes, until it is called with false.
    func finishesPending(_ finishes: Bool) {
        guard finishes else {
            routes.consumers.hand(to: nil)
            routes.paused.hand(to: nil)
            routes.held.hand(to: nil)
            return routes.streams.hand(to: nil)
        }
        routes.consumers.hand { $0.open() }
        routes.paused.hand { $0.open() }
        routes.held.hand { $0.answer(.refused(.noRoute)) }
        routes.streams.hand { source in source.begun.hand { $0.end() } }
    }
}
