internal import HTTPServer
internal import HTTPWire
internal import Registry

extension Reading {
    private static let mostChanges = 1_000
    private static let usualChanges = 200

    /// `GET /v1/changes`: a page of the feed, or the feed as it goes on.
    func changes(_ request: borrowing Request) throws -> Answer {
        let reader = try access.reader(request)
        let limit = try PageParameters.limit(request, most: Reading.mostChanges, usual: Reading.usualChanges)
        let since = try Reading.tag(request)
        if request.accepts(naming: "text/event-stream"), !request.accepts(naming: "application/json") {
            let fields = FieldBlock([
                "Content-Type": "text/event-stream", "Cache-Control": "no-store", "Vary": "Accept",
                "Access-Control-Allow-Origin": "*", "X-Content-Type-Options": "nosniff",
                // Proxies that gather answers before they pass them on would hold the feed back.
                "X-Accel-Buffering": "no",
            ])
            return .response(
                Response(.ok, fields: fields, stream: ChangeSubscription(feed, of: registry, for: reader, since: since))
            )
        }
        return try document(request, DocumentKey(.changes, String(since), String(limit))) {
            registry, reader throws(Problem) in
            let page = try Reading.ask(reader) { () throws(RegistryError) in
                try registry.changes(since: since, limit: limit)
            }
            let next = page.next
            var draft = Draft(
                PageDocument.bytes(page.items.filter { reader.sees($0.bundleIdentifier) }, next: next) {
                    ChangeDocument.write($0, to: &$1)
                })
            draft.variesByType = true
            draft.fields = PageParameters.link(
                "/v1/changes", ["limit": String(limit)], next: next.map { "since=\($0)" })
            return draft
        }
    }

    /// Where to go on: behind the last event that a returning client has seen, or where it says.
    private static func tag(_ request: borrowing Request) throws(Problem) -> Int64 {
        if let seen = request.value(.lastEventID), let tag = WholeNumber.read(seen, 0...Int.max) { return Int64(tag) }
        // A page's next is the tag to go on from; it may be handed back under either name.
        let cursor = try request.query("cursor", as: "the next of a page before") { WholeNumber.read($0, 0...Int.max) }
        let since = try request.query("since", as: "the tag of a change, or 0") { WholeNumber.read($0, 0...Int.max) }
        return Int64(cursor ?? since ?? 0)
    }
}
