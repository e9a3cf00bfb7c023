internal import HTTPWire
internal import RegistryContract
internal import WidgetBytes
package import WidgetHTTPServer
package import WidgetRegistry
package import WidgetSurroundings

/// Everything that can be read: the routes, and the caches they answer from.
///
/// No route waits for a disk on an event loop.
package final class Reading: Sendable {
    package struct Options: Sendable {
        /// Memory for cached documents.
        package var documentBytes = 64 << 20
        /// The number of archives held open.
        package var openArchives = 256
        /// Memory for files that are being sent apart from their archives.
        package var expandedBytes = 128 << 20
        package var eventStream = EventStreamOptions()

        package init() {}
    }

    let answers: ResponseCache
    private let widgets: WidgetReading
    private let catalog: CatalogReading
    private let releases: ReleaseReading
    private let files: FileReading
    private let gallery: GalleryReading
    private let embeds: EmbedReading
    /// The answers to the owner of the data directory, who sees everything, and what makes them.
    private let owner: ResponseCache
    private let ownerCatalog: CatalogReading

    /// - Parameters:
    ///   - work: where lookups are done; writing should have another, so that reading never waits for it.
    ///   - running: whether pages run widgets; asked for each page.
    ///   - embedding: the pages that may hold widgets in frames.
    ///   - address: where clients reach the server, for lines that people paste.
    package init(
        registry: Registry, access: any ReadAccess = OpenReading(), work: WorkQueue, in world: World = .machine,
        options: Options = Options(), running: @escaping @Sendable () -> PageRunning = { .usual },
        embedding: Embedding = Embedding(),
        address: @escaping @Sendable () -> String
    ) {
        let archives = ArchiveCache(registry, work: work, count: options.openArchives)
        let answers = ResponseCache(
            registry, access: access, work: work, archives: archives, byteCount: options.documentBytes)
        // A separate queue: many clients that catch up at once must not delay the other readers.
        let feed = ChangeFeed(
            work: WorkQueue("widgetd.feed.reading", width: 1, in: world), in: world, options: options.eventStream)
        self.answers = answers
        widgets = WidgetReading(answers: answers)
        gallery = GalleryReading(answers: answers, running: running, embedding: embedding, address: address)
        embeds = EmbedReading(answers: answers, embedding: embedding)
        catalog = CatalogReading(answers: answers, feed: feed, gallery: gallery)
        releases = ReleaseReading(answers: answers)
        files = FileReading(answers, byteCount: options.expandedBytes)
        let owner = ResponseCache(
            registry, access: OpenReading(), work: work, archives: archives, byteCount: Reading.ownerBytes)
        self.owner = owner
        ownerCatalog = CatalogReading(
            answers: owner, feed: feed,
            gallery: GalleryReading(
                answers: owner, running: { .usual }, embedding: embedding, address: address))
        // The registry keeps its observer, so the observer must not keep the registry.
        registry.observe { [weak answers, weak owner, feed] change in
            answers?.forget(change)
            owner?.forget(change)
            answers?.archives.forget(change)
            feed.publish(change)
        }
        registry.observeParts { [weak answers, weak owner] bundle in
            answers?.forgetParts(of: bundle)
            owner?.forgetParts(of: bundle)
        }
    }

    /// An export asks each question once.
    private static let ownerBytes = 1 << 20

    /// The routes by which the owner of the data directory has the registry's answers written to files, whether or not
    /// other readers need a token.
    func addForOwner(to routes: inout Routes) {
        let widgets = WidgetReading(answers: owner, redirects: false)
        routes.get("/v1/bundles", ownerCatalog.bundles)
        routes.get("/v1/widgets/{widgetIdentifier}", widgets.resolve)
        routes.get("/v1/blobs/sha256/{hex}", widgets.blob)
    }

    /// Every route that only reads, in one place.
    package func add(to routes: inout Routes) {
        routes.get("/", catalog.startPage)
        gallery.add(to: &routes)
        embeds.add(to: &routes)
        routes.get("/openapi.json", OpenAPIDocument().answer)
        routes.get("/v1/widgets/{widgetIdentifier}", widgets.resolve)
        routes.get("/v1/widgets/{widgetIdentifier}/bundle", widgets.bundleArchive)
        routes.get("/v1/widgets/{widgetIdentifier}/{Name}.zip", widgets.namedArchive)
        routes.get("/v1/blobs/sha256/{hex}", widgets.blob)
        routes.get("/v1/bundles", catalog.bundles)
        routes.get("/v1/bundles/{id}", catalog.bundle)
        routes.get("/v1/bundles/{id}/channels", catalog.channels)
        routes.get("/v1/bundles/{id}/channels/{channel}", catalog.channel)
        routes.get("/v1/bundles/{id}/releases", releases.releases)
        routes.get("/v1/bundles/{id}/releases/{key}", releases.release)
        routes.get("/v1/bundles/{id}/releases/{key}/report", releases.report)
        routes.get("/v1/bundles/{id}/releases/{key}/files", releases.files)
        routes.get("/v1/bundles/{id}/releases/{key}/files/{path...}", files.file)
        routes.get("/v1/bundles/{id}/releases/{key}/diff/{otherKey}", releases.diff)
        routes.get("/v1/changes", catalog.changes)
    }
}

/// The routes by which hosts get from a widget identifier to a release.
struct WidgetReading: Sendable {
    let answers: ResponseCache
    /// False where all bytes come from here.
    var redirects = true

    /// `GET /v1/widgets/{widgetIdentifier}`
    func resolve(_ request: borrowing Request, _ widget: WidgetIdentifier) throws -> Answer {
        let reader = try reader(request, of: widget)
        let parameters = try WidgetReading.parameters(request)
        let key = CacheKey(.resolution, widget, parameters)
        let variant = ResponseCache.Variant(have: parameters.have)
        if let answer = answers.cached(key, variant, for: reader) { return answer }
        return answers.load(key, variant, for: reader) { registry, have throws(Problem) in
            let resolution = try WidgetReading.resolution(registry, widget, parameters, reader)
            let onlyArchive = resolution.onlyArchive
            let document = ResolutionDocument(
                resolution, for: widget.text, isUpToDate: have != nil && have == onlyArchive)
            let cost = resolution.candidates.reduce(ResponseCache.overhead + key.text.utf8.count * 2) {
                $0 + $1.files.count * 2
            }
            return (
                .document(
                    Document.resource("application/json", document.bytes, reader.caching(.briefly)),
                    archive: have == nil || have == onlyArchive ? onlyArchive : nil),
                resolution.bundleIdentifier, cost
            )
        }
    }

    /// `GET /v1/widgets/{widgetIdentifier}/bundle`
    func bundleArchive(_ request: borrowing Request, _ widget: WidgetIdentifier) throws -> Answer {
        try archive(request, widget, name: nil)
    }

    /// `GET /v1/widgets/{widgetIdentifier}/{Name}.zip`, or `{Name}.bundle.zip`, as archives of a folder are often called.
    func namedArchive(_ request: borrowing Request, _ widget: WidgetIdentifier, _ name: ArchiveName) throws -> Answer {
        try archive(request, widget, name: name.folderName)
    }

    private func archive(_ request: borrowing Request, _ widget: WidgetIdentifier, name: String?) throws -> Answer {
        let reader = try reader(request, of: widget)
        let parameters = try WidgetReading.parameters(request)
        let key = CacheKey(.archive, widget, parameters)
        var variant = ResponseCache.Variant(bucket: parameters.bucket ?? Rollout.lastBucket, name: name)
        // A store would take a range for one of whichever release the name leads to now.
        variant.mayRedirect = mayRedirect(request) && request.value(.range) == nil
        if let answer = answers.cached(key, variant, for: reader) { return answer }
        return answers.load(key, variant, for: reader) { registry, _ throws(Problem) in
            let resolution = try WidgetReading.resolution(registry, widget, parameters, reader)
            let parts = resolution.candidates.map { ($0.buckets, $0.release.digest, $0.release.name) }
            return (
                .archives(bundle: resolution.bundleIdentifier, channel: resolution.channel, parts: parts),
                resolution.bundleIdentifier, 512 + parts.count * 128
            )
        }
    }

    /// `GET /v1/blobs/sha256/{hex}`
    func blob(_ request: borrowing Request, _ blob: BlobDigest) throws -> Answer {
        answers.archives.answer(
            blob.digest, for: try answers.reader(request), mayRedirect: mayRedirect(request))
    }

    /// Fields about an archive are known here. A range under a condition is of bytes that came from here: a store has
    /// other tags. A script of a page of this registry may ask no other server.
    private func mayRedirect(_ request: borrowing Request) -> Bool {
        let isForOwnScript = request.value(.secFetchSite) == "same-origin" && request.value(.secFetchDest) == "empty"
        return redirects && request.method == .get && request.value(.ifRange) == nil && !isForOwnScript
    }

    private func reader(_ request: borrowing Request, of widget: WidgetIdentifier) throws(Problem) -> Reader {
        let reader = try answers.reader(request)
        guard reader.maySee(widget: widget.text) else {
            throw ProblemCatalogue.problem(RegistryError.noSuchWidget(widget.text, spelling: nil))
        }
        return reader
    }

    private static func parameters(_ request: borrowing Request) throws(Problem) -> ResolveParameters {
        // Most hosts ask without a query, and most often for a cached answer.
        guard request.hasQuery else { return ResolveParameters() }
        try QueryLaw.resolving.check(request)
        return try rethrowing(try ResolveParameters(request), as: ProblemCatalogue.unreadable)
    }

    static func resolution(
        _ registry: Registry, _ widget: WidgetIdentifier, _ parameters: ResolveParameters, _ reader: Reader
    ) throws(Problem) -> Resolution {
        try ResponseCache.ask(reader) { () throws(RegistryError) in
            try registry.resolve(
                ResolveQuery(
                    widgetIdentifier: widget.text, channel: parameters.channel ?? ChannelName.standard,
                    os: parameters.os, host: parameters.host, pin: parameters.pin, territory: reader.territory,
                    isVisible: { reader.sees($0) }))
        }
    }
}

extension Resolution {
    /// The archive that hosts of every bucket get; `nil` while there are several.
    fileprivate var onlyArchive: Digest? {
        let digests = Set(candidates.map(\.release.digest))
        return digests.count == 1 ? digests.first : nil
    }
}
