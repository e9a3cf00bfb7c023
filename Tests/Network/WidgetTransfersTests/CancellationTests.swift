import HostileServer
import Testing
import WidgetSurroundings
import WidgetTestSupport

@testable import WidgetTransfers

/// Goal: an exchange can be ended at any moment, at once. Method: servers that keep a client waiting.
@Suite(.ownThreads) struct `Cancelling` {
    private static func patient(_ url: String) throws -> TransferRequest {
        var request = try Setting.request(url)
        request.limits.stall = .seconds(3_600)
        return request
    }

    @Test func `Cancelling ends the wait for the head`() async throws {
        let server = try HostileServer { $0.hold() }
        let request = try Self.patient(server.url)
        let clock = ManualClock()
        let task = Task.onOwnThreads {
            await Setting.reason { () async throws(TransferError) in try await Setting.client(clock).send(request) }
        }
        await server.receives(1)
        await clock.waits(for: 1)
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(server.requests.count == 1)
        // Only the limit of an hour would have ended it too.
        #expect(clock.passed == .zero)
    }

    @Test func `Cancelling ends the wait for the body, and the connection`() async throws {
        let hungUp = Observed(false)
        let server = try HostileServer { visit in
            visit.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
            visit.hold()
            hungUp.change { $0 = true }
        }
        let request = try Self.patient(server.url)
        let hasHead = Observed(false)
        let task = Task.onOwnThreads {
            await Setting.reason { () async throws(TransferError) in
                let answer = try await Setting.client.send(request)
                hasHead.change { $0 = true }
                return try await answer.body.collect()
            }
        }
        await hasHead.becomes { $0 }
        #expect(server.requests.count == 1)
        task.cancel()
        #expect(await task.value == .cancelled)
        await hungUp.becomes { $0 }
        #expect(hungUp.value)
    }

    @Test func `A transfer is cancelled when the last reference to its answer is released`() async throws {
        let hungUp = Observed(false)
        let server = try HostileServer { visit in
            visit.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
            visit.hold()
            hungUp.change { $0 = true }
        }
        _ = try await Setting.client.send(try Self.patient(server.url))
        await hungUp.becomes { $0 }
        #expect(hungUp.value)
    }

    @Test func `A transfer cancelled before its start does not start`() async throws {
        let server = try HostileServer { $0.answer(200) }
        let request = try Self.patient(server.url)
        let task = Task.onOwnThreads {
            await ManualClock().sleep(for: .seconds(3_600))
            return await Setting.reason { () async throws(TransferError) in try await Setting.client.send(request) }
        }
        task.cancel()
        #expect(await task.value == .cancelled)
    }

    @Test func `Cancelling ends a pause between attempts`() async throws {
        let server = try HostileServer { $0.answer(503, ["Retry-After: 50"]) }
        let request = try Self.patient(server.url)
        let clock = ManualClock()
        let client = TransferClient(transport: CurlTransport(), in: World(clock: clock))
        let task = Task.onOwnThreads {
            await Setting.reason { () async throws(TransferError) in try await client.send(request) }
        }
        await clock.waits(for: 1)
        #expect(server.requests.count == 1)
        task.cancel()
        #expect(await task.value == .cancelled)
    }

    @Test func `Cancelling works at any moment of many exchanges at once`() async throws {
        let server = try HostileServer { visit in
            visit.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
            for _ in 0..<10 {
                visit.send([UInt8](repeating: 1, count: 10_000))
                _ = visit.connection.hangsUp(within: 2)
            }
        }
        let request = try Self.patient(server.url)
        let outcomes = await withTaskGroup(of: TransferError.Reason?.self) { group in
            for number in 0..<100 {
                group.addTask {
                    // Its head, and then each piece of its body.
                    let steps = Observed(0)
                    let task = Task.onOwnThreads {
                        defer { steps.change { $0 = .max } }
                        return await Setting.reason { () async throws(TransferError) in
                            let body = try await Setting.client.send(request).body
                            repeat { steps.change { $0 += 1 } } while try await body.next() != nil
                        }
                    }
                    await steps.becomes { $0 >= number % 8 }
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
