internal import HTTPServer

/// The bodies of requests that say a few words: collected in memory, then worked on where it may block.
enum SmallBody {
    static let limit = 16 << 10

    static func receive(
        _ work: WorkQueue, _ action: @escaping @Sendable ([UInt8]) throws(Problem) -> Answer
    ) -> Answer {
        .receive(
            BodyReceipt(
                limit: limit, mediaTypes: ["application/json", "application/x-www-form-urlencoded"],
                sink: CollectedBody { body in work.answer { () throws(Problem) in try action(body) } }))
    }
}
