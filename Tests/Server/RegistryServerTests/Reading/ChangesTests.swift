import JSONText
import RegistryServer
import Testing
import WidgetHTTPServer
import WidgetRegistry
import WidgetSurroundings
import WidgetTestSupport

@Suite struct `The feed of changes` {
    @Test func `The feed of changes lists the changes in order, a page at a time`() throws {
        let served = try ServedRegistry()
        let first = try served.publish()
        try served.publish(TestBundle(version: "1.1"))
        try served.withdraw(first)
        let page = try served.document("/v1/changes")
        let items = try #require(page["items"]?.array)
        #expect(items.map { $0["kind"]?.string } == ["publish", "publish", "withdraw"])
        #expect(items.map { $0["tag"]?.integer } == [1, 2, 3])
        #expect(items.first?["channel"]?.string == "stable")
        #expect(page["next"] == nil)
        #expect(try served.document("/v1/changes?since=2")["items"]?.array?.count == 1)
        #expect(try served.document("/v1/changes?since=0")["items"]?.array?.count == 3)

        let part = try served.get("/v1/changes?limit=2")
        let next = try #require(try JSONValue(parsing: part.body)["next"]?.string)
        #expect(part.value("Link") == "</v1/changes?limit=2&since=\(next)>; rel=\"next\"")
        #expect(try served.document("/v1/changes?since=\(next)")["items"]?.array?.map { $0["tag"]?.integer } == [3])
        #expect(try served.document("/v1/changes?cursor=\(next)")["items"]?.array?.count == 1)
        #expect(part.value("Vary")?.contains("Accept") == true)
    }

    @Test(arguments: ["since=-1", "since=x", "limit=0", "limit=1001"])
    func `The feed of changes refuses malformed parameters`(_ query: String) throws {
        #expect(try ServedRegistry().get("/v1/changes?\(query)").problemCode == "malformed-request")
    }
}

/// A client of the feed as server-sent events.
final class Listening {
    let connection: RawConnection
    private var received: [UInt8] = []

    init(_ served: ServedRegistry, _ path: String = "/v1/changes", _ fields: String = "", receiveBuffer: Int32? = nil)
        throws
    {
        connection = try RawConnection(port: served.port, receiveBuffer: receiveBuffer)
        connection.send("GET \(path) HTTP/1.1\r\nHost: test\r\nAccept: text/event-stream\r\n\(fields)\r\n")
    }

    /// Everything up to and with the first place where `text` is found behind what was returned before.
    func wait(for text: String) throws -> String {
        // Bytes, since to a String a chunk's CR LF before a newline is one character.
        let wanted = Array(text.utf8)
        while true {
            if let range = received.firstRange(of: wanted) {
                defer { received.removeSubrange(..<range.upperBound) }
                return String(decoding: received[..<range.upperBound], as: UTF8.self)
            }
            guard received.count < 16 << 20, case .bytes(let bytes) = connection.receive() else {
                throw Conversation.NoAnswer(
                    description: "no \(text) in \(String(decoding: received.suffix(2_000), as: UTF8.self))")
            }
            received += bytes
        }
    }
}

@Suite struct `The feed as events` {
    @Test func `The feed as events begins with missed changes and continues with new ones`() throws {
        let served = try ServedRegistry()
        try served.publish()
        let client = try Listening(served)
        let head = try client.wait(for: "\r\n\r\n")
        #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(head.contains("\r\nContent-Type: text/event-stream\r\n"))
        #expect(head.contains("\r\nCache-Control: no-store\r\n"))
        #expect(try client.wait(for: "\n\n").contains("retry: 3000\n\n"))
        let missed = try client.wait(for: "\n\n")
        #expect(missed.contains("id: 1\ndata: {\"tag\":1,"))
        try served.publish(TestBundle(version: "1.1"))
        #expect(
            try client.wait(for: "\n\n").contains(
                "id: 2\ndata: {\"tag\":2,\"at\":\"2026-11-21T10:00:00Z\",\"kind\":\"publish\""))
    }

    @Test func `The feed as events continues after the last event the client saw, and ignores its address`() throws {
        let served = try ServedRegistry()
        for version in ["1.0", "1.1", "1.2"] { try served.publish(TestBundle(version: version)) }
        let client = try Listening(served, "/v1/changes?since=0", "Last-Event-ID: 2\r\n")
        _ = try client.wait(for: "retry: 3000\n\n")
        let first = try client.wait(for: "\n\n")
        #expect(first.contains("id: 3\n"))
        #expect(!first.contains("id: 2\n"))
        let other = try Listening(served, "/v1/changes?since=1")
        #expect(try other.wait(for: "id: 2\n").contains("id: 1\n") == false)
    }

    @Test func `The feed is a page for clients that accept that as well`() throws {
        let served = try ServedRegistry()
        for accept in ["*/*", "application/json", "application/json, text/event-stream", "text/event-stream;q=0, */*"] {
            let answer = try served.get("/v1/changes", "Accept: \(accept)\r\n")
            #expect(answer.value("Content-Type") == "application/json", "\(accept)")
        }
    }

    @Test func `The feed as events sends comments while nothing happens`() async throws {
        let served = try ServedRegistry()
        let client = try Listening(served)
        _ = try client.wait(for: "retry: 3000\n\n")
        for _ in 0..<2 {
            await served.clock.waits(for: 1)
            served.clock.advance(by: .seconds(14))
            #expect(client.connection.receive(patience: 0) == .silence)
            served.clock.advance(by: .seconds(1))
            _ = try client.wait(for: "\n:\n\n")
        }
        try served.publish()
        #expect(try client.wait(for: "id: 1\n").contains("data:") == false)
    }

    @Test func `A narrowed stream names the place behind what it leaves out, once`() async throws {
        let served = try ServedRegistry()
        for build in 1...3 { try served.publish(TestBundle(build: "\(build)")) }
        let client = try Listening(served, "/v1/changes?widget=org.example.Other")
        // The past has nothing for it.
        #expect(try client.wait(for: "id: 3\n\n").contains("data:") == false)
        let beat = served.clock.now + .seconds(15)
        await served.clock.waits { $0.contains(beat) }
        try served.publish(TestBundle(build: "4"))
        // A listener of everything has the change, so the other one has passed over it.
        let witness = try Listening(served, "/v1/changes?since=3")
        _ = try witness.wait(for: "id: 4\ndata:")
        try served.publish(TestBundle(build: "5"))
        _ = try witness.wait(for: "id: 5\ndata:")
        served.clock.advance(by: .seconds(15))
        #expect(try client.wait(for: "id: 5\n\n").contains(":\n\nid: 5"))
        await served.clock.waits { $0.contains(beat + .seconds(15)) }
        served.clock.advance(by: .seconds(15))
        #expect(try client.wait(for: ":\n\n").contains("id:") == false)
    }

    @Test func `A scan of changes that are left out pauses between pages, so that other answers come between`()
        async throws
    {
        let served = try ServedRegistry()
        try served.publish()
        for index in 0..<600 {
            _ = try served.registry.setChannel(
                TestBundle.identifier, "stable", ChannelSetting(release: "1.0~1", rollout: 5_000 + index % 2),
                by: Author("x")
            ) { (_: Channel?) throws(RegistryError) in }
        }
        let client = try Listening(served, "/v1/changes?widget=org.example.Other")
        // The place of the first page comes before the second is read.
        _ = try client.wait(for: "id: 500\n\n")
        let pause = served.clock.now + .milliseconds(10)
        await served.clock.waits { $0.contains(pause) }
        #expect(client.connection.receive(patience: 0) == .silence)
        served.clock.advance(by: .milliseconds(10))
        _ = try client.wait(for: "id: 601\n\n")
    }

    @Test func `The feed as events reaches many clients, each change once and in order`() throws {
        let served = try ServedRegistry()
        try served.publish()
        let clients = try (0..<50).map { try Listening(served, "/v1/changes?since=\($0 % 2)") }
        for build in 2...20 { try served.publish(TestBundle(build: "\(build)")) }
        for (index, client) in clients.enumerated() {
            let text = try client.wait(for: "id: 20\ndata:")
            let tags = text.matches(of: /id: (\d+)\n/).compactMap { Int($0.1) }
            #expect(tags == Array((index % 2 + 1)...20))
        }
    }

    @Test func `The feed as events disconnects a client that does not read, without effect on others`() throws {
        let served = try ServedRegistry()
        try served.publish()
        let slow = try Listening(served, receiveBuffer: 2_048)
        _ = try slow.wait(for: "id: 1\n")
        let quick = try Listening(served)
        _ = try quick.wait(for: "id: 1\n")
        // The feed names the author of a change, and a long name makes a large event.
        let count = 60
        let name = Author(String(repeating: "x", count: 60_000))
        for index in 0..<count {
            _ = try served.registry.setChannel(
                TestBundle.identifier, "stable", ChannelSetting(release: "1.0~1", rollout: 5_000 + index), by: name
            ) { (_: Channel?) throws(RegistryError) in }
            _ = try quick.wait(for: "id: \(index + 2)\n")
        }
        let rest = slow.connection.receiveToEnd()
        let text = String(decoding: rest.bytes, as: UTF8.self)
        #expect(text.utf8.suffix(5).elementsEqual("0\r\n\r\n".utf8))
        #expect(!text.contains("id: \(count + 1)\n"))
    }

    @Test func `The feed as events ends when the server stops`() throws {
        let served = try ServedRegistry()
        let client = try Listening(served)
        _ = try client.wait(for: "retry: 3000\n\n")
        served.server.stop()
        _ = client.connection.receiveToEnd()
    }
}
