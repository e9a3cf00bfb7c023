internal import WidgetDeflate

/// Decodes the bytes of a body as they come over the wire, within bounds.
struct BodyReader {
    private var expander: Expander?
    private var wireByteCount = 0
    private var byteCount = 0

    /// Up to this size, a body may expand by any ratio.
    private static let harmless = 1 << 20

    /// Prepares for the body of this answer.
    /// - Returns: why it is not wanted.
    mutating func begin(_ head: TransferHead, for request: TransferRequest) -> TransferError.Reason? {
        // These describe a body that does not come.
        guard request.method != .head, head.status != 304, head.status != 204 else { return nil }
        let encodings = head.values("Content-Encoding")
        if encodings.isEmpty {
            guard let limit = request.limits.bodyByteCount, let length = head.contentLength, length > limit else {
                return nil
            }
            return .limitReached(.body, limit)
        }
        guard encodings.count == 1, encodings[0].hasSameLetters(as: "gzip"), request.acceptsCompression else {
            return .malformedAnswer("it is compressed in a way that was not asked for")
        }
        do throws(DeflateError) {
            expander = try Expander()
            return nil
        } catch {
            return .malformedAnswer("not enough memory to expand it")
        }
    }

    /// Passes on the decoded bytes.
    /// - Returns: the reason to stop reading.
    mutating func take(
        _ bytes: borrowing Span<UInt8>, _ limits: TransferLimits, _ give: (borrowing Span<UInt8>) -> Void
    ) -> TransferError.Reason? {
        wireByteCount += bytes.count
        guard let expander else {
            if let refusal = count(bytes.count, limits) { return refusal }
            give(bytes)
            return nil
        }
        var position = 0
        while true {
            switch expander.step(bytes, from: &position) {
            case .needsMore: return nil
            case .malformed: return .malformedAnswer("its compression is broken")
            case .bytes(let produced):
                if let refusal = count(produced, limits) { return refusal }
                expander.give(produced, to: give)
            }
        }
    }

    private mutating func count(_ more: Int, _ limits: TransferLimits) -> TransferError.Reason? {
        byteCount += more
        if let limit = limits.bodyByteCount, byteCount > limit { return .limitReached(.body, limit) }
        guard expander != nil, byteCount > BodyReader.harmless, byteCount / limits.expansion > wireByteCount else {
            return nil
        }
        return .limitReached(.expansion, limits.expansion)
    }

    /// The body is over.
    /// - Returns: what is missing.
    func end() -> TransferError.Reason? {
        guard let expander, !expander.isFinished else { return nil }
        return .malformedAnswer("its compression ends too early")
    }
}

/// Expands one gzip member, a piece at a time.
final class Expander {
    enum Step: Equatable {
        case bytes(Int)
        /// The bytes so far are used up.
        case needsMore
        case malformed
    }

    private var inflater: Inflater
    private var room = [UInt8](repeating: 0, count: 64 << 10)
    private(set) var isFinished = false

    init() throws(DeflateError) {
        inflater = try Inflater(isGzip: true)
    }

    /// Takes what it can of the bytes from `position` on.
    func step(_ bytes: borrowing Span<UInt8>, from position: inout Int) -> Step {
        // Servers send one member and nothing behind it.
        guard !isFinished else { return position < bytes.count ? .malformed : .needsMore }
        do throws(DeflateError) {
            var target = room.mutableSpan
            let progress = try inflater.inflate(
                bytes.extracting(position..<bytes.count), into: &target, roomCount: target.count)
            position += progress.consumed
            isFinished = progress.isFinished
            if progress.produced > 0 { return .bytes(progress.produced) }
            return isFinished && position < bytes.count ? .malformed : .needsMore
        } catch {
            return .malformed
        }
    }

    /// The bytes of the last step.
    func give(_ count: Int, to body: (borrowing Span<UInt8>) -> Void) {
        let room = self.room
        body(room.span.extracting(0..<count))
    }
}
