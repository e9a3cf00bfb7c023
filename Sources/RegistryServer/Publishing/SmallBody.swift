internal import HTTPServer

/// The bodies of requests that say a few words: collected in memory, then worked on where it may block.
enum SmallBody {
    static let limit = 16 << 10

    /// - Parameters:
    ///   - audit: is told what became of it, with what `action` has added to the entry.
    ///   - standing: throws when whoever asked may not do so any more; a body can be a long time coming.
    static func receive(
        _ work: WorkQueue, _ audit: Audit, _ entry: AuditEntry, _ standing: @escaping Standing,
        _ action: @escaping @Sendable ([UInt8], PendingWrite) throws(Problem) -> Answer
    ) -> Answer {
        let write = PendingWrite(audit, entry)
        return .readBody(
            BodyReceipt(
                limit: limit, mediaTypes: ["application/json", "application/x-www-form-urlencoded"],
                sink: CollectedBody { body in
                    work.answer { () throws(Problem) in
                        do throws(Problem) {
                            try standing()
                            let answer = try action(body, write)
                            write.record("done")
                            return answer
                        } catch {
                            write.record(error.code)
                            throw error
                        }
                    }
                }))
    }
}
