import Glibc
import Testing
import WidgetSockets
import WidgetSurroundings
import WidgetTestSupport

@testable import WidgetHTTPServer

@Suite struct `A server` {
    private func path() -> String { "/tmp/widgetd-test-\(UInt64.random(in: 0 ... .max)).sock" }

    @Test func `A server listens on a unix socket, and removes its path at the end`() throws {
        let path = path()
        do {
            let server = try TestServer(workers: 2, at: "unix:\(path)")
            let conversation = Conversation(try RawConnection(unixPath: path))
            #expect(try conversation.ask(get("/letters")).text == "abcdefghijklmnopqrstuvwxyz")
            #expect(try conversation.ask(echo("Content-Length: 3\r\n", "abc")).text == "abc")
            #expect(try conversation.ask(get("/file")).body.count == TestRoutes.largeByteCount)
            #expect(try conversation.ask("BAD\r\n\r\n").status == 400)
            #expect(conversation.remainder() == ([], .end))
            conversation.connection.close()
            #expect(server.settles())
            server.server.drain(grace: .seconds(20))
        }
        #expect(unsafe access(path, F_OK) != 0)
    }

    @Test func `A server dates its answers by its clock, to the second (RFC 9110 §6.6.1)`() throws {
        let server = try TestServer()
        let conversation = try server.connect()
        var dates: [String?] = []
        for duration in [Duration.milliseconds(999), .milliseconds(1), .seconds(86_400)] {
            dates.append(try conversation.ask(get("/livez")).value("Date"))
            server.clock.advance(by: duration)
        }
        dates.append(try server.get("/livez").value("Date"))
        #expect(
            dates == [
                "Wed, 20 Jun 2018 20:00:00 GMT", "Wed, 20 Jun 2018 20:00:00 GMT", "Wed, 20 Jun 2018 20:00:01 GMT",
                "Thu, 21 Jun 2018 20:00:01 GMT",
            ])
    }

    @Test func `A server leaves a unix path alone that another server has taken over`() throws {
        let path = path()
        let first = try TestServer(at: "unix:\(path)")
        let conversation = Conversation(try RawConnection(unixPath: path))
        conversation.connection.send(get("/held"))
        let responder = try #require(first.routes.held.take())
        first.onEachLoop { $0.drain {} }.forEach { $0 }
        let second = try TestServer(at: "unix:\(path)")
        responder.answer(.response(TestRoutes.bytes([0x61])))
        #expect(try conversation.next().text == "a")
        first.server.stop()
        #expect(try Conversation(RawConnection(unixPath: path)).ask(get("/livez")).status == 200)
        second.server.stop()
    }

    @Test func `A server listens on IPv6`() throws {
        let server: TestServer
        do {
            server = try TestServer(at: "[::1]:0")
        } catch let error as SystemError {
            Issue.record("IPv6 was not tested: \(error)", severity: .warning)
            return
        }
        let conversation = Conversation(try RawConnection(port: server.port, isV6: true))
        #expect(try conversation.ask(get("/letters")).status == 200)
    }

    @Test func `A server shares connections among its loops`() throws {
        let server = try TestServer(workers: 2)
        let conversations = try (0..<64).map { _ in try server.connect() }
        for conversation in conversations { #expect(try conversation.ask(get("/livez")).status == 200) }
        #expect(server.onEachLoop { $0.table.count }.allSatisfy { $0 > 0 })
    }

    @Test func `A server does not start on a port that is in use`() throws {
        let first = try TestServer(workers: 2)
        for workers in 1...2 {
            let error = #expect(throws: SystemError.self) {
                try TestServer(workers: workers, at: "127.0.0.1:\(first.port)")
            }
            #expect(error?.isAddressInUse == true)
        }
        #expect(first.isWell())
    }
}
