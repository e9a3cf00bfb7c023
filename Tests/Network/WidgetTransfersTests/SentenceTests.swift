import HostileServer
import Testing
import WidgetSurroundings
import WidgetTestSupport

@testable import WidgetTransfers

/// Goal: what went wrong is said in a sentence. Method: servers that do it.
@Suite(.ownThreads) struct `A failure says` {
    @Test func `A failure names a header line that does not end, and no number of a library`() async throws {
        let server = try HostileServer { visit in
            visit.send("HTTP/1.1 200 OK\r\nX: ")
            visit.sendForever([UInt8](repeating: 0x61, count: 10_000))
        }
        var request = try Setting.request(server.url)
        request.retries = .never
        let asked = request
        let reason = await Setting.reason { () async throws(TransferError) in try await Setting.client.send(asked) }
        #expect(reason == .limitReached(.head, 64 << 10))
    }

    @Test func `A failure names a port under https that does not answer, after one limit and not five`() async throws {
        let silent = try SilentPort()
        var request = try Setting.request("https://127.0.0.1:\(silent.port)/")
        request.limits.connecting = .milliseconds(500)
        let asked = request
        let clock = SkippingClock()
        let client = TransferClient(transport: CurlTransport(), in: .skipping(clock))
        let reason = await Setting.reason { () async throws(TransferError) in try await client.send(asked) }
        #expect(reason == .timedOut(.handshake))
        #expect(clock.sleeps.isEmpty, "it was tried once")
        #expect("\(try #require(reason))".contains("did not begin to encrypt"))
    }

    @Test func `A failure says that the entity tag is missing, and not that the content has changed`() async throws {
        for (fields, expected) in [
            ([], .untagged), (["ETag: W/\"a\""], .untagged), (["ETag: \"b\""], .changedMeanwhile),
        ] as [([String], TransferError.Reason)] {
            let server = try HostileServer { $0.answer(200, fields, text: "hello") }
            let download = Download(try Setting.request(server.url), entityTag: "\"a\"")
            let reason = await Setting.reason { () async throws(TransferError) in
                _ = try await Setting.client.download(download, into: MemorySink())
            }
            #expect(reason == expected)
        }
    }
}
