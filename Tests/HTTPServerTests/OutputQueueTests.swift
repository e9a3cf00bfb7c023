import Glibc
import Sockets
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

@Suite struct `An output queue` {
    /// A channel and its other end.
    private func pair() throws -> (channel: ByteChannel, peer: RawConnection, ours: RawConnection) {
        let (left, right) = try #require(RawConnection.pair())
        // The adopted connection closes the descriptor at the end of the test.
        return (.plain(left), RawConnection(adopting: right), RawConnection(adopting: left))
    }

    @Test func `sends its pieces in order and is empty then`() throws {
        let (channel, peer, ours) = try pair()
        let backlog = StreamBacklog()
        backlog.byteCount.add(2, ordering: .relaxed)
        var queue = OutputQueue()
        queue.append(.bytes([1, 2, 3]))
        queue.append(.bytes([9, 4, 5, 9], 1..<3, of: nil))
        queue.append(.streamed([6, 7], 0..<2, backlog, weight: 2))
        #expect(queue.byteCount == 7)
        #expect(queue.send(through: channel, budget: 1_000) == .moved(3))
        #expect(queue.byteCount == 4)
        #expect(backlog.byteCount.load(ordering: .relaxed) == 2)
        while !queue.isEmpty { _ = queue.send(through: channel, budget: 1_000) }
        #expect(queue.byteCount == 0)
        #expect(backlog.byteCount.load(ordering: .relaxed) == 0)
        #expect(queue.send(through: channel, budget: 1_000) == .moved(0))
        ours.finishSending()
        #expect(received(peer) == [1, 2, 3, 4, 5, 6, 7])
    }

    @Test func `sends a file in stretches of its budget`() throws {
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

    @Test func `keeps what a full channel does not take`() throws {
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

    @Test func `takes no memory for what was sent, though it is never empty`() throws {
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
