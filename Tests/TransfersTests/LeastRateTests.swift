import HostileServer
import TestSupport
import Testing

@testable import Transfers

/// Goal: a server that drips does not hold a client. Method: servers that drip, and a clock of our own.
@Suite(.timeLimit(.minutes(20)), .ownThreads) struct `A12: a body that drips` {
    private static func drip(_ visit: Visit) {
        visit.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\nETag: \"a\"\r\n\r\n")
        while visit.connection.send([0x61]) == 1 { visit.rest(milliseconds: 20) }
    }

    @Test func `is given up after the window, and what came of it is kept`() async throws {
        let server = try HostileServer { Self.drip($0) }
        var download = Download(try Setting.request(server.url))
        download.request.limits.leastRate = LeastRate(bytesPerSecond: 1_024, window: .milliseconds(300))
        let sink = MemorySink()
        let wanted = download
        let reason = await Setting.reason { () async throws(TransferError) in
            _ = try await Setting.client.download(wanted, into: sink)
        }
        #expect(reason == .tooSlow(1_024))
        #expect("\(try #require(reason))".contains("1024 bytes a second"))
        #expect(!sink.bytes.isEmpty && sink.restarts == 0)
        #expect(server.requests.count == 1, "it would drip the next time too")
    }

    @Test func `is heard where no rate is asked for`() async throws {
        let server = try HostileServer { visit in
            visit.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")
            for _ in 0..<10 {
                visit.send([0x61])
                visit.rest(milliseconds: 50)
            }
        }
        #expect(try await Setting.client.send(try Setting.request(server.url)).body.collect().count == 10)
    }

    @Test func `is measured in windows, and not while the server waits for the reader`() {
        let start = ContinuousClock.now
        var window = RateWindow(LeastRate(bytesPerSecond: 1_000, window: .seconds(2)), at: start)
        #expect(window.timeLeft(at: start + .seconds(1)) == .seconds(1))
        window.add(2_000)
        #expect(window.timeLeft(at: start + .seconds(2)) == .seconds(2), "the next window begins")
        window.add(1_999)
        #expect(window.timeLeft(at: start + .seconds(4)) <= .zero)
        window.restart(at: start + .seconds(4))
        #expect(window.timeLeft(at: start + .seconds(5)) == .seconds(1))
    }

    @Test func `gains no further attempts by a byte before each break`() throws {
        var request = try Setting.request("http://a/")
        request.limits.leastRate = LeastRate(bytesPerSecond: 1_024, window: .seconds(30))
        for (byteCount, attempts) in [(1, 4), (30 * 1_024, 99)] {
            var counted = Attempts(request, clock: HastyClock())
            var count = 0
            while counted.next() != nil {
                count += 1
                counted.gained(byteCount, in: .seconds(30))
            }
            #expect(count == attempts)
        }
    }

    @Test func `is asked for no more than fits a number`() {
        let rate = LeastRate(bytesPerSecond: 1_024, window: .seconds(30))
        #expect(rate.byteCount(in: .seconds(30)) == 30 * 1_024)
        #expect(rate.byteCount(in: .milliseconds(500)) == 512)
        #expect(rate.byteCount(in: .seconds(-5)) == 0)
        #expect(LeastRate(bytesPerSecond: .max, window: .seconds(1)).byteCount(in: .seconds(1 << 40)) >= 0)
    }
}
