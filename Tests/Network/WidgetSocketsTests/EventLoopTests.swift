import Dispatch
import Glibc
import Synchronization
import Testing
import WidgetAddresses
import WidgetBytes
import WidgetSurroundings
import WidgetTestSupport

@testable import WidgetSockets

/// Keeps what a loop tells it.
private final class RecordingClient: EventLoopClient {
    struct Record: Sendable {
        var accepted = 0
        var ticks = 0
        var settled = 0
        var readiness: [UInt64: Readiness] = [:]
        var readyCounts: [UInt64: Int] = [:]
    }

    let loop: EventLoop
    let record = Observed(Record())
    let wantsTicks: Bool
    let isEager = false
    private let nextToken = Guarded<UInt64>(1)

    init(_ loop: EventLoop, wantsTicks: Bool = false) {
        self.loop = loop
        self.wantsTicks = wantsTicks
    }

    func accepted(_ channel: ByteChannel, from peer: IPAddress, listener: Int) {
        record.withLock { $0.accepted += 1 }
        let token = nextToken.withLock { token in
            defer { token += 1 }
            return token
        }
        if !loop.watch(channel, token: token) { channel.close() }
    }

    func ready(_ token: UInt64, _ readiness: Readiness) {
        record.withLock { record in
            record.readiness[token, default: []].formUnion(readiness)
            record.readyCounts[token, default: 0] += 1
        }
    }

    func acceptPaused() {}
    func settled() { record.withLock { $0.settled += 1 } }
    func tick() { record.withLock { $0.ticks += 1 } }
}

@Suite struct `An event loop` {
    /// Runs a loop on a thread for as long as `body` takes.
    private func run(
        wantsTicks: Bool = false, _ clock: any Clock = SystemClock(),
        _ body: (EventLoop, Observed<RecordingClient.Record>, Listener) throws -> Void
    ) throws {
        let loop = try EventLoop(clock)
        let listener = try Listener.open(.ip(.loopbackV4, port: 0), count: 1)[0]
        #expect(loop.listen(listener, number: 0))
        let group = DispatchGroup()
        let records = Guarded<Observed<RecordingClient.Record>?>(nil)
        let hasBegun = DispatchSemaphore(value: 0)
        DispatchQueue(label: "test.loop").async(group: group) {
            let client = RecordingClient(loop, wantsTicks: wantsTicks)
            records.withLock { $0 = client.record }
            hasBegun.signal()
            loop.run(client, name: "test-loop")
        }
        hasBegun.wait()
        defer {
            loop.stop()
            group.wait()
        }
        try body(loop, try #require(records.withLock { $0 }), listener)
    }

    private func connect(_ listener: Listener) throws -> RawConnection {
        guard case .ip(_, let port) = listener.endpoint else { throw CancellationError() }
        return try RawConnection(port: port)
    }

    @Test func `An event loop runs the work of other threads on its thread, in the order of each`() throws {
        try run { loop, _, _ in
            let done = Observed<[[Int]]>([[], [], [], []])
            let threads = Guarded<Set<UInt>>([])
            let group = DispatchGroup()
            for number in 0..<4 {
                DispatchQueue(label: "test.asker").async(group: group) {
                    for item in 0..<2_000 {
                        loop.perform {
                            done.withLock { $0[number].append(item) }
                            threads.withLock { _ = $0.insert(UInt(pthread_self())) }
                        }
                    }
                }
            }
            group.wait()
            #expect(done.reaches { $0.allSatisfy { $0.count == 2_000 } })
            #expect(done.withLock { $0.allSatisfy { $0 == Array(0..<2_000) } })
            #expect(threads.withLock { $0.count } == 1)
        }
    }

    @Test func `An event loop runs work that it is given from within`() throws {
        try run { loop, _, _ in
            let done = Observed(0)
            @Sendable func again() {
                let count = done.withLock { count in
                    count += 1
                    return count
                }
                if count < 1_000 { loop.perform(again) }
            }
            loop.perform(again)
            #expect(done.reaches { $0 == 1_000 })
        }
    }

    @Test func `An event loop runs work given before it stopped, and releases work given later`() throws {
        final class Token: Sendable {}
        let loop = try EventLoop()
        let done = Guarded(0)
        let group = DispatchGroup()
        loop.perform { done.withLock { $0 += 1 } }
        DispatchQueue(label: "test.loop").async(group: group) { loop.run(RecordingClient(loop), name: "test-loop") }
        loop.perform { done.withLock { $0 += 1 } }
        loop.stop()
        group.wait()
        #expect(done.withLock { $0 } == 2)
        var token: Token? = Token()
        weak let witness = token
        loop.perform { [token] in withExtendedLifetime(token) {} }
        token = nil
        #expect(witness == nil)
    }

    @Test func `An event loop reports connections, bytes and ends`() throws {
        try run { _, record, listener in
            let connection = try connect(listener)
            #expect(record.reaches { $0.readiness[1]?.contains(.writable) ?? false })
            connection.send([1])
            #expect(record.reaches { $0.readiness[1]?.contains(.readable) ?? false })
            #expect(record.withLock { $0.readiness[1]?.contains(.halfClosed) } == false)
            connection.finishSending()
            #expect(record.reaches { $0.readiness[1]?.contains(.halfClosed) ?? false })
            #expect(record.withLock { $0.readiness[1]?.contains(.broken) } == false)
            connection.reset()
            #expect(record.reaches { $0.readiness[1]?.contains(.broken) ?? false })
        }
    }

    @Test func `An event loop reports an edge once, even if its client ignores it`() throws {
        try run { loop, record, listener in
            let connection = try connect(listener)
            connection.send([1])
            #expect(record.reaches { $0.readiness[1]?.contains(.readable) ?? false })
            let before = record.withLock { $0.readyCounts[1] }
            for _ in 0..<100 {
                let turn = DispatchSemaphore(value: 0)
                loop.perform { turn.signal() }
                turn.wait()
            }
            #expect(record.withLock { $0.readyCounts[1] } == before)
        }
    }

    @Test func `An event loop accepts more connections than one turn's worth`() throws {
        try run { _, record, listener in
            let crowd = try (0..<300).map { _ in try connect(listener) }
            #expect(record.reaches { $0.accepted == 300 })
            withExtendedLifetime(crowd) {}
        }
    }

    @Test func `An event loop ticks while its client wants ticks, and otherwise sleeps`() throws {
        try run(wantsTicks: true) { _, record, _ in
            #expect(record.reaches { $0.ticks >= 3 })
        }
        let clock = ManualClock()
        try run(wantsTicks: true, clock) { _, record, _ in
            for count in 1...4 {
                #expect(record.reaches { $0.ticks == count })
                clock.advance(by: .milliseconds(250))
            }
        }
        try run(wantsTicks: false) { loop, record, _ in
            let turn = DispatchSemaphore(value: 0)
            loop.perform { turn.signal() }
            turn.wait()
            #expect(record.withLock { $0.ticks } == 0)
            #expect(record.withLock { $0.settled } <= 3)
        }
    }

    @Test func `An event loop accepts no connection once it has stopped listening`() throws {
        try run { loop, record, listener in
            let before = try connect(listener)
            #expect(record.reaches { $0.accepted == 1 })
            let turn = DispatchSemaphore(value: 0)
            loop.perform {
                loop.stopListening()
                turn.signal()
            }
            turn.wait()
            #expect(throws: RawConnection.NoConnection.self) { try connect(listener) }
            withExtendedLifetime(before) {}
        }
    }
}

@Suite struct `A socket` {
    @Test func `A socket reports the outcome of each attempt`() throws {
        let (left, right) = try #require(RawConnection.pair())
        let peer = RawConnection(adopting: right)
        let us = RawConnection(adopting: left)
        var room = [UInt8](repeating: 0, count: 8)
        func receive() -> Movement { unsafe room.withUnsafeMutableBytes { unsafe Socket.receive(left, into: $0) } }
        func send(_ count: Int) -> Movement {
            let bytes = [UInt8](repeating: 1, count: count)
            return unsafe bytes.withUnsafeBytes { unsafe Socket.send(left, $0, more: false) }
        }
        #expect(receive() == .wouldBlock)
        peer.send([1, 2, 3])
        #expect(receive() == .moved(3))
        peer.finishSending()
        #expect(receive() == .ended)
        #expect(send(3) == .moved(3))
        var blocked = false
        for _ in 0..<1_000 where !blocked { blocked = send(65_536) == .wouldBlock }
        #expect(blocked)
        peer.close()
        #expect(send(1) == .ended)
        withExtendedLifetime(us) {}
    }

    @Test func `A socket sends two stretches as one`() throws {
        let (left, right) = try #require(RawConnection.pair())
        let peer = RawConnection(adopting: right)
        let us = RawConnection(adopting: left)
        let movement = unsafe [1 as UInt8, 2].withUnsafeBytes { first in
            unsafe [3 as UInt8, 4].withUnsafeBytes { second in
                unsafe Socket.send(left, UnsafeRawBufferPointer(rebasing: first[..<1]), second)
            }
        }
        #expect(movement == .moved(3))
        #expect(peer.receive() == .bytes([1, 3, 4]))
        withExtendedLifetime(us) {}
    }

    @Test func `A socket sends a stretch of a file, and notices that a file is shorter`() throws {
        let (left, right) = try #require(RawConnection.pair())
        let peer = RawConnection(adopting: right)
        let us = RawConnection(adopting: left)
        var name = Array("/tmp/widgetd-test-XXXXXX".utf8CString)
        let file = unsafe mkstemp(&name)
        _ = unsafe unlink(name)
        defer { close(file) }
        _ = unsafe write(file, "abcdef", 6)
        #expect(Socket.sendFile(left, file: file, offset: 2, count: 3) == .moved(3))
        #expect(peer.receive() == .bytes(Array("cde".utf8)))
        #expect(Socket.sendFile(left, file: file, offset: 6, count: 3) == .ended)
        peer.close()
        // Without a signal that would end the process.
        _ = try EventLoop()
        #expect(Socket.sendFile(left, file: file, offset: 0, count: 3) == .ended)
        withExtendedLifetime(us) {}
    }
}

@Suite struct `A loop's inbox` {
    /// Owns no connection and wants nothing.
    final class IdleClient: EventLoopClient {
        let wantsTicks = false
        let isEager = false
        func accepted(_ channel: ByteChannel, from peer: IPAddress, listener: Int) {}
        func ready(_ token: UInt64, _ readiness: Readiness) {}
        func acceptPaused() {}
        func settled() {}
        func tick() {}
    }

    /// Runs a loop on a separate thread while `body` runs.
    func withLoop(_ body: (EventLoop) throws -> Void) throws {
        let loop = try EventLoop()
        let finished = DispatchGroup()
        DispatchQueue(label: "loop").async(group: finished) { loop.run(IdleClient(), name: "loop") }
        defer {
            loop.stop()
            finished.wait()
        }
        try body(loop)
    }

    @Test func `A loop's inbox runs all work of other threads`() throws {
        try withLoop { loop in
            let done = DispatchGroup()
            let count = Atomic<Int>(0)
            DispatchQueue.concurrentPerform(iterations: 4) { _ in
                for _ in 0..<10_000 {
                    done.enter()
                    loop.perform {
                        count.add(1, ordering: .relaxed)
                        done.leave()
                    }
                }
            }
            #expect(done.wait(timeout: .now() + 60) == .success)
            let counted = count.load(ordering: .relaxed)
            #expect(counted == 40_000)
        }
    }

    @Test func `A loop's inbox runs work that its own work adds`() throws {
        try withLoop { loop in
            let done = DispatchSemaphore(value: 0)
            loop.perform { loop.perform { loop.perform { done.signal() } } }
            #expect(done.wait(timeout: .now() + 60) == .success)
        }
    }

    @Test func `A loop's inbox runs work that was added before the stop`() throws {
        let loop = try EventLoop()
        let isDone = Atomic<Bool>(false)
        loop.perform { isDone.store(true, ordering: .relaxed) }
        loop.stop()
        loop.run(IdleClient(), name: "loop")
        let wasDone = isDone.load(ordering: .relaxed)
        #expect(wasDone)
    }
}
