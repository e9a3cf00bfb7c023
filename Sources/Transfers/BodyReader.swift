internal import Deflate

/// Takes the bytes of a body as they come over the wire and gives them as they are meant, within bounds.
struct BodyReader {
    private var expander: Expander?
    private var wireByteCount = 0
    private var byteCount = 0

    /// Up to here, text may be as monotonous as it likes.
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
            return .malformedAnswer("there is no memory to expand it")
        }
    }

    /// Hands on what the bytes mean.
    /// - Returns: why there must be no more of them.
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
