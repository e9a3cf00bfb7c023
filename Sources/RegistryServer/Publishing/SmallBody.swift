internal import HTTPServer

/// The bodies of requests that say a few words: collected in memory, then worked on where it may block.
enum SmallBody {
    static let limit = 16 << 10

    /// - Parameters:
    ///   - audit: is told what became of it, with what `action` has added to the entry.
    ///   - standing: throws when whoever asked may not do so any more; a body can be a long time coming.
    static func receive(
        _ work: WorkQueue, _ audit: Audit, _ entry: AuditEntry, _ standing: @escaping Standing,
        _ action: @escaping @Sendable ([UInt8], inout AuditEntry) throws(Problem) -> Answer
    ) -> Answer {
        .receive(
            BodyReceipt(
                limit: limit, mediaTypes: ["application/json", "application/x-www-form-urlencoded"],
                sink: CollectedBody { body in
                    work.answer { () throws(Problem) in
                        var entry = entry
                        do throws(Problem) {
                            try standing()
                            let answer = try action(body, &entry)
                            audit.record(entry, "done")
                            return answer
                        } catch {
                            audit.record(entry, error)
                            throw error
                        }
                    }
                }))
    }
}
