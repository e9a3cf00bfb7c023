internal import JSONText
internal import RegistryContract
internal import WidgetTransfers

/// The first lines of a stream of events, and their faults.
private struct StreamBeginning {
    private var reader = EventStreamReader()
    private var line: [UInt8] = []
    private var endsWithReturn = false
    /// True once a line of the format has come whole.
    private(set) var hasLine = false
    /// True once an event has come.
    private(set) var hasEvent = false
    /// True if an identifier has come in a block without data, before any event.
    private(set) var namesPlace = false

    /// The fields of the format; a comment has none.
    private static let names: Set<String> = ["", "data", "event", "id", "retry"]

    mutating func add(_ bytes: [UInt8]) throws(FetchError) {
        for byte in bytes where !hasEvent {
            let isSecondEnd = byte == 0x0A && endsWithReturn
            endsWithReturn = byte == 0x0D
            hasEvent = try !reader.add([byte]).isEmpty
            guard byte == 0x0A || byte == 0x0D else {
                line.append(byte)
                continue
            }
            if isSecondEnd { continue }
            if line.isEmpty {
                if reader.lastID != nil, !hasEvent { namesPlace = true }
            } else {
                let name = String(decoding: line.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
                if StreamBeginning.names.contains(name) { hasLine = true }
            }
            line.removeAll(keepingCapacity: true)
        }
    }
}

extension RegistryProbe {
    /// A little longer than a registry is ever silent.
    private static let patience = Duration.seconds(17)

    /// Checks that events of the feed arrive as they are written.
    ///
    /// - Parameter fromLatest: true if the stream begins behind the newest change, whose tag it has to name.
    func events(fromLatest: Bool = false) async -> ProbeFinding {
        let finding = await trying("events") { () async throws(FetchError) in
            var query: QueryText = []
            if fromLatest { ChangeListParameters.since.add(.latest, to: &query) }
            var request = try request(RegistryPath.changes, query)
            request.fields = [TransferField("Accept", "text/event-stream")]
            request.limits.total = RegistryProbe.patience
            request.limits.stall = RegistryProbe.patience
            request.limits.bodyByteCount = nil
            return try await beginning(of: request, namesPlace: fromLatest)
        }
        return finding ?? ProbeFinding("events", .note, "not tried")
    }

    private func beginning(
        of request: TransferRequest, namesPlace: Bool
    ) async throws(FetchError) -> ProbeFinding {
        var beginning = StreamBeginning()
        do throws(TransferError) {
            let answer = try await client.send(request)
            guard answer.head.status == 200, answer.head["Content-Type"]?.hasPrefix("text/event-stream") == true
            else {
                return ProbeFinding(
                    "events", .warning, "the feed is answered with \(answer.head.status)",
                    hint: "`widget watch` asks now and then instead")
            }
            while let bytes = try await answer.body.next() {
                do throws(FetchError) {
                    try beginning.add(bytes)
                } catch {
                    answer.body.cancel()
                    return ProbeFinding(
                        "events", .error, "\(error)",
                        hint: "http.md §2.6: server-sent events, as the HTML standard has them")
                }
                guard beginning.hasLine, !namesPlace || beginning.namesPlace || beginning.hasEvent else { continue }
                answer.body.cancel()
                break
            }
        } catch {
            guard case .timedOut = error.reason else { throw FetchError(error) }
        }
        guard beginning.hasLine else {
            return ProbeFinding(
                "events", .warning, "the feed is opened, and nothing comes of it",
                hint: "a proxy gathers it (nginx: proxy_buffering off); `widget watch` asks now and then instead")
        }
        guard !namesPlace || beginning.namesPlace else {
            return ProbeFinding(
                "events", .error,
                "the feed from the newest change does not name its place in an `id` before its first event",
                hint: "http.md §2.6: hosts that come back without it miss what changed meanwhile")
        }
        return ProbeFinding("events", .fine, "changes are told as they happen")
    }
}

extension ContractProbe {
    /// Checks that a feed, if there is one, begins behind its newest change.
    func feed() async -> [ProbeFinding] {
        let none = "without a feed, hosts ask now and then instead"
        let old = "it does not know since=latest: hosts read its feed from the beginning"
        let page = await probe.trying("feed") { () async throws(FetchError) in
            var query: QueryText = []
            ChangeListParameters.since.add(.latest, to: &query)
            var request = try probe.request(RegistryPath.changes, query)
            request.fields = [TransferField("Accept", "application/json")]
            let reply = try await probe.ask(request)
            if [403, 404, 405].contains(reply.head.status) { return ProbeFinding("feed", .note, none) }
            if reply.head.status == 400 { return ProbeFinding("feed", .note, old) }
            guard reply.head.status == 200, let document = probe.document(reply),
                let items = document["items"]?.array, let next = document["next"]?.string, isTag(next)
            else {
                return ProbeFinding(
                    "feed", .error,
                    "\(RegistryPath.changes)?since=latest is answered with \(reply.head.status) and no page",
                    hint: "a registry without a feed answers 404; http.md §2.6 has the form of a page")
            }
            guard items.isEmpty else {
                return ProbeFinding(
                    "feed", .error, "what is behind the newest change are \(items.count) changes",
                    hint: "the answer to since=latest has no items, and the newest tag as next")
            }
            return ProbeFinding("feed", .fine, "its newest change is \(next)")
        }
        guard let page, page.verdict != .note || page.detail != none else { return [page].compactMap { $0 } }
        return [page, await probe.events(fromLatest: page.verdict == .fine)]
    }

    /// True for a number as clients send it back: digits without a sign, and without zeros before them.
    private func isTag(_ text: String) -> Bool { Int(text).map { $0 >= 0 && String($0) == text } ?? false }
}
