package import JSONText
package import RegistryContract
internal import WidgetBundles
package import WidgetBytes
package import WidgetFiles
internal import WidgetSurroundings
package import WidgetTransfers

/// A client of a remote registry, for reading and for writing.
package struct RemoteRegistry: Sendable {
    package let address: RegistryAddress
    let token: String?
    let client: TransferClient
    let retries: RetryPolicy
    /// True when redirects may lead to another origin than the registry's.
    let followsElsewhere: Bool

    /// The size limit of a registry's documents. Lists of files are the longest.
    private static let documentByteLimit = 16 << 20
    /// The time for an answer, all attempts included, unless an archive is sent or fetched.
    static let answerTime = Duration.seconds(120)
    package static let jsonLimits = JSONLimits(byteCount: documentByteLimit, depth: 16, valueCount: 1_000_000)

    /// - Parameter retries: fewer than for a download: a person waits for the answer.
    package init(
        _ address: RegistryAddress, token: String? = nil, client: TransferClient = TransferClient(),
        retries: RetryPolicy = RetryPolicy(attempts: 3), followsElsewhere: Bool = false
    ) {
        self.address = address
        self.token = token
        self.client = client
        self.retries = retries
        self.followsElsewhere = followsElsewhere
    }

    /// A registry's answer, with the value decoded from it.
    package struct DecodedReply<Value: JSONDecodable & Sendable>: Sendable {
        package let value: Value
        /// All of it.
        package let document: JSONValue
        package let head: TransferHead
        /// Of the document as it came.
        package let byteCount: Int
    }

    // MARK: Requests

    private func request(_ method: TransferMethod = .get, _ path: String, _ query: QueryText = [])
        throws(FetchError) -> TransferRequest
    {
        var request = TransferRequest(method, try address.route(path, query))
        request.token = token
        request.retries = retries
        request.fields = [TransferField("Accept", "application/json")]
        request.limits.bodyByteCount = RemoteRegistry.documentByteLimit
        request.limits.total = RemoteRegistry.answerTime
        request.followsElsewhere = followsElsewhere
        // A POST is sent once, as its method says: sent again after a lost answer, it could undo another client's act.
        return request
    }

    /// Asks and takes anything but success for a refusal.
    ///
    /// - Parameter look: the command that shows whether a request was carried out, after its answer was lost; `nil`: it
    ///   changes nothing, or may be sent again.
    private func answer(
        _ request: TransferRequest, look: String? = nil
    ) async throws(FetchError) -> (head: TransferHead, body: [UInt8]) {
        let head: TransferHead
        let body: [UInt8]
        do throws(TransferError) {
            let answer = try await client.send(request)
            head = answer.head
            body = try await answer.body.collect()
        } catch {
            guard let look, !error.isBeforeRequest else { throw FetchError(error) }
            throw FetchError(.unanswered(error, look: look))
        }
        guard head.isSuccess else { throw FetchError(head, body, now: client.now) }
        return (head, body)
    }

    private func ask<Value: JSONDecodable & Sendable>(
        _ request: TransferRequest, look: String? = nil
    ) async throws(FetchError) -> DecodedReply<Value> {
        let (head, body) = try await answer(request, look: look)
        return try rethrowing(as: FetchError.init) { () throws(JSONError) in
            let document = try JSONDocument(parsing: body, limits: RemoteRegistry.jsonLimits, root: .container)
            return DecodedReply(
                value: try document.cursor.decode(), document: document.cursor.value, head: head,
                byteCount: body.count)
        }
    }

    /// A request whose body is a small document.
    private func writing(_ request: TransferRequest, _ document: some WireObject) -> TransferRequest {
        var writer = JSONWriter()
        document.write(to: &writer)
        var request = request
        request.body = .bytes(writer.finish())
        request.fields.append(TransferField("Content-Type", "application/json"))
        return request
    }

    // MARK: Reading

    /// The registry's description of itself.
    package func facts() async throws(FetchError) -> DecodedReply<WellKnownDocument> {
        try await ask(try request(.get, RegistryPath.wellKnown))
    }

    /// The bundles whose identifiers begin with `prefix`, all of them, page by page.
    package func bundles(prefix: String? = nil) async throws(FetchError) -> [DecodedReply<BundleDocument>] {
        try await all(pages(RegistryPath.bundles) { BundleListParameters.prefix.add(prefix, to: &$0) })
    }

    package func bundle(_ identifier: String) async throws(FetchError) -> DecodedReply<BundleDocument> {
        try await ask(try request(.get, RegistryPath.bundle(identifier)))
    }

    /// The releases of a bundle, newest first.
    package func releases(of identifier: String) async throws(FetchError) -> [DecodedReply<ReleaseDocument>] {
        try await all(pages(RegistryPath.releases(identifier)))
    }

    package func release(_ identifier: String, _ key: String) async throws(FetchError) -> DecodedReply<ReleaseDocument>
    {
        try await ask(try request(.get, RegistryPath.release(identifier, key)))
    }

    /// A release together with the intake's report about its bundle.
    package func report(_ identifier: String, _ key: String) async throws(FetchError) -> DecodedReply<ReleaseDocument> {
        try await ask(try request(.get, RegistryPath.report(identifier, key)))
    }

    package func difference(
        _ identifier: String, from old: String, to new: String
    ) async throws(FetchError) -> DecodedReply<DifferenceDocument> {
        try await ask(try request(.get, RegistryPath.difference(identifier, from: old, to: new)))
    }

    /// The counts of outcomes that hosts have reported of a release.
    package func outcomes(
        _ identifier: String, _ key: String
    ) async throws(FetchError) -> DecodedReply<OutcomeCountsDocument> {
        try await ask(try request(.get, RegistryPath.outcomes(identifier, key)))
    }

    /// Part of the feed of changes, from behind a tag.
    package func changes(since tag: Int, limit: Int) async throws(FetchError) -> PageDocument<ChangeDocument> {
        var query: QueryText = []
        ChangeListParameters.since.add(.after(tag), to: &query)
        ChangeListParameters.limit.add(limit, to: &query)
        let page: DecodedReply<PageDocument<ChangeDocument>> = try await ask(
            try request(.get, RegistryPath.changes, query))
        return page.value
    }

    // MARK: Pages

    private struct Pages {
        let path: String
        var query: QueryText
    }

    private func pages(_ path: String, _ more: (inout QueryText) -> Void = { _ in }) -> Pages {
        var query: QueryText = []
        more(&query)
        PageParameters.limit.add(PageParameters.mostItems, to: &query)
        return Pages(path: path, query: query)
    }

    /// More pages than this are not read: a quarter of a million lines are enough for any reader.
    private static let mostPages = 1_250
    /// Bytes of all pages, which are held together.
    private static let pagesByteLimit = 256 << 20

    private func all<Item: ListedDocument>(_ pages: Pages) async throws(FetchError) -> [DecodedReply<Item>] {
        var items: [DecodedReply<Item>] = []
        var cursor: String?
        var left = RemoteRegistry.pagesByteLimit
        for _ in 0..<RemoteRegistry.mostPages {
            let query = pages.query + (cursor.map { [("\(PageParameters.cursor.name)", $0)] } ?? [])
            var request = try request(.get, pages.path, query)
            request.limits.bodyByteCount = min(left, request.limits.bodyByteCount ?? left)
            let page: DecodedReply<PageDocument<Item>> = try await ask(request)
            left -= page.byteCount
            for (item, document) in zip(page.value.items, page.document["items"]?.array ?? []) {
                items.append(DecodedReply(value: item, document: document, head: page.head, byteCount: 0))
            }
            guard let next = page.value.next, next != cursor else { return items }
            cursor = next
        }
        return items
    }

    // MARK: Archives

    /// The archive that most hosts get for a widget, in a file without a name, its size and digest proven.
    package func archive(
        for widget: WidgetIdentifier, channel: String? = nil, progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(FetchError) -> SharedFile {
        let resolved = try await answer(
            try request(.get, RegistryPath.widget(widget.text), ResolveParameters(channel: channel).query))
        let resolution = try ResolutionDocument(checking: resolved.body, limits: BundleLimits())
        guard widget.belongs(to: resolution.bundleIdentifier) else {
            throw FetchError(.foreignBundle(identifier: resolution.bundleIdentifier))
        }
        guard let candidate = resolution.candidate(for: Rollout.lastBucket) else {
            throw FetchError(.nothingOffered)
        }
        let file = try rethrowing(as: FetchError.init) { () throws(FileError) in
            try FileDescriptor.unnamed(inDirectory: Directory.temporary)
        }
        return try await bring(
            try address.resolving(candidate.url), candidate.digest, byteCount: candidate.byteCount, into: file, progress
        )
    }

    /// An archive by its digest, written to an empty file, its size and digest proven.
    ///
    /// - Parameter byteCount: of it; the file gets so much room at once.
    package func archive(
        _ digest: Digest, byteCount: Int, into file: consuming FileDescriptor
    ) async throws(FetchError) -> SharedFile {
        try await bring(try address.route(RegistryPath.blob(digest)), digest, byteCount: byteCount, into: file, nil)
    }

    private func bring(
        _ url: TransferURL, _ digest: Digest, byteCount: Int, into file: consuming FileDescriptor,
        _ progress: (@Sendable (TransferProgress) -> Void)?
    ) async throws(FetchError) -> SharedFile {
        let partial: PartialArchive
        do throws(FileError) {
            partial = try PartialArchive(file, name: nil, byteCount: byteCount)
        } catch {
            throw FetchError(error)
        }
        try partial.reserve(byteCount)
        var request = try request(.get, "/")
        request.url = url
        request.fields = []
        request.limits.leastRate = .archives
        let clock = client.world.clock
        let end = clock.now + .seconds(3_600)
        let transfer = ArchiveTransfer(client: client, url: url, digest: digest) { [request] in
            var request = request
            request.limits.total = max(.milliseconds(1), end - clock.now)
            return request
        }
        _ = try await transfer.whole(byteCount, into: partial, progress)
        guard let actual = partial.digest() else { throw FetchError(.outOfMemory) }
        guard actual == digest else { throw FetchError(.wrongDigest(expected: digest, actual: actual)) }
        return partial.file
    }

    // MARK: Publishing

    /// Publishes an archive. The body is sent when the registry has said that it wants it, and comes with its digest.
    ///
    /// - Parameters:
    ///   - identifier: of the bundle in it.
    ///   - digest: of the archive. The registry refuses other bytes.
    package func publish(
        _ archive: FileRegion, of identifier: String, digest: Digest, _ options: PublishOptions,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(FetchError) -> DecodedReply<ReleaseDocument> {
        var request = try request(.post, RegistryPath.bundles, options.query)
        request.body = .file(archive)
        request.expectsContinue = true
        request.uploadProgress = progress
        request.fields += [
            TransferField("Content-Type", "application/zip"),
            TransferField("Content-Digest", "sha-256=:\(digest.base64):"),
        ]
        // A large archive over a slow line takes its time, and so does checking it.
        request.limits.total = .seconds(3_600)
        request.limits.stall = .seconds(120)
        return try await ask(request, look: options.isDryRun ? nil : "widget show \(identifier)")
    }

    // MARK: Channels and releases

    /// Makes a channel show a release, as the channel is now: refused when it was changed meanwhile.
    ///
    /// - Parameter rollout: in basis points.
    package func promote(
        _ identifier: String, _ key: String, channel: String, rollout: Int, isMandatory: Bool
    ) async throws(FetchError) -> DecodedReply<ChannelDocument> {
        let path = RegistryPath.channel(identifier, channel)
        var request = writing(
            try request(.put, path), ChannelSettingDocument(release: key, rollout: rollout, isMandatory: isMandatory))
        request.fields.append(try await condition(path))
        return try await ask(request)
    }

    /// The condition for changing a channel: its present state, or that it does not exist yet.
    private func condition(_ path: String) async throws(FetchError) -> TransferField {
        do throws(FetchError) {
            return try await unchanged(path)
        } catch {
            guard case .problem(let problem) = error.reason, problem.status == 404 else { throw error }
            return TransferField("If-None-Match", "*")
        }
    }

    /// The condition that a channel is as it is now. It needs a strong entity tag: `*` would match anything that another
    /// client made of the channel meanwhile.
    private func unchanged(_ path: String) async throws(FetchError) -> TransferField {
        var request = try request(.get, path)
        // A proxy that compresses makes the entity tag weak.
        request.acceptsCompression = false
        let reply: DecodedReply<ChannelDocument> = try await ask(request)
        guard let tag = reply.head.strongEntityTag else { throw FetchError(TransferError(.untagged, request.url)) }
        return TransferField("If-Match", tag)
    }

    /// Makes a channel show its previous release, or a named one.
    ///
    /// - Parameter isDryRun: true to learn what it would show, and change nothing.
    package func rollback(
        _ identifier: String, channel: String, to key: String? = nil, isDryRun: Bool = false
    ) async throws(FetchError) -> DecodedReply<ChannelDocument> {
        var query: QueryText = []
        if isDryRun { RollbackOptions.dryRun.add(true, to: &query) }
        let request = try request(.post, RegistryPath.rollback(identifier, channel), query)
        let asked = key.map { writing(request, RollbackDocument(to: $0)) } ?? request
        return try await ask(asked, look: isDryRun ? nil : "widget show \(identifier)")
    }

    /// Deletes a channel, as it is now: refused when it was changed meanwhile.
    package func deleteChannel(_ identifier: String, _ name: String) async throws(FetchError) {
        let path = RegistryPath.channel(identifier, name)
        var request = try request(.delete, path)
        request.fields.append(try await unchanged(path))
        let (head, _) = try await answer(request)
        // Another server than the registry, such as a portal that wants a login, also answers with success.
        guard head.status == 204 else { throw FetchError(.unexpectedStatus(head.status)) }
    }

    package func withdraw(
        _ identifier: String, _ key: String, reason: String, directive: WithdrawalDirective? = nil
    ) async throws(FetchError) -> DecodedReply<ReleaseDocument> {
        try await ask(
            writing(
                try request(.delete, RegistryPath.release(identifier, key)),
                WithdrawDocument(reason: reason, directive: directive)))
    }

    package func restore(_ identifier: String, _ key: String) async throws(FetchError) -> DecodedReply<ReleaseDocument>
    {
        try await ask(try request(.post, RegistryPath.restore(identifier, key)), look: "widget show \(identifier)")
    }

    // MARK: Tokens

    package func tokens() async throws(FetchError) -> DecodedReply<PageDocument<TokenDocument>> {
        try await ask(try request(.get, RegistryPath.tokens))
    }

    /// Makes a token; the answer is the only one that ever shows it.
    ///
    /// - Parameter expires: a time, or a span such as `90d`; `nil`: never.
    package func createToken(
        _ name: String, scopes: [String], prefix: String?, channels: [String]? = nil, expires: String?
    ) async throws(FetchError) -> DecodedReply<TokenDocument> {
        let asked = writing(
            try request(.post, RegistryPath.tokens),
            TokenRequestDocument(
                name: name, prefix: prefix, scopes: scopes, channels: channels, expires: expires))
        return try await ask(asked, look: "widget token list")
    }

    /// Gives a token another secret; the answer is the only one that ever shows it.
    ///
    /// - Parameters:
    ///   - prefix: the token's, where several tokens have the name.
    ///   - keep: the seconds for which the present secret works beside the new one; `nil`: it ends at once.
    package func rotateToken(
        _ name: String, prefix: String?, keep: Int64?
    ) async throws(FetchError) -> DecodedReply<TokenDocument> {
        var query: QueryText = []
        RotateOptions.prefix.add(prefix, to: &query)
        RotateOptions.keep.add(keep, to: &query)
        return try await ask(try request(.post, RegistryPath.rotation(name), query), look: "widget token list")
    }

    /// - Parameter prefix: the token's, where several tokens have the name.
    /// - Returns: the registry's answer about it, if any.
    package func revokeToken(_ name: String, prefix: String?) async throws(FetchError) -> String? {
        var query: QueryText = []
        RevokeOptions.prefix.add(prefix, to: &query)
        let (head, body) = try await answer(try request(.delete, RegistryPath.token(name), query))
        if head.status == 204 { return nil }
        guard head.status == 200 else { throw FetchError(.unexpectedStatus(head.status)) }
        return try rethrowing(as: FetchError.init) { () throws(JSONError) in
            let document = try JSONDocument(parsing: body, limits: RemoteRegistry.jsonLimits, root: .container)
            return try document.cursor.decode(as: RevocationDocument.self).remark
        }
    }
}

/// The address of a registry. It may be below the root of its host.
package struct RegistryAddress: Hashable, Sendable, CustomStringConvertible {
    package let url: TransferURL
    /// Without a slash at the end.
    private let base: String

    package init(_ text: String) throws(FetchError) {
        do throws(TransferError) {
            let url = try TransferURL(text)
            guard url.query == nil else {
                throw TransferError(.invalidURL("a registry's address has no query"), url)
            }
            self.url = url
            base = url.description.last == "/" ? String(url.description.dropLast()) : url.description
        } catch {
            throw FetchError(error)
        }
    }

    package var description: String { base }

    /// A route of the contract, such as `/v1/changes`, with a query of any texts.
    package func route(_ path: String, _ query: [(name: String, value: String)] = []) throws(FetchError) -> TransferURL
    {
        let words = query.map { "\($0.name)=\(PercentEncoding.segment($0.value))" }
        return try made(base + path + (words.isEmpty ? "" : "?" + words.joined(separator: "&")))
    }

    /// Resolves a reference in a document of the registry. It has to lead to the registry itself.
    func resolving(_ reference: String) throws(FetchError) -> TransferURL {
        let found: TransferURL
        if reference.utf8.starts(with: "/v1/".utf8) {
            found = try made(base + reference)
        } else {
            found = try rethrowing(as: FetchError.init) { () throws(TransferError) in try url.resolving(reference) }
        }
        guard found.hasSameOrigin(as: url) else { throw FetchError(.foreignAddress(found.withoutQuery)) }
        return found
    }

    private func made(_ text: String) throws(FetchError) -> TransferURL {
        try rethrowing(as: FetchError.init) { () throws(TransferError) in try TransferURL(text) }
    }
}
