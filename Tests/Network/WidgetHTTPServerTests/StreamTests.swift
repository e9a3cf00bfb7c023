import HTTPWire
import Testing
import WidgetTestSupport

@testable import WidgetHTTPServer

@Suite struct `A stream` {
    /// A conversation in which a stream has begun.
    private func begin(_ server: TestServer, _ text: String = get("/stream")) throws -> (Conversation, ResponseStream) {
        let conversation = try server.connect()
        conversation.connection.send(text)
        let source = try #require(server.routes.streams.take())
        return (conversation, try #require(source.begun.take()))
    }

    @Test func `A stream arrives piece by piece`() throws {
        let server = try TestServer()
        let (conversation, stream) = try begin(server)
        var received: [UInt8] = []
        func waitFor(_ text: String) {
            while !String(decoding: received, as: UTF8.self).contains(text) {
                guard case .bytes(let bytes) = conversation.connection.receive() else { break }
                received += bytes
            }
            #expect(String(decoding: received, as: UTF8.self).contains(text))
        }
        waitFor("Content-Type: text/event-stream\r\n")
        for number in 0..<20 {
            stream.write(Array("data: \(number)\n\n".utf8))
            waitFor("data: \(number)\n\n")
        }
        stream.end()
        waitFor("\r\n0\r\n\r\n")
        #expect(stream.pendingByteCount == 0)
    }

    @Test func `A stream keeps its connection for the next request`() throws {
        let server = try TestServer()
        let (conversation, stream) = try begin(server, get("/stream") + get("/letters") + get("/stream"))
        stream.write(Array("one".utf8))
        stream.end()
        // Bytes after the end are discarded, and must not reach the next stream.
        stream.write(Array("late".utf8))
        stream.end()
        #expect(try conversation.next().text == "one")
        #expect(try conversation.next().text == "abcdefghijklmnopqrstuvwxyz")
        let source = try #require(server.routes.streams.take())
        let second = try #require(source.begun.take())
        stream.write(Array("late".utf8))
        second.write(Array("two".utf8))
        stream.end()
        second.end()
        #expect(try conversation.next().text == "two")
        #expect(server.onEachLoop { $0.heavyIdleConnections } == [0])
    }

    @Test func `A stream without a piece is an empty body`() throws {
        let server = try TestServer()
        let (conversation, stream) = try begin(server)
        stream.write([])
        stream.end()
        #expect(try conversation.next().text == "")
    }

    @Test func `A stream to a client of HTTP/1.0 ends with the connection`() throws {
        let server = try TestServer()
        let (conversation, stream) = try begin(server, "GET /stream HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        stream.write(Array("one".utf8))
        stream.write(Array("two".utf8))
        stream.end()
        let answer = try conversation.next()
        #expect(answer.text == "onetwo")
        #expect(answer.isUntilEnd)
        #expect(answer.closes)
    }

    @Test func `A stream to a HEAD request is never begun`() throws {
        let server = try TestServer()
        let conversation = try server.connect()
        #expect(try conversation.ask(request("HEAD /stream HTTP/1.1"), isHead: true).status == 200)
        let source = try #require(server.routes.streams.take())
        #expect(source.stopped.take() == true)
        #expect(source.begun.takeAll().isEmpty)
        #expect(try conversation.ask(get("/livez")).status == 200)
    }

    @Test func `A stream whose client is always a little behind keeps no trace of what was sent`() throws {
        let server = try TestServer()
        let (conversation, stream) = try begin(server)
        // A first piece larger than all buffers, so that the queue is never empty.
        stream.write([UInt8](repeating: 0x61, count: 24 << 20))
        let connection = conversation.connection
        var longest = 0
        for _ in 0..<2_000 {
            stream.write([UInt8](repeating: 0x61, count: 8_192))
            if case .bytes = connection.receive(upTo: 16_384) {}
            longest = max(longest, server.onEachLoop { loop in loop.table[0].activity?.output.entryCount ?? 0 }[0])
        }
        #expect(longest < 2_100)
        stream.end()
        while case .bytes(let bytes) = connection.receive(upTo: 262_144),
            !bytes.suffix(5).elementsEqual("0\r\n\r\n".utf8)
        {}
        #expect(stream.pendingByteCount == 0)
    }
}

@Suite struct `A stream that nobody waits for any more` {
    @Test func `A stream whose reader is gone is stopped, and so is its writer`() throws {
        let server = try TestServer()
        let conversation = try server.connect()
        conversation.connection.send(get("/held"))
        let responder = try #require(server.routes.held.take())
        conversation.connection.reset()
        #expect(server.settles())
        let source = TestStream()
        responder.answer(.response(Response(.ok, fields: FieldBlock(), stream: source)))
        #expect(source.stopped.take() == true)
        #expect(source.begun.takeAll().isEmpty)
    }

    @Test func `A stream is stopped if another answer has come first`() throws {
        let server = try TestServer()
        let conversation = try server.connect()
        conversation.connection.send(get("/held"))
        let responder = try #require(server.routes.held.take())
        responder.answer(.response(Response(.ok)))
        let source = TestStream()
        responder.answer(.response(Response(.ok, fields: FieldBlock(), stream: source)))
        #expect(source.stopped.take() == true)
    }
}

/// An answer that is deferred from one responder to the next is subject to the head of its request all the same.
@Suite struct `An answer deferred more than once` {
    private let path = "/later/twice/letters"

    @Test func `An answer deferred more than once is the whole resource without conditions`() throws {
        let answer = try TestServer().get(path)
        #expect(answer.status == 200)
        #expect(answer.body == TestRoutes.letters)
    }

    @Test func `An answer deferred more than once is 304 if the client has the resource`() throws {
        #expect(try TestServer().get(path, "If-None-Match: \"letters\"\r\n").status == 304)
    }

    @Test func `An answer deferred more than once is the range that the client asks for`() throws {
        let answer = try TestServer().get(path, "Range: bytes=2-4\r\n")
        #expect(answer.status == 206)
        #expect(answer.body == Array(TestRoutes.letters[2...4]))
    }
}
