import HostileServer
import Testing
import WidgetDeflate
import WidgetSurroundings
import WidgetTestSupport

@testable import WidgetTransfers

/// Goal: every behaviour of a server ends in a typed error or in the right bytes, and soon. Method: one script each.
@Suite(.ownThreads) struct `A hostile server` {
    private static let body = Array("The quick brown fox jumps over the lazy dog.".utf8)
    private static let whole =
        Array("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body

    private static func outcome(
        _ change: (inout TransferRequest) -> Void = { _ in }, _ script: @escaping HostileServer.Script
    ) async throws -> TransferError.Reason? {
        let server = try HostileServer(script)
        var request = try Setting.request(server.url)
        request.retries = .never
        change(&request)
        let asked = request
        return await Setting.reason { () async throws(TransferError) in
            try await Setting.client.send(asked).body.collect()
        }
    }

    @Test func `A hostile server that stops at any byte is noticed`() async throws {
        for count in 0..<Self.whole.count {
            let reason = try await Self.outcome { visit in
                visit.send(Array(Self.whole[..<count]))
            }
            switch reason {
            case .connectionLost, .malformedAnswer: break
            default: Issue.record("\(count) bytes: \(String(describing: reason))")
            }
        }
    }

    @Test func `A hostile server that stops at any byte of a chunked body is noticed`() async throws {
        let head = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
        let chunks = Array("5\r\nhello\r\n6;a=b\r\n world\r\n0\r\n\r\n".utf8)
        // The last line end alone may be missing: the end of the body has been said by then.
        for count in 0..<(chunks.count - 4) {
            let reason = try await Self.outcome { $0.send(head + chunks[..<count]) }
            #expect(reason == .connectionLost, "\(count)")
        }
    }

    @Test func `A hostile server that resets the connection is noticed`() async throws {
        for count in [0, 20, Self.whole.count - 10] {
            let reason = try await Self.outcome { visit in
                visit.send(Array(Self.whole[..<count]))
                visit.reset()
            }
            #expect(reason == .connectionLost, "\(count)")
        }
    }

    @Test(arguments: [0, 20, whole.count - 10])
    func `A server that falls silent is given up`(after count: Int) async throws {
        let clock = ManualClock()
        let isSent = Observed(false)
        let server = try HostileServer { visit in
            visit.send(Array(Self.whole[..<count]))
            isSent.change { $0 = true }
            visit.hold()
        }
        var request = try Setting.request(server.url)
        request.retries = .never
        let asked = request
        let outcome = Task.onOwnThreads {
            await Setting.reason { () async throws(TransferError) in
                try await Setting.client(clock).send(asked).body.collect()
            }
        }
        await isSent.becomes { $0 }
        #expect(await clock.moving { await outcome.value } == .timedOut(.stalled))
        // What came before the first alarm puts it off once.
        #expect(clock.passed >= Setting.limits.stall && clock.passed <= Setting.limits.stall * 2)
    }

    @Test func `A hostile server that never ends its body is cut off at the limit`() async throws {
        let block = [UInt8](repeating: 0x61, count: 64 << 10)
        let reason = try await Self.outcome { visit in
            visit.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
            visit.sendForever(block)
        }
        #expect(reason == .limitReached(.body, 4 << 20))
    }

    @Test func `A server that announces too large a body is not read from`() async throws {
        let reason = try await Self.outcome { visit in
            visit.send("HTTP/1.1 200 OK\r\nContent-Length: \(5 << 20)\r\n\r\n")
            visit.hold()
        }
        #expect(reason == .limitReached(.body, 4 << 20))
    }

    @Test func `A server that sends more than it announced is read to the announced end`() async throws {
        let server = try HostileServer { visit in
            visit.send(Self.whole + Array("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged".utf8))
            visit.hold()
        }
        for _ in 0..<2 {
            let answer = try await Setting.client.send(try Setting.request(server.url))
            #expect(try await answer.body.collect() == Self.body)
        }
    }

    @Test func `A server that trickles is cut off when the time is over`() async throws {
        let reason = try await Self.outcome {
            $0.limits.total = .milliseconds(600)
        } _: { visit in
            visit.send("HTTP/1.1 200 OK\r\n\r\n")
            visit.drip(repeatElement(0x61, count: 1 << 20), every: 20)
        }
        #expect(reason == .timedOut(.total))
    }

    @Test func `A hostile server that never ends its head is cut off`() async throws {
        let field = Array("X-Padding: \(String(repeating: "a", count: 1_000))\r\n".utf8)
        let reason = try await Self.outcome { visit in
            visit.send("HTTP/1.1 200 OK\r\n")
            visit.sendForever(field)
        }
        #expect(reason == .limitReached(.head, 64 << 10))
    }

    @Test func `A hostile server that sends countless fields is cut off`() async throws {
        let reason = try await Self.outcome { visit in
            visit.send("HTTP/1.1 200 OK\r\n")
            visit.sendForever(Array("a:b\r\n".utf8))
        }
        #expect(reason == .limitReached(.fields, 200))
    }

    @Test func `A hostile server that sends countless interim answers is cut off`() async throws {
        let reason = try await Self.outcome { visit in
            visit.sendForever(Array("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".utf8))
        }
        #expect(reason == .limitReached(.fields, 200) || reason == .limitReached(.head, 64 << 10))
    }

    @Test func `A hostile server that sends countless trailers is cut off`() async throws {
        let reason = try await Self.outcome { visit in
            visit.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n")
            visit.sendForever(Array("a: b\r\n".utf8))
        }
        #expect(reason == .limitReached(.fields, 200))
    }

    @Test func `A hostile server that sends one endless line is cut off`() async throws {
        let reason = try await Self.outcome { visit in
            visit.send("HTTP/1.1 200 OK\r\nX: ")
            visit.sendForever([UInt8](repeating: 0x61, count: 10_000))
        }
        #expect(reason != nil)
        #expect(reason != .timedOut(.stalled))
    }

    @Test(arguments: [
        "", "hello\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
        "HTTP/1.1 200 OK\r\nContent-Length: 5x\r\n\r\nhello", "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\na b: c\r\n\r\n", "HTTP/1.1 200 OK\r\nX: a\u{01}b\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX: a\r\n folded\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\nhello\r\n0\r\n\r\n",
    ])
    func `A server that does not speak HTTP is refused`(_ text: String) async throws {
        let reason = try await Self.outcome { $0.send(text) }
        switch reason {
        case .connectionLost, .malformedAnswer, .limitReached: break
        default: Issue.record("\(String(describing: reason))")
        }
    }

    // MARK: Compression

    private static func packed(_ bytes: [UInt8]) throws -> [UInt8] {
        try #require(gzip(bytes, level: 9))
    }

    @Test func `A compressed body is expanded`() async throws {
        let text = Array(String(repeating: "widget ", count: 1_000).utf8)
        let packed = try Self.packed(text)
        let server = try HostileServer { $0.answer(200, ["Content-Encoding: gzip"], body: packed) }
        let answer = try await Setting.client.send(try Setting.request(server.url))
        #expect(try await answer.body.collect() == text)
        #expect(server.requests[0].value("Accept-Encoding") == "gzip")
    }

    @Test func `A compressed bomb within the limit of the body is refused`() async throws {
        let packed = try Self.packed([UInt8](repeating: 0, count: 3 << 20))
        let reason = try await Self.outcome { $0.answer(200, ["Content-Encoding: gzip"], body: packed) }
        #expect(reason == .limitReached(.expansion, 100))
    }

    @Test func `A compressed bomb beyond the limit of the body is refused`() async throws {
        let packed = try Self.packed([UInt8](repeating: 0, count: 64 << 20))
        let reason = try await Self.outcome({ $0.limits.expansion = 1 << 20 }) {
            $0.answer(200, ["Content-Encoding: gzip"], body: packed)
        }
        #expect(reason == .limitReached(.body, 4 << 20))
    }

    @Test func `A compressed bomb in a bomb is refused`() async throws {
        let packed = try Self.packed(try Self.packed([UInt8](repeating: 0, count: 64 << 20)))
        let reason = try await Self.outcome { $0.answer(200, ["Content-Encoding: gzip, gzip"], body: packed) }
        #expect(reason == .malformedAnswer("it is compressed in a way that was not asked for"))
    }

    @Test func `A body that is not compressed as declared is refused`() async throws {
        let packed = try Self.packed(Array(String(repeating: "widget ", count: 1_000).utf8))
        for count in [0, 1, 5, 15, packed.count - 9] {
            let reason = try await Self.outcome {
                $0.answer(
                    200, ["Content-Encoding: gzip"], body: Array(packed[..<count]) + (count == 0 ? Self.body : []))
            }
            #expect(reason != nil, "\(count)")
        }
    }
}
