import Bytes
import RegistryClient
import Transfers

/// A registry of which some answers come from elsewhere: it sends requests on to another origin, or answers in the
/// registry's place.
struct Elsewhere: Transport {
    enum Manner: Sendable {
        /// Sends requests on to the same path of another origin, which answers as the registry does.
        case redirect(to: String)
        /// Answers with a status and a page that is no document of a registry.
        case status(Int, [TransferField] = [])
        /// Sends the beginning of the answer, and then too slowly.
        case drip(byteCount: Int)
    }

    let registry: ScriptedRegistry
    /// The beginning of the paths that it is about.
    let prefix: String
    let manner: Manner
    let asked = Guarded([TransferRequest]())

    func exchange(_ request: TransferRequest) async throws(TransferError) -> TransferAnswer {
        asked.withLock { $0.append(request) }
        guard request.url.path.hasPrefix(prefix) else { return try await registry.exchange(request) }
        switch manner {
        case .redirect(let origin):
            guard !request.url.description.hasPrefix(origin) else { return try await registry.exchange(request) }
            let query = request.url.query.map { "?\($0)" } ?? ""
            return answer(302, [TransferField("Location", origin + request.url.path + query)], request)
        case .status(let status, let fields): return answer(status, fields, request)
        case .drip(let byteCount):
            let whole = try await registry.exchange(request)
            let bytes = Array(try await whole.body.collect().prefix(byteCount))
            return TransferAnswer(
                whole.head,
                body: ResponseBody(Pieces(bytes, ending: TransferError(.tooSlow(1_024), request.url))))
        }
    }

    private func answer(_ status: Int, _ fields: [TransferField], _ request: TransferRequest) -> TransferAnswer {
        TransferAnswer(
            TransferHead(status: status, fields: fields, url: request.url),
            body: ResponseBody(Pieces(Array("<html>".utf8), ending: nil)))
    }

    /// A host that asks this instead of its registry.
    func fetcher(_ host: Host, _ change: (inout FetchOptions) -> Void = { _ in }) throws -> WidgetFetcher {
        var options = FetchOptions()
        options.retries = RetryPolicy(attempts: 3)
        change(&options)
        return WidgetFetcher(
            registry: host.fetcher.registry, cache: host.cache,
            client: TransferClient(transport: self, clock: QuickClock()),
            options: options)
    }
}
