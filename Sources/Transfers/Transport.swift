/// Whoever can bring one request to a server and its answer back: libcurl, or a script in its place.
///
/// One exchange and no more: redirects, retries and resuming are ``TransferClient``'s business.
package protocol Transport: Sendable {
    /// Returns when the head of the answer is there; the body is read from the answer.
    ///
    /// Ends early, with ``TransferError/Reason/cancelled``, when the task is cancelled.
    func exchange(_ request: TransferRequest) async throws(TransferError) -> TransferAnswer
}

/// An answer whose body is still to be read. Letting go of it ends the exchange.
package struct TransferAnswer: Sendable {
    package let head: TransferHead
    package let body: ResponseBody

    package init(_ head: TransferHead, body: ResponseBody) {
        self.head = head
        self.body = body
    }
}

/// Where the bytes of a body come from.
package protocol BodySource: Sendable {
    /// The next bytes, never empty; `nil` at the end. The server waits while nobody asks.
    func next() async throws(TransferError) -> [UInt8]?
    /// Says that nobody will ask again.
    func cancel()
}

/// The body of an answer, read once, piece by piece.
package final class ResponseBody: Sendable {
    private let source: any BodySource

    package init(_ source: any BodySource) {
        self.source = source
    }

    deinit { source.cancel() }

    /// The next bytes, as they come; `nil` at the end. What the server sends waits until it is asked for.
    package func next() async throws(TransferError) -> [UInt8]? {
        try await source.next()
    }

    /// Everything up to the end, within the limits of the request.
    package func collect() async throws(TransferError) -> [UInt8] {
        var bytes: [UInt8] = []
        while let more = try await next() { bytes += more }
        return bytes
    }

    /// Ends the exchange now.
    package func cancel() { source.cancel() }
}
