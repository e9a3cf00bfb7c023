import Glibc
import Testing
import WidgetTestSupport

@testable import WidgetSockets

@Suite struct `A plain channel` {
    private let channel: ByteChannel
    private let ours: RawConnection
    private let peer: RawConnection

    init() throws {
        let (left, right) = try #require(RawConnection.pair())
        channel = .plain(left)
        ours = RawConnection(adopting: left)
        peer = RawConnection(adopting: right)
    }

    private func receive(_ capacity: Int = 8) -> Movement {
        var room = [UInt8](repeating: 0, count: capacity)
        return unsafe room.withUnsafeMutableBytes { unsafe channel.receive(into: $0) }
    }

    private func send(_ bytes: [UInt8], more: Bool = false) -> Movement {
        unsafe bytes.withUnsafeBytes { unsafe channel.send($0, more: more) }
    }

    @Test func `A plain channel waits for its own direction`() {
        #expect(channel.readinessToReceive == .readable)
        #expect(channel.readinessToSend == .writable)
    }

    @Test func `A plain channel receives what has arrived, and distinguishes a short read from a full one`() {
        #expect(receive() == .wouldBlock)
        peer.send([1, 2, 3])
        #expect(receive(2) == .moved(2))
        #expect(!channel.isEmptied(by: 2, of: 2))
        #expect(receive(2) == .moved(1))
        #expect(channel.isEmptied(by: 1, of: 2))
        peer.finishSending()
        #expect(receive() == .ended)
    }

    @Test func `A plain channel sends bytes and files in order, and receives after it has finished sending`() {
        var name = Array("/tmp/widgetd-test-XXXXXX".utf8CString)
        let file = unsafe mkstemp(&name)
        _ = unsafe unlink(name)
        defer { close(file) }
        _ = unsafe write(file, "abcdef", 6)
        #expect(send([1, 2], more: true) == .moved(2))
        #expect(channel.sendFile(file, offset: 2, count: 3) == .moved(3))
        #expect(channel.sendFile(file, offset: 6, count: 3) == .ended)
        channel.finishSending()
        #expect(peer.receive(upTo: 2) == .bytes([1, 2]))
        #expect(peer.receive() == .bytes(Array("cde".utf8)))
        #expect(peer.receive() == .end)
        peer.send([7])
        #expect(receive() == .moved(1))
    }

    @Test func `A plain channel reports a peer that is gone`() throws {
        // Without a signal that would end the process.
        _ = try EventLoop()
        peer.close()
        #expect(send([1]) == .ended)
    }
}
