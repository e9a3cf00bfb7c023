import Bytes
import HostileServer
import TestSupport
import Testing

@testable import Transfers

/// Goal: an exchange can be ended at any moment, at once. Method: servers that keep a client waiting.
@Suite(.timeLimit(.minutes(20)), .ownThreads) struct `Cancelling` {
    private static func patient(_ url: String) throws -> TransferRequest {
        var request = try Setting.request(url)
        request.limits.stall = .seconds(3_600)
        return request
    }

    @Test func `Cancelling ends the wait for the head`() async throws {
        // A busy machine may delay one of them; what delays all is ours.
        var quickest = Duration.seconds(100)
        for _ in 0..<5 where quickest >= .seconds(2) { quickest = min(quickest, try await cancelled()) }
        #expect(quickest < .seconds(2))
    }

    /// The time until a transfer that waits for a head has ended.
    private func cancelled() async throws -> Duration {
        let server = try HostileServer { $0.hold() }
        let request = try Self.patient(server.url)
        let task = Task.onOwnThreads {
            await Setting.reason { () async throws(TransferError) in try await Setting.client.send(request) }
        }
        #expect(await comesTrue { server.requests.count == 1 })
        await pause(.milliseconds(20))
        let start = ContinuousClock.now
        task.cancel()
        #expect(await task.value == .cancelled)
        return ContinuousClock.now - start
    }

    @Test func `Cancelling ends the wait for the body, and the connection`() async throws {
        let hungUp = Guarded(false)
        let server = try HostileServer { visit in
            visit.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
            visit.hold()
            hungUp.withLock { $0 = true }
        }
        let request = try Self.patient(server.url)
        let task = Task.onOwnThreads {
            await Setting.reason { () async throws(TransferError) in
                try await Setting.client.send(request).body.collect()
            }
        }
        #expect(await comesTrue { server.requests.count == 1 })
        await pause(.milliseconds(20))
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(await comesTrue { hungUp.withLock { $0 } })
    }

    @Test func `A transfer is cancelled when the last reference to its answer is released`() async throws {
        let hungUp = Guarded(false)
        let server = try HostileServer { visit in
            visit.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
            visit.hold()
            hungUp.withLock { $0 = true }
        }
        _ = try await Setting.client.send(try Self.patient(server.url))
        #expect(await comesTrue { hungUp.withLock { $0 } })
    }

    @Test func `A transfer cancelled before its start does not start`() async throws {
        let server = try HostileServer { $0.answer(200) }
        let request = try Self.patient(server.url)
        let task = Task.onOwnThreads {
            try? await Task.sleep(for: .seconds(3_600))
            return await Setting.reason { () async throws(TransferError) in try await Setting.client.send(request) }
        }
        task.cancel()
        #expect(await task.value == .cancelled)
    }

    @Test func `Cancelling ends a pause between attempts`() async throws {
        let server = try HostileServer { $0.answer(503, ["Retry-After: 50"]) }
        let request = try Self.patient(server.url)
        let client = TransferClient()
        let task = Task.onOwnThreads {
            await Setting.reason { () async throws(TransferError) in try await client.send(request) }
        }
        #expect(await comesTrue { server.requests.count == 1 })
        await pause(.milliseconds(20))
        task.cancel()
        #expect(await task.value == .cancelled)
    }

    @Test func `Cancelling works at any moment of many exchanges at once`() async throws {
        let server = try HostileServer { visit in
            visit.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
            for _ in 0..<10 {
                visit.send([UInt8](repeating: 1, count: 10_000))
                visit.rest(milliseconds: 2)
            }
        }
        let request = try Self.patient(server.url)
        let outcomes = await withTaskGroup(of: TransferError.Reason?.self) { group in
            for number in 0..<100 {
                group.addTask {
                    let task = Task.onOwnThreads {
                        await Setting.reason { () async throws(TransferError) in
                            try await Setting.client.send(request).body.collect()
                        }
                    }
                    await pause(.microseconds(number * 400))
                    task.cancel()
                    return await task.value
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.allSatisfy { $0 == nil || $0 == .cancelled })
        #expect(outcomes.contains(.cancelled))
        // The thread is in order: it serves on.
        #expect(try await Setting.client.send(request).body.collect().count == 100_000)
    }
}
