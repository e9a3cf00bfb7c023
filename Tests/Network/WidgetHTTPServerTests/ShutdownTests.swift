import Dispatch
import HTTPWire
import Testing
import WidgetSockets
import WidgetSurroundings
import WidgetTestSupport

@testable import WidgetHTTPServer

@Suite struct `A server that shuts down` {
    /// Runs `drain` beside the test.
    private func drain(_ server: TestServer, grace: Duration = .seconds(20)) -> Waiting<Bool> {
        let result = Waiting<Bool>()
        DispatchQueue.global().async { result.put(server.server.drain(grace: grace)) }
        return result
    }

    private func isDraining(_ server: TestServer) -> Bool {
        server.reaches { $0.isDraining }
    }

    @Test func `A server that shuts down lets a download finish`() throws {
        let server = try TestServer()
        let conversation = try server.connect(receiveBuffer: 65_536)
        conversation.connection.send(get("/huge"))
        guard case .bytes(let first) = conversation.connection.receive() else { return }
        let drained = drain(server)
        #expect(isDraining(server))
        var received = first.count
        while case .bytes(let bytes) = conversation.connection.receive(upTo: 262_144) { received += bytes.count }
        #expect(received > TestRoutes.hugeByteCount)
        conversation.connection.close()
        #expect(drained.take() == true)
    }

    @Test func `A server that shuts down lets an upload finish, and says that it was the last`() throws {
        let server = try TestServer()
        let conversation = try server.connect()
        conversation.connection.send(request("PUT /paused HTTP/1.1", "Content-Length: 6\r\n") + "abc")
        let sink = try #require(server.routes.paused.take())
        _ = sink.received.take()
        let drained = drain(server)
        #expect(isDraining(server))
        sink.resume()
        conversation.connection.send("def" + get("/livez"))
        let answer = try conversation.next()
        #expect(answer.text == "6")
        #expect(answer.closes)
        #expect(conversation.remainder() == ([], .end))
        conversation.connection.close()
        #expect(drained.take() == true)
    }

    @Test func `A server that shuts down finishes the answer under way, and takes no request behind it`() throws {
        let server = try TestServer()
        let conversation = try server.connect()
        conversation.connection.send(get("/held") + get("/livez"))
        let responder = try #require(server.routes.held.take())
        let drained = drain(server)
        #expect(isDraining(server))
        responder.answer(.response(TestRoutes.bytes([0x61])))
        #expect(try conversation.next().closes)
        #expect(conversation.remainder() == ([], .end))
        conversation.connection.close()
        #expect(drained.take() == true)
    }

    @Test func `A server that shuts down ends streams properly`() throws {
        let server = try TestServer()
        let conversation = try server.connect()
        conversation.connection.send(get("/stream"))
        let source = try #require(server.routes.streams.take())
        let stream = try #require(source.begun.take())
        stream.write(Array("data: x\n\n".utf8))
        let drained = drain(server)
        #expect(try conversation.next().text == "data: x\n\n")
        #expect(source.stopped.take() != nil)
        stream.write([0x61])
        stream.end()
        #expect(conversation.remainder() == ([], .end))
        conversation.connection.close()
        #expect(drained.take() == true)
    }

    @Test func `A server that shuts down closes idle connections and refuses new ones`() throws {
        let server = try TestServer(workers: 2)
        let idle = try (0..<20).map { _ in try server.connect() }
        for conversation in idle { #expect(try conversation.ask(get("/livez")).status == 200) }
        let busy = try server.connect()
        busy.connection.send(get("/held"))
        let responder = try #require(server.routes.held.take())
        let drained = drain(server)
        for conversation in idle { #expect(conversation.remainder() == ([], .end)) }
        #expect(isDraining(server))
        #expect(throws: RawConnection.NoConnection.self) { try RawConnection(port: server.port) }
        responder.answer(.refused(.noRoute))
        #expect(try busy.next().status == 404)
        busy.connection.close()
        #expect(drained.take() == true)
    }

    @Test func `A server that shuts down cuts off requests that do not finish in time`() throws {
        let server = try TestServer()
        let conversation = try server.connect()
        conversation.connection.send(get("/held"))
        _ = try #require(server.routes.held.take())
        let drained = drain(server)
        #expect(isDraining(server))
        server.pass(.seconds(20) - .nanoseconds(1))
        #expect(server.server.connectionCount == 1)
        server.clock.advance(by: .nanoseconds(1))
        #expect(drained.take() == false)
        #expect(conversation.remainder().bytes.isEmpty)
        #expect(server.server.connectionCount == 0)
    }

    @Test func `A second shutdown cuts off everything`() throws {
        let server = try TestServer()
        let conversation = try server.connect()
        conversation.connection.send(get("/held"))
        let responder = try #require(server.routes.held.take())
        let drained = drain(server)
        #expect(isDraining(server))
        server.server.stop()
        #expect(drained.take() != nil)
        #expect(conversation.remainder().bytes.isEmpty)
        // The connection is gone: the answer is discarded.
        responder.answer(.refused(.noRoute))
        #expect(server.server.drain(grace: .seconds(20)))
    }

    @Test func `A server that shuts down does not wait for a client that has its answer`() throws {
        let server = try TestServer()
        let conversation = try server.connect()
        #expect(try conversation.ask("BAD\r\n\r\n").status == 400)
        let drained = drain(server)
        #expect(isDraining(server))
        // Its client may say for two seconds that it has read the answer.
        server.clock.advance(by: .milliseconds(2_250))
        #expect(drained.take() == true)
    }

    @Test func `A server can be started and stopped many times`() async {
        await #expect(processExitsWith: .success) {
            for round in 0..<200 {
                let server = try TestServer(workers: 2, isTimed: false)
                let conversation = try server.connect()
                conversation.connection.send(get("/held"))
                guard let responder = server.routes.held.take() else { exitWithFailure() }
                if round % 2 == 0 { server.server.stop() }
                responder.answer(.refused(.noRoute))
                _ = server.server.drain(grace: .milliseconds(1))
            }
            guard openDescriptors() < 100 else { exitWithFailure("\(openDescriptors()) descriptors") }
        }
    }
}
