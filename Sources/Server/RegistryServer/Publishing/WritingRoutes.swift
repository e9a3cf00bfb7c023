internal import HTTPWire
internal import JSONText
internal import RegistryContract
internal import WidgetBundles
internal import WidgetBytes
internal import WidgetHTTPServer
internal import WidgetRegistry

/// All writing routes, in one place.
struct WritingRoutes: Sendable {
    let publish: PublishRoutes
    let channels: ChannelRoutes
    let releases: ReleaseRoutes
    let tokens: TokenRoutes
    let audit: AuditRoutes

    func add(to routes: inout Routes) {
        routes.on(.post, "/v1/bundles(/)", publish.post)
        routes.on(.put, "/v1/bundles(/)", publish.post)
        routes.on(.put, "/v1/bundles/{id}", publish.putFile)
        routes.on(.put, "/v1/bundles/{id}/releases/{key}", publish.putRelease)
        routes.on(.delete, "/v1/bundles/{id}/releases/{key}", releases.withdraw)
        routes.on(.post, "/v1/bundles/{id}/releases/{key}/restore", releases.restore)
        routes.on(.put, "/v1/bundles/{id}/channels/{channel}", channels.put)
        routes.on(.delete, "/v1/bundles/{id}/channels/{channel}", channels.delete)
        routes.on(.post, "/v1/bundles/{id}/channels/{channel}/rollback", channels.rollback)
        tokens.add(to: &routes)
        audit.add(to: &routes)
    }
}

extension TokenRoutes {
    func add(to routes: inout Routes) {
        routes.get("/v1/tokens", list)
        routes.on(.post, "/v1/tokens", create)
        routes.on(.post, "/v1/tokens/{name}/rotate", rotate)
        routes.on(.delete, "/v1/tokens/{name}", revoke)
    }
}

/// The routes that withdraw and restore a release.
struct ReleaseRoutes: Sendable {
    let registry: Registry
    let access: Access
    let audit: Audit
    let work: WorkQueue

    /// `DELETE /v1/bundles/{id}/releases/{key}`; reason and directive are in the query or in the body.
    func withdraw(_ request: borrowing Request, _ bundle: BundleIdentifier, _ key: ReleaseKey) throws -> Answer {
        var entry = AuditEntry(.withdraw, request, bundle: bundle.text)
        entry.add("release", key.text)
        let caller = try access.writer(request, .withdraw, of: bundle.text, noting: entry, taking: .withdrawing)
        entry.identify(caller)
        let author = entry.author
        let asked = WithdrawDocument(
            reason: request.words(WithdrawOptions.reason.name),
            directive: try rethrowing(
                try WithdrawOptions.directive.value(in: request), as: ProblemCatalogue.unreadable))
        return SmallBody.receive(work, audit, entry, access.permissionCheck(request, .withdraw, of: bundle.text)) {
            [registry] body, write throws(Problem) in
            let (reason, directive) = try ReleaseRoutes.withdrawal(asked, body)
            write.add("reason", reason)
            if let directive = directive.written { write.add("directive", directive) }
            return try ReleaseRoutes.answer(caller) { () throws(RegistryError) in
                try registry.withdraw(
                    bundle.text, key.text, reason: reason, directive: directive, by: author,
                    rights: caller.channelRights())
            }
        }
    }

    /// `POST /v1/bundles/{id}/releases/{key}/restore`; it shows the release again, so it wants the scope that does.
    func restore(_ request: borrowing Request, _ bundle: BundleIdentifier, _ key: ReleaseKey) throws -> Answer {
        var entry = AuditEntry(.restore, request, bundle: bundle.text)
        entry.add("release", key.text)
        let caller = try access.writer(request, .promote, of: bundle.text, earlier: .withdraw, noting: entry)
        entry.identify(caller)
        let author = entry.author
        let checkPermission = access.permissionCheck(request, .promote, of: bundle.text, earlier: .withdraw)
        return SmallBody.receive(work, audit, entry, checkPermission) { [registry] _, _ throws(Problem) in
            try ReleaseRoutes.answer(caller) { () throws(RegistryError) in
                try registry.restore(bundle.text, key.text, by: author, rights: caller.channelRights())
            }
        }
    }

    /// The reason and the directive; those of the body win.
    private static func withdrawal(
        _ asked: WithdrawDocument, _ body: [UInt8]
    ) throws(Problem) -> (reason: String, WithdrawalDirective) {
        let read = try body.isEmpty ? WithdrawDocument() : RequestDocument.read(body, as: WithdrawDocument.self)
        let (reason, directive) = (read.reason ?? asked.reason ?? "", read.directive ?? asked.directive)
        return try rethrowing(as: ProblemCatalogue.unreadable) { () throws(UnreadableParameter) in
            let directive = try directive.map { (word) throws(UnreadableParameter) in
                try WithdrawOptions.directive.value(of: word)
            }
            return (try WithdrawOptions.reason.value(of: reason), directive ?? .keep)
        }
    }

    private static func answer(
        _ caller: Caller, _ change: () throws(RegistryError) -> Release
    ) throws(Problem) -> Answer {
        WrittenDocument.answer(try rethrowing(as: caller.problem) { () throws(RegistryError) in try change() })
    }
}

/// Small bodies of requests: collected in memory, then handled on a queue, where work may block.
enum SmallBody {
    static let limit = 16 << 10

    /// - Parameters:
    ///   - audit: notes the outcome, with the details that `action` has added to the entry.
    ///   - checkPermission: throws if the caller has lost the right meanwhile; a body can be a long time coming.
    static func receive(
        _ work: WorkQueue, _ audit: Audit, _ entry: AuditEntry, _ checkPermission: @escaping PermissionCheck,
        _ action: @escaping @Sendable ([UInt8], PendingWrite) throws(Problem) -> Answer
    ) -> Answer {
        let write = PendingWrite(audit, entry)
        return .readBody(
            BodyReceipt(
                limit: limit, mediaTypes: ["application/json", "application/x-www-form-urlencoded"],
                sink: CollectedBody { body in
                    work.answer { () throws(Problem) in
                        do throws(Problem) {
                            try checkPermission()
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

/// Reads the documents that requests bring.
enum RequestDocument {
    static func read<Document: WireRequest>(
        _ body: [UInt8], as type: Document.Type = Document.self
    ) throws(Problem) -> Document {
        let cursor: JSONCursor
        let members: [(name: String, value: JSONCursor)]
        do throws(JSONError) {
            cursor = try JSONDocument(parsing: body).cursor
            members = try cursor.members()
        } catch {
            throw ProblemCatalogue.problem(error)
        }
        let known = Document.members.map(\.name)
        for (name, value) in members {
            guard known.contains(name) else { throw unknown(name, value, known) }
            try requireShown(value, name)
        }
        return try rethrowing(try cursor.decode(), as: { (error: JSONError) in ProblemCatalogue.problem(error) })
    }

    /// Refuses control characters, which no value of a request has and not every catalog can look for.
    private static func requireShown(_ value: JSONCursor, _ name: String) throws(Problem) {
        for item in (try? value.elements()) ?? [value] {
            guard let text: String = try? item.decode(),
                text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
            else { continue }
            throw ProblemCatalogue.problem(
                .malformedRequest, "The value of \(name) has a control character.",
                [Problem.Member("line", item.position.line), Problem.Member("column", item.position.column)])
        }
    }

    private static func unknown(_ name: String, _ value: JSONCursor, _ known: [String]) -> Problem {
        ProblemCatalogue.problem(
            .malformedRequest,
            "Unknown member \"\(name.prefix(80))\"; there are \(known.joined(separator: ", ")).",
            [Problem.Member("line", value.position.line), Problem.Member("column", value.position.column)])
    }
}

/// The answer to a write: the new state of the thing written, which caches must not store.
enum WrittenDocument {
    static func response(
        _ status: Status, _ bytes: [UInt8], _ fields: FieldBlock = FieldBlock(), mediaType: String = "application/json"
    ) -> Response {
        var all = FieldBlock([
            "Content-Type": mediaType, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
            "Access-Control-Allow-Origin": "*",
        ])
        all.add(fields)
        return Response(status, fields: all, body: bytes)
    }

    static func answer(_ channel: Channel) -> Answer {
        let document = ChannelDocument(channel)
        // With the tag that the next change needs.
        return .response(response(.ok, document.bytes, FieldBlock(["ETag": document.entityTag])))
    }

    /// A channel as it would be, without a tag: no condition can name it.
    static func answer(ofDryRun channel: Channel) -> Answer {
        var document = ChannelDocument(channel)
        document.isDryRun = true
        return .response(response(.ok, document.bytes))
    }

    static func answer(_ release: Release) -> Answer {
        .response(response(.ok, ReleaseDocument(release).bytes))
    }

    /// - Parameters:
    ///   - report: what happened to this upload, which need not be what happened to the one that was stored.
    ///   - asText: whether a person reads the answer.
    ///   - publicURL: what places begin with.
    static func answer(
        _ publication: Publication, _ report: BundleReport, isDryRun: Bool, asText: Bool, publicURL: String?
    ) -> Answer {
        var report = report
        // What the registry has to say concerns the release; the bundle's own warnings follow.
        report.warnings.insert(
            // A quota is about no file.
            contentsOf: publication.warnings.map {
                BundleWarning($0.code, path: $0.code == .quotaNear ? "" : "Info.plist", detail: $0.detail)
            }, at: 0)
        let isCreated = publication.outcome == .created
        var document = ReleaseDocument(
            publication.release, isChanged: isCreated || publication.movesChannel, report: asText ? nil : report.json)
        document.isDryRun = isDryRun ? true : nil
        let bytes = asText ? Array(PublicationText(document, report).description.utf8) : document.bytes
        let mediaType = asText ? Document.textType : "application/json"
        guard isCreated, !isDryRun else { return .response(response(.ok, bytes, mediaType: mediaType)) }
        let place = RegistryPath.release(publication.release.bundleIdentifier, publication.release.key)
        return .response(
            response(.created, bytes, FieldBlock(["Location": (publicURL ?? "") + place]), mediaType: mediaType))
    }
}
