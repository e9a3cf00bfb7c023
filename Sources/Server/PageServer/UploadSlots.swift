internal import HTTPWire
internal import WidgetAddresses
internal import WidgetBytes
internal import WidgetHTTPServer
internal import WidgetLive

/// The number of large bodies that are in memory at once, in all and of each client's address.
final class UploadSlots: Sendable {
    static let smallByteCount = 256 << 10
    static let slotCount = 8
    /// Those of one address, which may send them as slowly as it likes.
    static let slotsPerAddress = 2

    /// The slots that are taken, by addresses.
    private let used = Guarded<[IPAddress: Int]>([:])

    /// - Returns: `nil` while all slots for large bodies are taken that the client may have.
    func sink(
        isLarge: Bool, from client: IPAddress, _ action: @escaping @Sendable ([UInt8]) -> Answer
    ) -> (any BodySink)? {
        guard isLarge else { return CollectedBody(action) }
        let address = client.client
        let isFree = used.withLock { used in
            guard used.values.reduce(0, +) < UploadSlots.slotCount,
                used[address, default: 0] < UploadSlots.slotsPerAddress
            else { return false }
            used[address, default: 0] += 1
            return true
        }
        guard isFree else { return nil }
        return SlottedBody(
            CollectedBody(action),
            SlotHold { [self] in
                used.withLock { used in
                    let left = used[address, default: 1] - 1
                    used[address] = left > 0 ? left : nil
                }
            })
    }
}

/// A taken slot, which is free again when it is gone.
private final class SlotHold: Sendable {
    private let release: @Sendable () -> Void

    init(_ release: @escaping @Sendable () -> Void) {
        self.release = release
    }

    deinit { release() }
}

/// A body that holds a slot for as long as the server holds the body.
private final class SlottedBody: BodySink {
    private let body: CollectedBody
    private let hold: SlotHold

    init(_ body: CollectedBody, _ hold: SlotHold) {
        self.body = body
        self.hold = hold
    }

    func begin(_ responder: Responder) { body.begin(responder) }
    func write(_ bytes: Span<UInt8>) -> Bool { body.write(bytes) }
    func finish() -> Answer? { body.finish() }
    func abandon() { body.abandon() }
}

extension LiveForm {
    init(_ form: PostedForm) {
        self.init(
            fields: form.fields,
            files: form.files.map {
                ($0.field, LiveFile(name: $0.name, contentType: $0.contentType, bytes: $0.bytes))
            })
    }
}
