internal import HTTPServer

/// The bodies of requests that say a few words: collected in memory, then worked on where it may block.
enum SmallBody {
    static let limit = 16 << 10

    /// - Parameter standing: throws when whoever asked may not do so any more; a body can be a long time coming.
    static func receive(
        _ work: WorkQueue, _ standing: @escaping Standing,
        _ action: @escaping @Sendable ([UInt8]) throws(Problem) -> Answer
    ) -> Answer {
        .receive(
            BodyReceipt(
                limit: limit, mediaTypes: ["application/json", "application/x-www-form-urlencoded"],
                sink: CollectedBody { body in
                    work.answer { () throws(Problem) in
                        try standing()
                        return try action(body)
                    }
                }))
    }
}
