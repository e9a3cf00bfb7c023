import HostileServer
import TestSupport
import Testing

@testable import Transfers

/// Goal: trying again is done where it helps, and no more often than is polite. Method: scripts and a clock of our own.
@Suite(.timeLimit(.minutes(20)), .ownThreads) struct `Trying again` {
    private let clock = HastyClock(wallClock: 1_445_412_440)
    private let asked = Asked()

    private func ask(
        _ change: (inout TransferRequest) -> Void = { _ in },
        _ script: @escaping @Sendable (Int) -> ScriptedTransport.Answer
    ) async throws -> (status: Int?, reason: TransferError.Reason?) {
        let client = TransferClient(transport: ScriptedTransport { [asked] in script(asked.add($0)) }, clock: clock)
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
    func `helps against bad networks`(_ reason: TransferError.Reason) async throws {
        let outcome = try await ask { $0 < 3 ? .failed(reason) : .init(200) }
        #expect(outcome.status == 200)
        #expect(clock.taken == [.milliseconds(187.5), .milliseconds(375), .milliseconds(750)])
    }

    @Test(arguments: [
        TransferError.Reason.tls, .malformedAnswer("x"), .limitReached(.body, 1), .cancelled, .timedOut(.total),
        .addressRefused("x"), .failed(code: 1),
    ])
    func `does not help against what stays as it is`(_ reason: TransferError.Reason) async throws {
        let outcome = try await ask { _ in .failed(reason) }
        #expect(outcome.reason == reason)
        #expect(asked.requests.count == 1)
    }

    @Test func `ends`() async throws {
        #expect(try await ask { _ in .failed(.connectionLost) }.reason == .connectionLost)
        #expect(asked.requests.count == 5)
    }

    @Test func `never takes longer than everything may`() async throws {
        let outcome = try await ask {
            $0.limits.total = .seconds(1)
        } _: { _ in
            .failed(.connectionLost)
        }
        #expect(outcome.reason == .connectionLost)
        #expect(clock.now < .seconds(1))
        #expect(asked.requests.map(\.limits.total) == [.seconds(1), .milliseconds(812.5), .milliseconds(437.5)])
    }

    @Test func `leaves alone what may have been done already`() async throws {
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
    func `leaves alone what a busy server has not done, where that is not its to say`(_ status: Int) async throws {
        let outcome = try await ask {
            $0.method = .post
        } _: { _ in
            .init(status, ["Retry-After": "1"])
        }
        #expect(outcome.status == status)
        #expect(asked.requests.count == 1 && clock.taken.isEmpty)
    }

    @Test func `repeats what the server cannot have seen`() async throws {
        let outcome = try await ask {
            $0.method = .post
            $0.isRepeatable = false
        } _: {
            $0 == 0 ? .failed(.noConnection) : .init(201)
        }
        #expect(outcome.status == 201)
    }

    @Test(arguments: [429, 503])
    func `waits as long as a server asks for`(_ status: Int) async throws {
        let outcome = try await ask { $0 == 0 ? .init(status, ["Retry-After": "7"]) : .init(200) }
        #expect(outcome.status == 200)
        #expect(clock.taken == [.milliseconds(7_187.5)])
    }

    @Test func `waits until the date that a server names`() async throws {
        let outcome = try await ask {
            $0 == 0 ? .init(503, ["Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"]) : .init(200)
        }
        #expect(outcome.status == 200)
        // Forty seconds from what this clock says.
        #expect(clock.taken == [.milliseconds(40_187.5)])
    }

    @Test(arguments: ["-1", "soon", "", "Wed, 21 Oct 1999 07:28:00 GMT", "99999999999999999999999"])
    func `goes by its own pauses where the server's word is none`(_ word: String) async throws {
        let outcome = try await ask { $0 == 0 ? .init(503, ["Retry-After": word]) : .init(200) }
        #expect(outcome.status == 200)
        #expect(clock.taken == [.milliseconds(187.5)])
    }

    @Test(arguments: ["61", "999999999999", "Wed, 21 Oct 2037 07:28:00 GMT"])
    func `does not wait for ever`(_ word: String) async throws {
        #expect(try await ask { _ in .init(503, ["Retry-After": word]) }.status == 503)
        #expect(clock.taken.isEmpty)
    }

    @Test(arguments: [200, 204, 304, 400, 401, 404, 409, 412, 416, 422, 500, 501, 502])
    func `takes every other status for an answer`(_ status: Int) async throws {
        #expect(try await ask { _ in .init(status) }.status == status)
        #expect(asked.requests.count == 1)
    }

    @Test func `works over a real socket`() async throws {
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

    @Test func `is bounded however chance falls`() {
        struct Dice: TransferClock {
            var now: Duration { .zero }
            var wallClock: Int64 { 0 }
            func chance() -> Double { 0.999_999 }
            func pause(_ duration: Duration) async {}
        }
        var request = TransferRequest(
            .get, .init(scheme: .http, host: "a", port: 80, path: "/", query: nil, description: "http://a/"))
        request.retries.attempts = 100
        var attempts = Attempts(request, clock: Dice())
        var pauses: [Duration] = []
        while let pause = attempts.next() { pauses.append(pause) }
        #expect(pauses.count == 99)
        #expect(pauses.allSatisfy { $0 <= request.retries.longestPause && $0 > .zero })
    }
}
