internal import JSONText
package import RegistryContract
internal import WidgetBundles
internal import WidgetBytes
internal import WidgetFiles
internal import WidgetSurroundings
internal import WidgetTransfers
internal import WidgetZip

/// Judges what hosts need of a registry, by reading alone: one of two routes, a static copy, a mirror, or any other server
/// that claims the contract. Each rule has a name, a verdict for all widgets that were tried, and a remedy.
package struct ContractProbe: Sendable {
    /// The duties of a registry that hosts rely on, in the order in which they are judged.
    enum Rule: String, CaseIterable {
        case resolve, redirects, document, subject, shares, again, names, channels, absence
        case address, archive, tags, encoding, ranges, conditions, keeping, bundle, files, direct
    }

    /// Widgets that are tried where none is named.
    static let mostWidgets = 20
    /// The candidates of a widget whose archives are tried.
    static let mostCandidates = 4
    /// The time for all widgets and their archives. A server may name any number of archives, and send each of them slowly.
    static let patience = Duration.seconds(300)

    private(set) var probe: RegistryProbe
    private let widgets: [WidgetIdentifier]
    private let channel: String

    /// - Parameter widgets: those to ask for; without any, the bundles that the registry lists.
    package init(_ probe: RegistryProbe, of widgets: [WidgetIdentifier], on channel: String?) {
        self.probe = probe
        self.probe.followsElsewhere = false
        self.widgets = widgets
        self.channel = channel ?? ChannelName.standard
    }

    /// Tries everything there is to try.
    ///
    /// - Parameter begins: is called before each widget with its name, its number and the count of them.
    package func run(
        _ begins: @Sendable (_ widget: String, _ number: Int, _ count: Int) -> Void = { _, _, _ in }
    ) async -> [ProbeFinding] {
        var timed = self
        timed.probe.end = probe.client.world.clock.now + ContractProbe.patience
        var findings: [ProbeFinding] = []
        func add(_ more: [ProbeFinding]) {
            more.forEach(probe.tell)
            findings += more
        }
        add([probe.encryption()])
        let widgets: [WidgetIdentifier]
        do throws(FetchError) {
            widgets = try await self.widgets.isEmpty ? timed.listed() : self.widgets
        } catch {
            let list = (try? probe.address.route(RegistryPath.bundles)) ?? probe.address.url
            let rule = ContractProbe.elsewhere(error, than: list).map { _ in Rule.redirects.rawValue }
            add([ProbeFinding(rule ?? "reachable", .error, "\(error)", hint: probe.hint(for: error))])
            return findings
        }
        guard !widgets.isEmpty else {
            let hint = "name a widget that is published there: --widget com.acme.Clock-1"
            add([ProbeFinding("widgets", .error, "it lists no bundles, so nothing can be asked for", hint: hint)])
            return findings
        }
        var record = Record()
        for (place, widget) in widgets.enumerated() {
            guard !timed.isLate else { break }
            begins(widget.text, place + 1, widgets.count)
            await timed.judge(widget, &record)
            if !timed.isLate { record.judgedCount += 1 }
        }
        if timed.isLate {
            let (count, minutes) = (record.judgedCount, ContractProbe.patience.components.seconds / 60)
            add([
                ProbeFinding(
                    "time", .warning,
                    "the trial ended after \(minutes) minutes: \(count) of \(widgets.count) are judged",
                    hint: "name fewer widgets with --widget; if one takes that long, hosts wait for it as well")
            ])
        }
        add(Rule.allCases.compactMap { record.finding($0, of: widgets.count) })
        add(await feed())
        return findings
    }

    /// The first bundles of the registry's list; none if it has no list.
    private func listed() async throws(FetchError) -> [WidgetIdentifier] {
        let query = [("channel", channel), ("limit", String(ContractProbe.mostWidgets))]
        let reply = try await probe.ask(try probe.request(RegistryPath.bundles, query))
        return (probe.document(reply)?["items"]?.array ?? []).prefix(ContractProbe.mostWidgets).compactMap { bundle in
            bundle["bundleIdentifier"]?.string.flatMap { WidgetIdentifier(checking: $0) }
        }
    }

    // MARK: Asking

    /// True once the time for all widgets is over.
    private var isLate: Bool { probe.end.map { $0 <= probe.client.world.clock.now } ?? false }

    /// The reason of a failure on the way to another server than that of the address.
    private static func elsewhere(_ error: FetchError, than url: TransferURL) -> TransferError? {
        guard case .transfer(let reason) = error.reason, reason.isElsewhere(than: url) else { return nil }
        return reason
    }

    /// The answer to a request; `nil` without one, which breaks a rule.
    private func ask(_ request: TransferRequest, for rule: Rule, _ record: inout Record) async -> RegistryProbe.Reply? {
        do throws(FetchError) {
            return try await probe.ask(request)
        } catch {
            // A request that was cut short to end in time says nothing about the server.
            guard !isLate else { return nil }
            let hint = "the same request with `curl -v` may tell more"
            switch ContractProbe.elsewhere(error, than: request.url) {
            case let reason? where request.hasProvenContent:
                record.judge(
                    rule, false, as: .warning,
                    "archives are at a store that does not give them to this machine: \(reason)",
                    hint: "hosts like this one ask twice; without blobs.redirects the registry sends archives itself")
            case let reason?:
                record.fails(
                    .redirects, "\(reason)", hint: "give hosts that address: they follow documents to no other origin")
            case nil: record.fails(rule, "\(request.url.path): \(error)", hint: hint)
            }
            return nil
        }
    }

    // MARK: One widget

    private func judge(_ widget: WidgetIdentifier, _ record: inout Record) async {
        record.widget = widget.text
        do throws(FetchError) {
            guard let (reply, resolution) = try await resolution(of: widget, &record) else { return }
            try await again(widget, reply, resolution, &record)
            try await otherNames(widget, &record)
            var digests: Set<Digest> = []
            for candidate in resolution.candidates
            where digests.count < ContractProbe.mostCandidates && digests.insert(candidate.digest).inserted {
                try await judge(candidate, of: resolution, &record)
            }
            try await direct(widget, resolution, &record)
        } catch {
            // An address that cannot be asked for.
            record.fails(.resolve, "\(error)", hint: "check the registry's address")
        }
    }

    private func asked(_ widget: WidgetIdentifier, on channel: String) throws(FetchError) -> TransferRequest {
        let parameters = ResolveParameters(channel: channel == ChannelName.standard ? nil : channel)
        var request = try probe.request(RegistryPath.widget(widget.text), parameters.query)
        request.limits.bodyByteCount = ResolutionDocument.byteLimit
        return request
    }

    private func resolution(
        of widget: WidgetIdentifier, _ record: inout Record
    ) async throws(FetchError) -> (RegistryProbe.Reply, ResolutionDocument)? {
        let request = try asked(widget, on: channel)
        guard let reply = await ask(request, for: .resolve, &record) else { return nil }
        guard reply.head.status == 200 else {
            let problem = RegistryProblem(status: reply.head.status, reply.body)
            let words = problem.map { ": \(ProbeFinding.cut($0.detail))" } ?? ""
            record.fails(
                .resolve, "\(request.url.path) is answered with \(reply.head.status)\(words)",
                hint: "is it published on the channel \(channel)? A static copy has the widgets that were exported")
            return nil
        }
        record.holds(.resolve)
        record.judge(
            .redirects, reply.head.url.hasSameOrigin(as: request.url), as: .warning,
            "documents are sent on to \(reply.head.url.withoutQuery)",
            hint: "give hosts that address: each check costs another request")
        let resolution: ResolutionDocument
        do throws(FetchError) {
            resolution = try ResolutionDocument(checking: reply.body, limits: BundleLimits())
        } catch {
            record.fails(
                .document, "\(error)", hint: "http.md §2.2 says what is in it; hosts refuse one that contradicts itself"
            )
            return nil
        }
        record.holds(.document)
        let isMeant =
            resolution.widgetIdentifier == widget.text && resolution.channel == channel
            && widget.belongs(to: resolution.bundleIdentifier)
        record.judge(
            .subject, isMeant,
            "asked for \(widget.text) on \(channel), it answers about \(resolution.widgetIdentifier) of "
                + "\(resolution.bundleIdentifier) on \(resolution.channel)",
            hint: "a path leads to the document of that path alone, and `channel` chooses among channels")
        let share = resolution.candidates.reduce(0) { $0 + $1.buckets.count }
        record.judge(
            .shares, share == Rollout.bucketCount, as: .note,
            "\(share) of \(Rollout.bucketCount) buckets have a release; the other hosts get none", hint: nil)
        return isMeant ? (reply, resolution) : nil
    }

    /// Asks a second time: the answer is the same, and costs nothing where its tag is named.
    private func again(
        _ widget: WidgetIdentifier, _ reply: RegistryProbe.Reply, _ resolution: ResolutionDocument,
        _ record: inout Record
    ) async throws(FetchError) {
        guard let second = await ask(try asked(widget, on: channel), for: .again, &record) else { return }
        let later = try? ResolutionDocument(checking: second.body, limits: BundleLimits())
        guard let later, later.sequence >= resolution.sequence else {
            return record.fails(
                .again, "asked twice, its sequence was \(resolution.sequence) and then \(later?.sequence ?? 0)",
                hint: "hosts refuse a sequence that falls: caches, or servers that take turns, disagree")
        }
        guard later.sequence != resolution.sequence || later == resolution else {
            return record.fails(
                .again, "the sequence \(resolution.sequence) was answered with two different documents",
                hint: "every change of a channel raises its sequence; hosts refuse another release under the same")
        }
        guard let tag = reply.head["ETag"] else {
            return record.judge(
                .again, false, as: .warning, "documents have no ETag", hint: "each check costs the whole document")
        }
        var request = try asked(widget, on: channel)
        request.fields.append(TransferField("If-None-Match", tag))
        guard let status = await ask(request, for: .again, &record)?.head.status else { return }
        record.judge(
            .again, status == 304 || later.sequence != resolution.sequence, as: .warning,
            "asked with its ETag, a document comes again with \(status) instead of 304",
            hint: "each check costs the whole document; a proxy may change or ignore conditions")
        let directives = reply.head["Cache-Control"] ?? ""
        let age = directives.firstMatch(of: /(?:^|[ ,])max-age=(\d{1,9})/).flatMap { Int($0.1) } ?? 0
        record.judge(
            .names, !directives.contains("immutable") && age <= 300,
            "documents may be kept by caches: Cache-Control is \"\(ProbeFinding.cut(directives))\"",
            hint: "hosts would hear of updates and withdrawals late; public, max-age=30 is what a registry says")
    }

    /// Asks for what cannot be there.
    private func otherNames(_ widget: WidgetIdentifier, _ record: inout Record) async throws(FetchError) {
        if let other = await ask(try asked(widget, on: "doctor-\(Int.max)"), for: .channels, &record) {
            record.judge(
                .channels, other.head.status == 404 || other.head.status == 410,
                "a channel that does not exist is answered with \(other.head.status)",
                hint: "`channel` must not be ignored: hosts refuse a document of another channel")
        }
        let request = try probe.request(RegistryPath.widget("doctor.no-such.Widget"))
        if let nothing = await ask(request, for: .absence, &record) {
            record.judge(
                .absence, nothing.head.status == 404,
                "a widget that does not exist is answered with \(nothing.head.status)",
                hint: "404 tells a host to keep what it has; a page with 200 is an error to it")
        }
    }

    // MARK: One archive

    private func plain(_ url: TransferURL, _ fields: [TransferField] = []) throws(FetchError) -> TransferRequest {
        var request = try probe.request("/")
        request.url = url
        request.fields = fields
        request.acceptsCompression = false
        request.hasProvenContent = true
        request.limits.leastRate = .archives
        return request
    }

    private func judge(
        _ candidate: ReleaseCandidate, of resolution: ResolutionDocument, _ record: inout Record
    ) async throws(FetchError) {
        let url: TransferURL
        do throws(FetchError) {
            url = try probe.address.resolving(candidate.url)
        } catch {
            return record.fails(
                .address, "the archive's address is \(ProbeFinding.cut(candidate.url))",
                hint: "an archive is at the registry's own origin; a path such as /v1/blobs/sha256/… is best")
        }
        record.holds(.address)
        var request = try plain(url)
        request.limits.bodyByteCount = candidate.byteCount
        request.limits.total = .seconds(120)
        guard let reply = await ask(request, for: .archive, &record) else { return }
        guard reply.head.status == 200, reply.body.count == candidate.byteCount,
            Digest.sha256(reply.body) == candidate.digest
        else {
            return record.fails(
                .archive,
                "\(ProbeFinding.cut(url.path)) is answered with \(reply.head.status) and \(reply.body.count) bytes, not the "
                    + "\(candidate.byteCount) that were announced by size and SHA-256",
                hint: "the file is damaged, cut or another one: export or copy it again (`widgetd export --verify`)")
        }
        record.holds(.archive)
        let tag = "\"sha256-\(candidate.digest.hex)\""
        let isAtHome = url.isAtHome(reply.head.url)
        record.judge(
            .tags, reply.head["ETag"] == tag || !isAtHome,
            "an archive has the ETag \(ProbeFinding.cut(reply.head["ETag"] ?? "of none")), not \(tag)",
            hint: "hosts take archives by that tag; \"sha256-HEX\" of the path (`widgetd export` writes an nginx.conf)")
        record.judge(
            .encoding, reply.head["Content-Encoding"] == nil, "archives are sent with a Content-Encoding",
            hint: "they are compressed already; exclude application/zip")
        record.judge(
            .keeping, reply.head["Cache-Control"]?.contains("immutable") == true || !isAtHome, as: .warning,
            "archives may not be kept: Cache-Control is \"\(ProbeFinding.cut(reply.head["Cache-Control"] ?? ""))\"",
            hint: "an address with a digest never changes: public, max-age=31536000, immutable")
        try await parts(url, tag, reply.body, &record)
        judge(reply.body, candidate, of: resolution, &record)
    }

    /// Asks for a part, and for the same part of another archive.
    private func parts(
        _ url: TransferURL, _ tag: String, _ bytes: [UInt8], _ record: inout Record
    ) async throws(FetchError) {
        let range = bytes.count / 3..<min(bytes.count, bytes.count / 3 + 100)
        func request(_ condition: String) throws(FetchError) -> TransferRequest {
            let part = TransferField("Range", "bytes=\(range.lowerBound)-\(range.upperBound - 1)")
            var request = try plain(url, [part, TransferField("If-Range", condition)])
            request.limits.bodyByteCount = bytes.count
            return request
        }
        if let reply = await ask(try request(tag), for: .ranges, &record) {
            judge(reply, to: range, of: bytes, &record)
        }
        guard let other = await ask(try request("\"sha256-doctor\""), for: .conditions, &record) else { return }
        record.judge(
            .conditions, other.head.status == 200 && other.body == bytes,
            "If-Range is ignored: a part is sent although the archive is another",
            hint: "parts of two archives would be joined; hosts notice by the digest, and load everything again")
    }

    private func judge(
        _ reply: RegistryProbe.Reply, to range: Range<Int>, of bytes: [UInt8], _ record: inout Record
    ) {
        let isWhole = reply.head.status == 200 && reply.body == bytes
        let isPart =
            reply.head.status == 206 && reply.body == Array(bytes[range])
            && reply.head["Content-Range"] == "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(bytes.count)"
        record.judge(
            .ranges, isPart, as: isWhole ? .warning : .error,
            isWhole
                ? "a part of an archive is answered with the whole"
                : "asked for bytes \(range.lowerBound) to \(range.upperBound - 1), it sends something else",
            hint: "broken downloads begin anew, and updates load everything; ranges are those of RFC 9110 §14")
    }

    /// The archive as a host reads it.
    private func judge(
        _ bytes: [UInt8], _ candidate: ReleaseCandidate, of resolution: ResolutionDocument, _ record: inout Record
    ) {
        do {
            let scratch = try ScratchDirectory(in: Directory.temporary)
            let file = try FileDescriptor.sealed(bytes, subject: "the archive")
            let intake = BundleIntake()
            let unpacked = try intake.unpack(file, into: scratch.directory)
            try WidgetFetcher.requireAnnounced(unpacked, candidate, of: resolution)
            record.holds(.bundle)
            let entries = try intake.open(file).directory.entries.filter { !$0.isDirectory }
            let places = Dictionary(entries.map { ($0.name.text, $0) }) { first, _ in first }
            let wrong = candidate.files.first { file in
                guard let entry = places["\(candidate.name).bundle/\(file.path)"] else { return true }
                return entry.dataRange != file.dataRange || entry.byteCount != file.byteCount
                    || entry.method != file.zipMethod
            }
            record.judge(
                .files, wrong == nil && entries.count == candidate.files.count,
                "the document says where \(wrong?.path ?? "every file") is in the archive, and it is not there",
                hint: "updates by parts fail, and hosts load everything; write the list from the archive that is served"
            )
        } catch {
            record.fails(
                .bundle, "hosts refuse the archive: \(error)",
                hint: "let a registry write it: `widget publish`, then `widgetd export` or a mirror")
        }
    }

    /// The archive in one request, for hosts that ask for nothing else.
    private func direct(
        _ widget: WidgetIdentifier, _ resolution: ResolutionDocument, _ record: inout Record
    ) async throws(FetchError) {
        var request = try plain(try probe.request(RegistryPath.widget(widget.text) + "/bundle").url)
        request.limits.bodyByteCount = resolution.candidates.map(\.byteCount).max() ?? 0
        request.limits.total = .seconds(120)
        guard channel == ChannelName.standard, !resolution.candidates.isEmpty else { return }
        guard let reply = await ask(request, for: .direct, &record) else { return }
        guard reply.head.status != 404 else {
            return record.judge(
                .direct, false, as: .note, "\(request.url.path) is not there: hosts of 2018 need it, newer ones do not",
                hint: nil)
        }
        let digest = Digest.sha256(reply.body)
        record.judge(
            .direct, reply.head.status == 200 && resolution.candidates.contains { $0.digest == digest },
            "\(request.url.path) is answered with \(reply.head.status) and no archive that the document names",
            hint: "it is the archive of the bucket \(Rollout.lastBucket) (http.md §2.3)")
    }
}

extension ContractProbe {
    /// The verdicts so far, by rule.
    private struct Record {
        var widget = ""
        /// The widgets for which everything was tried.
        var judgedCount = 0
        private var held: Set<Rule> = []
        private var failed:
            [Rule: (verdict: ProbeFinding.Verdict, detail: String, hint: String?, widgets: Set<String>)] = [:]

        mutating func holds(_ rule: Rule) { held.insert(rule) }

        mutating func fails(_ rule: Rule, _ detail: String, hint: String?) {
            judge(rule, false, detail, hint: hint)
        }

        /// - Parameter verdict: where the rule does not hold.
        mutating func judge(
            _ rule: Rule, _ isKept: Bool, as verdict: ProbeFinding.Verdict = .error,
            _ detail: @autoclosure () -> String,
            hint: String?
        ) {
            guard !isKept else { return holds(rule) }
            var known = failed[rule] ?? (verdict, "\(widget): \(detail())", hint, [])
            if verdict == .error, known.verdict != .error {
                known = (verdict, "\(widget): \(detail())", hint, known.widgets)
            }
            known.widgets.insert(widget)
            failed[rule] = known
        }

        /// `nil` for a rule that was not tried.
        func finding(_ rule: Rule, of count: Int) -> ProbeFinding? {
            if let (verdict, detail, hint, widgets) = failed[rule] {
                let others = widgets.count > 1 ? " (and \(widgets.count - 1) more)" : ""
                return ProbeFinding(rule.rawValue, verdict, detail + others, hint: hint)
            }
            guard held.contains(rule) else { return nil }
            return ProbeFinding(rule.rawValue, .fine, rule.promise)
        }
    }
}

extension ContractProbe.Rule {
    /// The sentence for a rule that holds.
    fileprivate var promise: String {
        switch self {
        case .resolve: "widgets are answered with documents"
        case .redirects: "documents come from the address that was asked"
        case .document: "digests, sizes, buckets and file lists are true together"
        case .subject: "documents are about the widget and the channel that were asked for"
        case .shares: "every host has a release"
        case .again: "asked again, unchanged documents are answered with 304"
        case .names: "caches keep documents for minutes at most"
        case .channels: "a channel that does not exist is 404"
        case .absence: "a widget that does not exist is 404"
        case .address: "archives are at the registry's own address"
        case .archive: "archives have the announced size and SHA-256"
        case .tags: "archives have the ETag of their digest"
        case .encoding: "archives come as they are"
        case .ranges: "parts of archives come as they were asked for"
        case .conditions: "If-Range is heeded"
        case .keeping: "archives may be kept for ever"
        case .bundle: "hosts accept the bundles, and they are what was announced"
        case .files: "files are where the document says"
        case .direct: "the archive comes in one request, too"
        }
    }
}
