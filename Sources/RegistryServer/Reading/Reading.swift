package import HTTPServer
package import Registry

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

    let answers: AnswerCache
    private let widgets: WidgetReading
    private let catalog: CatalogReading
    private let releases: ReleaseReading
    private let files: FileReading

    /// - Parameters:
    ///   - work: where lookups are done; writing should have another, so that reading never waits for it.
    ///   - address: where clients reach the server, for lines that people paste.
    package init(
        registry: Registry, access: any ReadAccess = OpenReading(), work: WorkQueue, options: Options = Options(),
        address: @escaping @Sendable () -> String
    ) {
        let archives = ArchiveCache(registry, work: work, count: options.openArchives)
        let answers = AnswerCache(
            registry, access: access, work: work, archives: archives, byteCount: options.documentBytes)
        // A queue of its own: many who catch up at once must not keep everybody else waiting.
        let feed = ChangeFeed(work: WorkQueue("widgetd.feed", width: 1), options: options.eventStream)
        self.answers = answers
        widgets = WidgetReading(answers: answers)
        catalog = CatalogReading(answers: answers, feed: feed, page: StartPage(address: address))
        releases = ReleaseReading(answers: answers)
        files = FileReading(answers, byteCount: options.expandedBytes)
        // The registry keeps its observer, so the observer must not keep the registry.
        registry.observe { [weak answers, feed] change in
            answers?.forget(change)
            answers?.archives.forget(change)
            feed.publish(change)
        }
    }

    /// Every route that only reads, in one place.
    package func add(to routes: inout Routes) {
        routes.get("/", catalog.startPage)
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
