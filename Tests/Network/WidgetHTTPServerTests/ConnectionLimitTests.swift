import CWidgetLinux
import Glibc
import HTTPWire
import Testing
import WidgetAddresses
import WidgetSockets
import WidgetTestSupport

@testable import WidgetHTTPServer

@Suite struct `The limit of connections` {
    private func server(_ connections: Int) throws -> TestServer {
        var limits = ServerLimits()
        limits.connections = connections
        return try TestServer(limits)
    }

    /// Keeps a connection busy until it is answered.
    private func occupy(_ server: TestServer) throws -> Conversation {
        let conversation = try server.connect()
        conversation.connection.send(get("/held"))
        return conversation
    }

    @Test func `At the limit of busy connections a newcomer is refused and learns when to try again`() throws {
        let server = try server(4)
        let busy = try (0..<4).map { _ in try occupy(server) }
        let responders = try busy.map { _ in try #require(server.routes.held.take()) }
        let late = try server.connect()
        let answer = try late.next()
        #expect(answer.status == 503)
        #expect(answer.problemCode == "overloaded")
        #expect(answer.value("Retry-After") == "1")
        #expect(answer.closes)
        #expect(late.remainder() == ([], .end))
        for responder in responders { responder.answer(.refused(.noRoute)) }
        for conversation in busy { #expect(try conversation.next().status == 404) }
        #expect(server.isWell())
    }

    @Test func `At the limit a newcomer with a request is refused so that it can read the answer`() throws {
        let server = try server(1)
        let busy = try occupy(server)
        _ = try #require(server.routes.held.take())
        for _ in 0..<50 {
            let late = try server.connect()
            late.connection.send(get("/livez"))
            #expect(try late.next().status == 503)
        }
        busy.connection.close()
    }

    @Test func `At the limit the connection that has been idle longest makes room`() throws {
        let server = try server(3)
        let idle = try (0..<3).map { _ in
            let conversation = try server.connect()
            #expect(try conversation.ask(get("/livez")).status == 200)
            server.pass(.milliseconds(1))
            return conversation
        }
        // The first has been idle longest until it asks again.
        #expect(try idle[0].ask(get("/livez")).status == 200)
        let late = try server.connect()
        #expect(try late.ask(get("/livez")).status == 200)
        #expect(idle[1].remainder() == ([], .end))
        #expect(try idle[0].ask(get("/livez")).status == 200)
        #expect(try idle[2].ask(get("/livez")).status == 200)
        #expect(server.server.connectionCount == 3)
    }

    @Test func `The limit of connections holds against any number at once`() throws {
        let server = try server(8)
        for _ in 0..<20 {
            let crowd = try (0..<40).map { _ in try RawConnection(port: server.port) }
            for connection in crowd { connection.send(get("/livez")) }
            #expect(server.server.connectionCount <= 8)
            for connection in crowd { connection.close() }
        }
        #expect(server.settles())
    }

    @Test func `The limit of connections follows a reload`() throws {
        let server = try server(100)
        let busy = try (0..<5).map { _ in try occupy(server) }
        for _ in busy { _ = try #require(server.routes.held.take()) }
        var limits = ServerLimits()
        limits.connections = 5
        server.server.reload(limits, logsRequests: false)
        #expect(server.reaches { $0.limits.connections == 5 })
        #expect(try server.connect().next().status == 503)
        limits.connections = 6
        limits.idleTimeout = .seconds(2)
        server.server.reload(limits, logsRequests: false)
        #expect(server.reaches { $0.limits.connections == 6 })
        let idle = try server.connect()
        #expect(try idle.ask(get("/livez")).status == 200)
        server.pass(.seconds(3))
        #expect(idle.remainder() == ([], .end))
        for conversation in busy { conversation.connection.close() }
    }

    @Test(arguments: [(64, 32), (128, 64), (1_024, 512), (1, 1), (1 << 20, 16_384)])
    func `The limit of connections is lowered to fit the limit of descriptors`(_ descriptors: Int, _ connections: Int) {
        #expect(Server.allowed(ServerLimits(), descriptors: descriptors).connections == connections)
    }
}

@Suite struct `The limit of a head` {
    @Test func `The limit of a head is the room of the buffer if the settings allow more`() throws {
        var limits = ServerLimits()
        limits.head = HeadLimits(requestLine: 1 << 20, field: 1 << 20, fields: 1 << 20, fieldCount: 1 << 20)
        let server = try TestServer(limits)
        for text in ["GET /", "GET /livez HTTP/1.1\r\nHost: test\r\nX: "] {
            let conversation = try server.connect()
            conversation.connection.send(text + String(repeating: "a", count: 200_000))
            #expect(try conversation.next().status == 431)
        }
        #expect(try server.get("/livez", "X: \(String(repeating: "a", count: 100_000))\r\n").status == 200)
    }
}

@Suite struct `The limit of connections of one address` {
    private static let stranger = IPAddress("203.0.113.7") ?? .loopbackV4

    private func server() throws -> TestServer {
        var limits = ServerLimits()
        limits.connectionsPerAddress = 2
        limits.trustedProxies = [try #require(AddressRange("198.51.100.0/24"))]
        return try TestServer(limits)
    }

    @Test func `The limit of one address refuses only that address`() throws {
        let server = try server()
        let first = try server.connect(from: Self.stranger)
        let second = try server.connect(from: Self.stranger)
        #expect(try first.ask(get("/livez")).status == 200)
        #expect(try second.ask(get("/livez")).status == 200)
        let third = try server.connect(from: Self.stranger)
        let refusal = try third.next()
        #expect(refusal.status == 503)
        #expect(refusal.value("Retry-After") == "1")
        #expect(try server.connect(from: try #require(IPAddress("203.0.113.8"))).ask(get("/livez")).status == 200)
        first.connection.close()
        #expect(server.reaches { $0.table.count == 1 })
        #expect(try server.connect(from: Self.stranger).ask(get("/livez")).status == 200)
    }

    @Test func `The limit of one address counts an IPv6 host's addresses as one`() throws {
        let server = try server()
        let held = try ["2001:db8::1", "2001:db8::ffff:2"].map { text in
            let conversation = try server.connect(from: try #require(IPAddress(text)))
            #expect(try conversation.ask(get("/livez")).status == 200)
            return conversation
        }
        #expect(try server.connect(from: try #require(IPAddress("2001:db8::3"))).next().status == 503)
        #expect(try server.connect(from: try #require(IPAddress("2001:db8:0:1::3"))).ask(get("/livez")).status == 200)
        withExtendedLifetime(held) {}
    }

    @Test(arguments: ["127.0.0.1", "::1", "198.51.100.3", "127.255.0.9"])
    func `The limit of one address does not apply to this machine or a trusted proxy`(_ text: String) throws {
        let server = try server()
        let address = try #require(IPAddress(text))
        let held = try (0..<20).map { _ in
            let conversation = try server.connect(from: address)
            #expect(try conversation.ask(get("/livez")).status == 200)
            return conversation
        }
        withExtendedLifetime(held) {}
    }

    @Test func `A connection that ends in any way is released from the limit of its address`() throws {
        let server = try server()
        for round in 0..<300 {
            let conversation = try server.connect(from: Self.stranger)
            switch round % 3 {
            case 0: conversation.connection.close()
            case 1: conversation.connection.send("BAD\r\n\r\n")
            default: #expect(try conversation.ask(get("/livez", "Connection: close\r\n")).status == 200)
            }
            conversation.connection.close()
            #expect(server.settles())
        }
        #expect(try server.connect(from: Self.stranger).ask(get("/livez")).status == 200)
    }
}

/// In separate processes without a free descriptor.
@Suite struct `A shortage of descriptors` {
    @Test func `A shortage of descriptors pauses accepting, without a spin, and ends by itself`() async {
        await #expect(processExitsWith: .success) {
            let server = try TestServer()
            // The last connection has to be gone, or its descriptor comes free at a bad moment.
            guard server.isWell(), server.settles() else { exitWithFailure("not at rest") }
            let clients = (0..<4).map { _ in linux_blocking_socket(AF_INET) }
            // Descriptors are used up to the last one.
            var limit = rlimit()
            _ = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            limit.rlim_cur = rlim_t(openDescriptors() + 20)
            _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            var taken: [Int32] = []
            while case let copy = linux_eventfd(), copy >= 0 { taken.append(copy) }
            var bytes = [UInt8](repeating: 0, count: 16)
            bytes.replaceSubrange(10..<16, with: [0xFF, 0xFF, 127, 0, 0, 1])
            // Sixteen bytes are read.
            for client in clients where unsafe linux_connect_ip(client, bytes, 1, server.port) != 0 {
                exitWithFailure()
            }
            let conversations = clients.map { Conversation(RawConnection(adopting: $0)) }
            for conversation in conversations { conversation.connection.send(get("/livez")) }
            guard server.reaches({ $0.counters.value(.shortages) == 1 }) else { exitWithFailure("no shortage") }
            // Accepting is tried once in each pause of a second's ten, and no more often.
            for _ in 0..<10 {
                server.pass(.milliseconds(99))
                server.pass(.milliseconds(1))
            }
            guard server.reaches({ $0.counters.value(.shortages) == 11 }) else { exitWithFailure("not as often") }
            // A loop that spins makes turns by itself, between those that it is asked for.
            guard server.turnsOfFirstLoop(whileAsked: 1_000) <= 2_001 else { exitWithFailure("it spins") }
            guard conversations[0].connection.receive(patience: 0) == .silence else { exitWithFailure("answered") }
            for descriptor in taken { close(descriptor) }
            server.pass(.milliseconds(100))
            for conversation in conversations {
                guard try conversation.next().status == 200 else { exitWithFailure() }
            }
        }
    }

    @Test func `A server with 64 descriptors serves`() async {
        await #expect(processExitsWith: .success) {
            // What was open in the process that started this one may be open here, too.
            let most = rlim_t(openDescriptors() + 60)
            var limit = rlimit(rlim_cur: most, rlim_max: most)
            _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            let server = try TestServer()
            // More clients than there are descriptors, in turn, and few at a time: they live in the same process.
            for _ in 0..<20 {
                let some = try (0..<8).map { _ in try RawConnection(port: server.port) }
                for connection in some { connection.send(get("/livez")) }
                guard server.isWell() else { exitWithFailure() }
                withExtendedLifetime(some) {}
            }
        }
    }
}
