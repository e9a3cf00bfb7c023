/// libcurl, on one thread for the whole process.
package struct CurlTransport: Transport {
    /// The one thread, started with the first exchange.
    private static let thread = TransferThread()

    /// A file with the certificates of authorities to trust instead of the system's.
    private let authorities: String?

    package init(authorities: String? = nil) {
        self.authorities = authorities
    }

    package func exchange(_ request: TransferRequest) async throws(TransferError) -> TransferAnswer {
        let authorities = authorities
        let exchange = Exchange(request) { exchange, wish in
            CurlTransport.thread.hear(exchange, wish, authorities: authorities)
        }
        let head = try await exchange.start()
        return TransferAnswer(head, body: ResponseBody(exchange))
    }
}
