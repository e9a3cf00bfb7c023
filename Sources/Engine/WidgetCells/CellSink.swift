internal import Bytes
internal import JSONText
internal import WidgetLive

/// The stream of one viewing, from its cell to the host.
final class CellSink: PartSink {
    private let name: String
    private let channel: CellChannel
    /// Bytes that were sent and that the host has not passed on yet.
    private let pending = Guarded(0)

    init(_ name: String, _ channel: CellChannel) {
        self.name = name
        self.channel = channel
    }

    var pendingByteCount: Int { pending.withLock { $0 } }

    /// Begins a stream, of which nothing was sent.
    func begin() { pending.withLock { $0 = 0 } }

    func noteRead(_ byteCount: Int?) {
        pending.withLock { $0 = max(0, $0 - max(byteCount ?? 0, 0)) }
    }

    func write(_ number: Int, _ operations: [UInt8]) {
        pending.withLock { $0 += operations.count }
        channel.send(
            CellMessage.bytes(operations) { json in
                json.member("changed", name)
                json.member("number", number)
            })
    }
}
