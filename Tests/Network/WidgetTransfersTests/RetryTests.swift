import HostileServer
import Testing
import WidgetSurroundings
import WidgetTestSupport

@testable import WidgetTransfers

/// Goal: trying again is done where it helps, and no more often than is polite. Method: scripts and a clock of our own.
@Suite(.ownThreads) struct `Trying again` {
    private let clock = SkippingClock(date: .seconds(1_445_412_440))
    private let asked = Asked()

    private func ask(
        _ change: (inout TransferRequest) -> Void = { _ in },
        _ script: @escaping @Sendable (Int) -> ScriptedTransport.Answer
    ) async throws -> (status: Int?, reason: TransferError.Reason?) {
        let client = TransferClient(
            transport: ScriptedTransport { [asked] in script(asked.add($0)) }, in: .skipping(clock))
        var request = try Setting.request("https://registry.test/")
        change(&request)
        do throws(TransferError) {
            return (try await client.send(request).head.status, nil)
        } catch {
            return (nil, error.reason)
        }
    }

    @Test(arguments: [
        TransferError.Reason.connectionLost, .noConnection, .unknownHost, .timedOut(.stalled), .timedOut(.connecting),
    ])
    func `Another attempt helps against bad networks`(_ reason: TransferError.Reason) async throws {
        let outcome = try await ask { $0 < 3 ? .failed(reason) : .init(200) }
        #expect(outcome.status == 200)
        #expect(clock.sleeps == [.milliseconds(187.5), .milliseconds(375), .milliseconds(750)])
    }

    @Test(arguments: [
        TransferError.Reason.tls, .malformedAnswer("x"), .limitReached(.body, 1), .cancelled, .timedOut(.total),
        .addressRefused("x"), .failed(code: 1),
    ])
    func `Another attempt is not made for an error that would stay the same`(_ reason: TransferError.Reason)
        async throws
    {
        let outcome = try await ask { _ in .failed(reason) }
        #expect(outcome.reason == reason)
        #expect(asked.requests.count == 1)
    }

    @Test func `Attempts end`() async throws {
        #expect(try await ask { _ in .failed(.connectionLost) }.reason == .connectionLost)
        #expect(asked.requests.count == 5)
    }

    @Test func `Attempts never take longer than the limit of the whole`() async throws {
        let outcome = try await ask {
            $0.limits.total = .seconds(1)
        } _: { _ in
            .failed(.connectionLost)
        }
        #expect(outcome.reason == .connectionLost)
        #expect(clock.passed < .seconds(1))
        #expect(asked.requests.map(\.limits.total) == [.seconds(1), .milliseconds(812.5), .milliseconds(437.5)])
    }

    @Test func `A request that may have been carried out is not sent again`() async throws {
        let outcome = try await ask {
            $0.method = .post
            $0.isRepeatable = false
        } _: { _ in
            .failed(.connectionLost)
        }
        #expect(outcome.reason == .connectionLost)
        #expect(asked.requests.count == 1)
    }

    @Test(arguments: [429, 503])
    func `A busy server's answer is final for a request that is not repeatable`(_ status: Int) async throws {
        let outcome = try await ask {
            $0.method = .post
        } _: { _ in
            .init(status, ["Retry-After": "1"])
        }
        #expect(outcome.status == status)
        #expect(asked.requests.count == 1 && clock.sleeps.isEmpty)
    }

    @Test func `A request that the server cannot have seen is sent again`() async throws {
        let outcome = try await ask {
            $0.method = .post
            $0.isRepeatable = false
        } _: {
            $0 == 0 ? .failed(.noConnection) : .init(201)
        }
        #expect(outcome.status == 201)
    }

    @Test(arguments: [429, 503])
    func `The next attempt waits as long as the server asks for`(_ status: Int) async throws {
        let outcome = try await ask { $0 == 0 ? .init(status, ["Retry-After": "7"]) : .init(200) }
        #expect(outcome.status == 200)
        #expect(clock.sleeps == [.milliseconds(7_187.5)])
    }

    @Test func `The next attempt waits until the date that the server names`() async throws {
        let outcome = try await ask {
            $0 == 0 ? .init(503, ["Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"]) : .init(200)
        }
        #expect(outcome.status == 200)
        // Forty seconds from what this clock says.
        #expect(clock.sleeps == [.milliseconds(40_187.5)])
    }

    @Test(arguments: ["-1", "soon", "", "Wed, 21 Oct 1999 07:28:00 GMT", "99999999999999999999999"])
    func `The next attempt uses its own pause if the server's is malformed`(_ word: String) async throws {
        let outcome = try await ask { $0 == 0 ? .init(503, ["Retry-After": word]) : .init(200) }
        #expect(outcome.status == 200)
        #expect(clock.sleeps == [.milliseconds(187.5)])
    }

    @Test(arguments: ["61", "999999999999", "Wed, 21 Oct 2037 07:28:00 GMT"])
    func `A pause longer than the limit is not waited for`(_ word: String) async throws {
        #expect(try await ask { _ in .init(503, ["Retry-After": word]) }.status == 503)
        #expect(clock.sleeps.isEmpty)
    }

    @Test(arguments: [200, 204, 304, 400, 401, 404, 409, 412, 416, 422, 500, 501, 502])
    func `Every other status is an answer`(_ status: Int) async throws {
        #expect(try await ask { _ in .init(status) }.status == status)
        #expect(asked.requests.count == 1)
    }

    @Test func `Another attempt works over a real socket`() async throws {
        let server = try HostileServer { visit in
            switch visit.number {
            case 0: visit.reset()
            case 1: visit.answer(429, ["Retry-After: 0"])
            default: visit.answer(200, text: "there")
            }
        }
        let answer = try await Setting.client.send(try Setting.request(server.url))
        #expect(try await answer.body.collect() == Array("there".utf8))
        #expect(server.requests.count == 3)
    }

    @Test func `A pause is bounded for every random number`() {
        var request = TransferRequest(
            .get, .init(scheme: .http, host: "a", port: 80, path: "/", query: nil, description: "http://a/"))
        request.retries.attempts = 100
        var attempts = Attempts(request, in: World(clock: ManualClock(), chance: FixedChance(0.999_999)))
        var pauses: [Duration] = []
        while let pause = attempts.next() { pauses.append(pause) }
        #expect(pauses.count == 99)
        #expect(pauses.allSatisfy { $0 <= request.retries.longestPause && $0 > .zero })
    }
}

/// Goal: a server that drips does not hold a client. Method: servers that drip, and a clock of our own.
@Suite(.ownThreads) struct `A12: a body that drips` {
    private static func drip(_ visit: Visit) {
        visit.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\nETag: \"a\"\r\n\r\n")
        visit.drip(repeatElement(0x61, count: 1_000_000), every: 20)
    }

    @Test func `A12: a body that drips is given up after the window, and its bytes are kept`() async throws {
        let server = try HostileServer { Self.drip($0) }
        var download = Download(try Setting.request(server.url))
        download.request.limits.leastRate = LeastRate(bytesPerSecond: 1_024, window: .seconds(30))
        let sink = MemorySink()
        let wanted = download
        let clock = ManualClock()
        async let outcome = Setting.reason { () async throws(TransferError) in
            _ = try await Setting.client(clock).download(wanted, into: sink)
        }
        await sink.state.becomes { !$0.bytes.isEmpty }
        clock.advance(by: .seconds(30))
        let reason = await outcome
        #expect(reason == .tooSlow(1_024))
        #expect("\(try #require(reason))".contains("1024 bytes a second"))
        #expect(!sink.bytes.isEmpty && sink.restarts == 0)
        #expect(server.requests.count == 1, "it would drip the next time too")
    }

    @Test func `A12: a body that drips is read if no least rate is set`() async throws {
        let server = try HostileServer { visit in
            visit.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")
            visit.drip(repeatElement(0x61, count: 10), every: 50)
        }
        #expect(try await Setting.client.send(try Setting.request(server.url)).body.collect().count == 10)
    }

    @Test func `A12: a rate is measured in windows, and not while the server waits for the reader`() {
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

    @Test func `A12: a body that drips gains no further attempts by a byte before each break`() throws {
        var request = try Setting.request("http://a/")
        request.limits.leastRate = LeastRate(bytesPerSecond: 1_024, window: .seconds(30))
        for (byteCount, attempts) in [(1, 4), (30 * 1_024, 99)] {
            var counted = Attempts(request, in: .skipping())
            var count = 0
            while counted.next() != nil {
                count += 1
                counted.gained(byteCount, in: .seconds(30))
            }
            #expect(count == attempts)
        }
    }

    @Test func `A12: a least rate is bounded to numbers that fit`() {
        let rate = LeastRate(bytesPerSecond: 1_024, window: .seconds(30))
        #expect(rate.byteCount(in: .seconds(30)) == 30 * 1_024)
        #expect(rate.byteCount(in: .milliseconds(500)) == 512)
        #expect(rate.byteCount(in: .seconds(-5)) == 0)
        #expect(LeastRate(bytesPerSecond: .max, window: .seconds(1)).byteCount(in: .seconds(1 << 40)) >= 0)
    }
}
