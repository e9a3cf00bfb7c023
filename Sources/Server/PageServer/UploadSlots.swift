internal import Bytes
internal import HTTPServer
internal import HTTPWire
internal import WidgetLive

/// The number of large bodies that are in memory at once.
final class UploadSlots: Sendable {
    static let smallByteCount = 256 << 10
    private static let slotCount = 8

    private let used = Guarded(0)

    /// - Returns: `nil` while all slots for large bodies are taken.
    func sink(isLarge: Bool, _ action: @escaping @Sendable ([UInt8]) -> Answer) -> (any BodySink)? {
        guard isLarge else { return CollectedBody(action) }
        let isFree = used.withLock { used in
            guard used < UploadSlots.slotCount else { return false }
            used += 1
            return true
        }
        return isFree ? SlottedBody(CollectedBody(action), SlotHold { [self] in used.withLock { $0 -= 1 } }) : nil
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
