import Glibc
import Synchronization
import Testing
import WidgetBytes
import WidgetSockets
import WidgetTestSupport

@testable import WidgetHTTPServer

@Suite struct `An output queue` {
    /// A channel and its other end.
    private func pair() throws -> (channel: ByteChannel, peer: RawConnection, ours: RawConnection) {
        let (left, right) = try #require(RawConnection.pair())
        // The adopted connection closes the descriptor at the end of the test.
        return (.plain(left), RawConnection(adopting: right), RawConnection(adopting: left))
    }

    @Test func `An output queue sends its pieces in order and is empty then`() throws {
        let (channel, peer, ours) = try pair()
        let backlog = StreamBacklog()
        backlog.add(2)
        var queue = OutputQueue()
        queue.append(.bytes([1, 2, 3]))
        queue.append(.bytes([9, 4, 5, 9], 1..<3, of: nil))
        queue.append(.streamed([6, 7], 0..<2, backlog, weight: 2))
        #expect(queue.byteCount == 7)
        #expect(queue.send(through: channel, budget: 1_000) == .moved(3))
        #expect(queue.byteCount == 4)
        #expect(backlog.byteCount == 2)
        while !queue.isEmpty { _ = queue.send(through: channel, budget: 1_000) }
        #expect(queue.byteCount == 0)
        #expect(backlog.byteCount == 0)
        #expect(queue.send(through: channel, budget: 1_000) == .moved(0))
        ours.finishSending()
        #expect(received(peer) == [1, 2, 3, 4, 5, 6, 7])
    }

    @Test func `A stream's backlog notifies its source once, when fewer bytes wait than it asked for`() {
        let backlog = StreamBacklog()
        let count = Guarded(0)
        backlog.whenBelow(1) { count.withLock { $0 += 1 } }
        #expect(count.withLock { $0 } == 1)
        backlog.add(10)
        backlog.whenBelow(5) { count.withLock { $0 += 1 } }
        backlog.remove(5)
        #expect(count.withLock { $0 } == 1)
        backlog.remove(1)
        #expect(count.withLock { $0 } == 2)
        backlog.remove(4)
        #expect(count.withLock { $0 } == 2)
    }

    @Test func `An output queue sends a file in portions of its budget`() throws {
        let (channel, peer, ours) = try pair()
        var name = Array("/tmp/widgetd-test-XXXXXX".utf8CString)
        let file = unsafe mkstemp(&name)
        _ = unsafe unlink(name)
        _ = unsafe write(file, "abcdef", 6)
        var queue = OutputQueue()
        queue.append(.file(OpenFile(owning: file), offset: 1, count: 4))
        #expect(queue.send(through: channel, budget: 3) == .moved(3))
        #expect(queue.byteCount == 1)
        #expect(queue.send(through: channel, budget: 3) == .moved(1))
        #expect(queue.isEmpty)
        ours.finishSending()
        #expect(received(peer) == Array("bcde".utf8))
    }

    @Test func `An output queue keeps the bytes that a full channel does not take`() throws {
        let (channel, peer, ours) = try pair()
        let bytes = [UInt8](repeating: 1, count: 4 << 20)
        var queue = OutputQueue()
        queue.append(.bytes(bytes))
        var sent = 0
        while case .moved(let count) = queue.send(through: channel, budget: .max), count > 0 { sent += count }
        #expect(queue.byteCount == bytes.count - sent)
        #expect(queue.send(through: channel, budget: .max) == .wouldBlock)
        peer.close()
        #expect(queue.send(through: channel, budget: .max) == .ended)
        #expect(queue.byteCount == bytes.count - sent)
        withExtendedLifetime(ours) {}
    }

    @Test func `An output queue uses no memory for bytes already sent, even if it is never empty`() throws {
        let (channel, peer, ours) = try pair()
        var queue = OutputQueue()
        queue.append(.bytes([0]))
        var longest = 0
        for _ in 0..<1_000 {
            queue.append(.bytes([1]))
            #expect(queue.send(through: channel, budget: 10) == .moved(1))
            longest = max(longest, queue.entryCount)
            if case .bytes = peer.receive(upTo: 1) {}
        }
        #expect(longest < 200)
        #expect(queue.byteCount == 1)
        withExtendedLifetime(ours) {}
    }

    private func received(_ peer: RawConnection) -> [UInt8] {
        var all: [UInt8] = []
        while case .bytes(let bytes) = peer.receive() { all += bytes }
        return all
    }
}

@Suite struct `An output buffer` {
    @Test func `An output buffer holds the appended bytes in order`() {
        let buffer = OutputBuffer(capacity: 8)
        buffer.append(contentsOf: [1, 2, 3])
        buffer.append(contentsOf: [0, 4, 5][1...])
        buffer.append(0x0D0C_0B0A_0908_0706)
        #expect(buffer.take() == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13])
    }

    @Test func `An output buffer grows with its content`() {
        let buffer = OutputBuffer(capacity: 2)
        var expected: [UInt8] = []
        for length in 0..<300 {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* length) }
            buffer.append(contentsOf: bytes)
            expected += bytes
        }
        #expect(buffer.count == expected.count)
        #expect(buffer.take() == expected)
    }

    @Test func `An output buffer is empty once its content is taken`() {
        let buffer = OutputBuffer(capacity: 2)
        buffer.append(contentsOf: [1, 2, 3])
        _ = buffer.take()
        #expect(buffer.isEmpty)
        #expect(buffer.take() == [])
    }

    @Test func `An output buffer drops its beginning and keeps the rest`() {
        let buffer = OutputBuffer(capacity: 2)
        buffer.append(contentsOf: [1, 2, 3, 4, 5])
        buffer.removeFirst(2)
        #expect(buffer.take() == [3, 4, 5])
    }

    @Test func `An output buffer takes nothing from an empty array`() {
        let buffer = OutputBuffer(capacity: 0)
        buffer.append(contentsOf: [])
        #expect(buffer.isEmpty)
    }
}
