internal import HTTPWire

/// A route's terms for reading the body: how long, of which type, and where it goes.
package struct BodyReceipt: Sendable {
    package var limit: Int
    /// Media types taken, in lower case; an absent Content-Type always is. `nil` takes everything.
    package var mediaTypes: [String]?
    /// A problem that refuses any body: sent after type and length were accepted, before a byte is read.
    package var obstacle: Problem?
    package var sink: any BodySink

    /// - Parameter limit: a body announced longer is refused before a byte of it is read, one that turns out
    ///   longer is cut off there.
    package init(limit: Int, mediaTypes: [String]? = nil, obstacle: Problem? = nil, sink: any BodySink) {
        self.limit = limit
        self.mediaTypes = mediaTypes
        self.obstacle = obstacle
        self.sink = sink
    }

    /// The refusal that follows from the head alone.
    func refusal(_ head: borrowing RequestHead, _ input: Span<UInt8>) -> Refusal? {
        if let mediaTypes {
            let hasType = head.value(.contentType).map { Negotiation.isOne(of: mediaTypes, input, $0) } ?? true
            if !hasType || head.has(.contentEncoding) {
                return .unsupportedMediaType(accepted: mediaTypes.joined(separator: " or "))
            }
        }
        if case .length(let length) = head.framing, length > limit {
            return .contentTooLarge(limit: limit, announced: length)
        }
        return nil
    }
}

/// Takes a request's body as it arrives. Every call comes from the connection's loop, in order.
package protocol BodySink: AnyObject, Sendable {
    /// The body was accepted. The responder may be kept: to resume after a pause, and to answer.
    func begin(_ responder: Responder)
    /// More of the body; the bytes are lent for the call.
    /// - Returns: `false` to be sent nothing more until the responder's `resume`.
    func write(_ bytes: Span<UInt8>) -> Bool
    /// The body is complete.
    /// - Returns: the answer, or `nil` if it follows through the responder.
    func finish() -> Answer?
    /// The body will never be complete: the client is gone, too slow, or sent too much.
    func abandon()
}

/// Collects a small body in memory, up to the receipt's limit.
package final class CollectedBody: BodySink, @unchecked Sendable {
    // Sendable because a connection's loop makes every call.
    private var bytes: [UInt8] = []
    private let action: @Sendable ([UInt8]) -> Answer

    package init(_ action: @escaping @Sendable ([UInt8]) -> Answer) {
        self.action = action
    }

    package func begin(_ responder: Responder) {}

    package func write(_ span: Span<UInt8>) -> Bool {
        for index in span.indices { bytes.append(span[index]) }
        return true
    }

    package func finish() -> Answer? { action(bytes) }
    package func abandon() {}
}
