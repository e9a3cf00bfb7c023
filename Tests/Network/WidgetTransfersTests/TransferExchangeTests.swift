import HostileServer
import Testing
import WidgetTestSupport

@testable import WidgetTransfers

/// Goal: plain exchanges work over a real socket. Method: a scripted server on loopback.
@Suite struct `An exchange with a web server` {
    @Test func `An exchange brings the head and the body`() async throws {
        let server = try HostileServer { $0.answer(200, ["X-Word:  spaced \t"], text: "hello") }
        let answer = try await Setting.client.send(try Setting.request(server.url + "/a?b=c"))
        #expect(answer.head.status == 200)
        #expect(answer.head["x-word"] == "spaced")
        #expect(answer.head.contentLength == 5)
        #expect(try await answer.body.collect() == Array("hello".utf8))
        #expect(server.requests.map(\.target) == ["/a?b=c"])
        #expect(server.requests[0].method == "GET")
    }

    @Test func `An exchange asks for the head alone`() async throws {
        let server = try HostileServer { $0.answer(200, text: "hello") }
        let answer = try await Setting.client.send(try Setting.request(server.url, .head))
        #expect(answer.head.contentLength == 5)
        #expect(try await answer.body.collect().isEmpty)
        #expect(server.requests[0].method == "HEAD")
    }

    @Test func `An exchange uses its connection again`() async throws {
        let server = try HostileServer { $0.answer(200, text: "\($0.number)") }
        for number in 0..<3 {
            let answer = try await Setting.client.send(try Setting.request(server.url))
            #expect(try await answer.body.collect() == Array("\(number)".utf8))
        }
        #expect(server.requests.count == 3)
    }

    @Test func `An exchange makes the server wait until the reader continues`() async throws {
        let block = [UInt8](repeating: 7, count: 1 << 20)
        let server = try HostileServer { visit in
            visit.send("HTTP/1.1 200 OK\r\nContent-Length: \(64 << 20)\r\n\r\n")
            // On a busy machine the reader may pause for longer than the usual patience with a client.
            for _ in 0..<64 { visit.connection.send(block) }
        }
        var request = try Setting.request(server.url)
        request.limits.bodyByteCount = nil
        request.limits.bufferByteCount = 1 << 18
        request.limits.stall = .seconds(3)
        let answer = try await Setting.client.send(request)
        // Longer than a stall may last: waiting for the reader does not count as one.
        await pause(.seconds(4))
        var count = 0
        var largest = 0
        while let bytes = try await answer.body.next() {
            count += bytes.count
            largest = max(largest, bytes.count)
        }
        #expect(count == 64 << 20)
        #expect(largest < 1 << 19)
    }

    @Test func `An exchange ignores interim answers`() async throws {
        let server = try HostileServer { visit in
            visit.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")
            visit.answer(200, text: "done")
        }
        let answer = try await Setting.client.send(try Setting.request(server.url))
        #expect(answer.head.status == 200)
        #expect(answer.head["Link"] == nil)
        #expect(try await answer.body.collect() == Array("done".utf8))
    }

    @Test func `An exchange streams a body that comes bit by bit`() async throws {
        let server = try HostileServer { visit in
            visit.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            visit.send("3\r\none\r\n")
            visit.hold()
        }
        var request = try Setting.request(server.url)
        request.limits.stall = .seconds(20)
        let answer = try await Setting.client.send(request)
        #expect(try await answer.body.next() == Array("one".utf8))
    }
}
