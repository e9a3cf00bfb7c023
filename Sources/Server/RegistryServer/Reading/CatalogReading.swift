internal import HTTPWire
internal import JSONText
internal import RegistryContract
internal import WidgetBytes
internal import WidgetHTTPServer
internal import WidgetRegistry

/// The routes that list bundles, their channels, and what has changed.
struct CatalogReading: Sendable {
    let answers: ResponseCache
    let feed: ChangeFeed
    let gallery: GalleryReading

    /// `GET /`: a page for people, or the list of bundles for programs.
    func startPage(_ request: borrowing Request) throws -> Answer {
        if request.accepts(naming: "application/json"), !request.accepts(naming: "text/html") {
            return try bundles(request, variesByType: true)
        }
        return gallery.catalogue(request)
    }

    /// `GET /v1/bundles`
    func bundles(_ request: borrowing Request) throws -> Answer {
        try bundles(request, variesByType: false)
    }

    /// - Parameter variesByType: whether the same address has a page for people as well.
    private func bundles(_ request: borrowing Request, variesByType: Bool) throws -> Answer {
        try QueryLaw.bundleLists.check(request)
        let wanted = try rethrowing(try BundleListParameters(request), as: ProblemCatalogue.unreadable)
        let part = wanted.page
        let key = CacheKey(
            .bundles, wanted.prefix, wanted.text, wanted.channel, CatalogReading.key(part), variesByType ? "/" : nil)
        let root = request.root
        return try answers.document(request, key) { registry, reader throws(Problem) in
            let page = try ResponseCache.ask(reader) { () throws(RegistryError) in
                try registry.bundles(
                    BundleQuery(
                        prefix: wanted.prefix ?? "", text: wanted.text ?? "", channel: wanted.channel,
                        limit: part.limit, after: part.after, territory: reader.territory,
                        isVisible: { reader.sees($0) }))
            }
            var query: QueryText = []
            BundleListParameters.prefix.add(wanted.prefix, to: &query)
            BundleListParameters.text.add(wanted.text, to: &query)
            BundleListParameters.channel.add(wanted.channel, to: &query)
            PageParameters.limit.add(part.limit, to: &query)
            return Document.page(
                page.items.map(BundleDocument.init), next: page.next.map(PageParameters.cursor), reader,
                at: root + RegistryPath.bundles, query, variesByType: variesByType)
        }
    }

    /// `GET /v1/bundles/{id}`
    func bundle(_ request: borrowing Request, _ bundle: BundleIdentifier) throws -> Answer {
        try answers.document(request, CacheKey(.bundle, bundle.text), about: bundle.text) {
            registry, reader throws(Problem) in
            let summary = try ResponseCache.ask(reader) { () throws(RegistryError) in try registry.bundle(bundle.text) }
            return Document.json(BundleDocument(summary), reader)
        }
    }

    /// `GET /v1/bundles/{id}/channels`
    func channels(_ request: borrowing Request, _ bundle: BundleIdentifier) throws -> Answer {
        try answers.document(request, CacheKey(.channels, bundle.text), about: bundle.text) {
            registry, reader throws(Problem) in
            let channels = try ResponseCache.ask(reader) { () throws(RegistryError) in
                try registry.channels(bundle.text)
            }
            return Document.json(PageDocument(channels.map(ChannelDocument.init)), reader)
        }
    }

    /// `GET /v1/bundles/{id}/channels/{channel}`
    func channel(_ request: borrowing Request, _ bundle: BundleIdentifier, _ name: ChannelName) throws -> Answer {
        try answers.document(request, CacheKey(.channel, bundle.text, name.text), about: bundle.text) {
            registry, reader throws(Problem) in
            let channel = try ResponseCache.ask(reader) { () throws(RegistryError) in
                try registry.channel(bundle.text, name.text)
            }
            // Its tag is what If-Match names, so there is one.
            return Document.resource(
                "application/json", ChannelDocument(channel).bytes, reader.caching(.briefly), isCompressible: false)
        }
    }

    /// Widgets that a `Link` repeats. Proxies refuse fields of many kilobytes, and the document has the tag.
    private static let mostLinkedWidgets = 10

    /// `GET /v1/changes`: a page of the feed, or the feed as it continues.
    func changes(_ request: borrowing Request) throws -> Answer {
        let reader = try answers.reader(request)
        try QueryLaw.changeLists.check(request)
        let wanted = try rethrowing(
            try ChangeListParameters(request, lastEventID: request.value(.lastEventID)), as: ProblemCatalogue.unreadable
        )
        let (limit, filter) = (wanted.limit, wanted.filter)
        // What is behind the newest change that is known here cannot be in any answer from here either.
        let since =
            switch wanted.since {
            case .after(let tag): Int64(tag)
            case .latest: answers.registry.latestTag
            }
        let isLatest = wanted.since == .latest
        if request.accepts(naming: "text/event-stream"), !request.accepts(naming: "application/json") {
            let fields = FieldBlock([
                "Content-Type": "text/event-stream", "Cache-Control": "no-store", "Vary": "Accept",
                "Access-Control-Allow-Origin": "*", "X-Content-Type-Options": "nosniff",
                // Proxies that gather answers before they pass them on would hold the feed back.
                "X-Accel-Buffering": "no",
            ])
            let registry = answers.registry
            let subscription = ChangeSubscription(
                feed, of: registry, for: reader, filter, since: since, tellsPlace: isLatest)
            let answer = Answer.response(Response(.ok, fields: fields, stream: subscription))
            guard since > registry.latestTag else { return answer }
            return answers.work.answer { () throws(Problem) in
                try CatalogReading.require(since, in: registry, for: reader)
                return answer
            }
        }
        let root = request.root
        @Sendable func page(_ changes: [RegistryChange], next: String?, _ reader: Reader) -> Resource {
            var query: QueryText = []
            ChangeListParameters.limit.add(limit, to: &query)
            filter.add(to: &query)
            return Document.page(
                changes.map(ChangeDocument.init), next: next, reader, at: root + RegistryPath.changes, query,
                nextName: "\(ChangeListParameters.since.name)",
                hasLink: filter.count <= CatalogReading.mostLinkedWidgets,
                variesByType: true)
        }
        if isLatest { return .resource(page([], next: String(since), reader)) }
        let make: @Sendable (Registry, Reader) throws(Problem) -> Resource = { registry, reader throws(Problem) in
            let part = try ResponseCache.ask(reader) { () throws(RegistryError) in
                try registry.changes(since: since, limit: limit)
            }
            if part.items.isEmpty { try CatalogReading.require(since, in: registry, for: reader) }
            let changes = part.items.filter {
                reader.sees($0.bundleIdentifier) && filter.includes($0.bundleIdentifier)
            }
            return page(changes, next: part.next, reader)
        }
        let key = CacheKey(.changes, String(since), String(limit), filter.text)
        return try answers.document(request, key, make)
    }

    /// Throws if the change does not exist, because another one will get its number. The catalog is asked last: its latest
    /// change may not have reached the feed yet.
    private static func require(_ since: Int64, in registry: Registry, for reader: Reader) throws(Problem) {
        let last = try ResponseCache.ask(reader) { () throws(RegistryError) in try registry.storedTag }
        guard since > last else { return }
        let end = reader.isAnyone ? " (\(last))" : ""
        throw ProblemCatalogue.problem(
            .malformedRequest,
            "\(since) is beyond the last change there is\(end): it is another registry's, or this one was put back to an older "
                + "copy. Look at all you have as if it were new, and begin again without since and Last-Event-ID.")
    }

    static func key(_ part: PageParameters) -> String { "\(part.limit) \(part.after ?? "")" }
}

/// The routes that read releases.
struct ReleaseReading: Sendable {
    let answers: ResponseCache

    /// `GET /v1/bundles/{id}/releases`
    func releases(_ request: borrowing Request, _ bundle: BundleIdentifier) throws -> Answer {
        try QueryLaw.pages.check(request)
        let part = try rethrowing(try PageParameters(request), as: ProblemCatalogue.unreadable)
        let key = CacheKey(.releases, bundle.text, CatalogReading.key(part))
        let root = request.root
        return try answers.document(request, key, about: bundle.text) { registry, reader throws(Problem) in
            let page = try ResponseCache.ask(reader) { () throws(RegistryError) in
                try registry.releases(bundle.text, limit: part.limit, after: part.after)
            }
            var query: QueryText = []
            PageParameters.limit.add(part.limit, to: &query)
            return Document.page(
                page.items.map { ReleaseDocument($0) }, next: page.next.map(PageParameters.cursor), reader,
                at: root + RegistryPath.releases(bundle.text), query)
        }
    }

    /// `GET /v1/bundles/{id}/releases/{key}`
    func release(_ request: borrowing Request, _ bundle: BundleIdentifier, _ key: ReleaseKey) throws -> Answer {
        try answers.document(request, CacheKey(.release, bundle.text, key.text), about: bundle.text) {
            registry, reader throws(Problem) in
            let release = try ResponseCache.ask(reader) { () throws(RegistryError) in
                try registry.release(bundle.text, key.text)
            }
            try ReleaseReading.requireShown(release)
            return Document.json(ReleaseDocument(release), reader)
        }
    }

    /// `GET /v1/bundles/{id}/releases/{key}/report`
    func report(_ request: borrowing Request, _ bundle: BundleIdentifier, _ key: ReleaseKey) throws -> Answer {
        let asText = request.prefersText
        let cacheKey = CacheKey(asText ? .reportText : .report, bundle.text, key.text)
        return try answers.document(request, cacheKey, about: bundle.text) { registry, reader throws(Problem) in
            let (release, report) = try ResponseCache.ask(reader) { () throws(RegistryError) in
                try registry.report(bundle.text, key.text)
            }
            try ReleaseReading.requireShown(release)
            let document = ReleaseDocument(release, report: report)
            return Document.resource(
                asText ? Document.textType : "application/json",
                asText ? try ReleaseReading.text(document) : document.bytes, reader.caching(.briefly),
                variesByType: true)
        }
    }

    /// The text that `widget report` prints.
    private static func text(_ release: ReleaseDocument) throws(Problem) -> [UInt8] {
        let limits = JSONLimits(byteCount: reportByteCount, depth: 16, valueCount: reportValueCount)
        guard let report = release.report, let value = try? report.value(limits) else {
            // Its bytes are the store's own; a later version's may have words that are not known here.
            throw ProblemCatalogue.problem(
                .notAcceptable, "The report is not understood here; ask for it as application/json.")
        }
        return Array(PublicationText(release, value).description.utf8)
    }

    /// Several times what the report on the largest bundle has.
    private static let reportByteCount = 16 << 20
    private static let reportValueCount = 1_000_000

    /// `GET /v1/bundles/{id}/releases/{key}/files`
    func files(_ request: borrowing Request, _ bundle: BundleIdentifier, _ key: ReleaseKey) throws -> Answer {
        try answers.document(request, CacheKey(.files, bundle.text, key.text), about: bundle.text) {
            registry, reader throws(Problem) in
            let files = try ReleaseReading.files(registry, bundle, key, for: reader).files
            return Document.json(PageDocument(files.map(FileDocument.init)), reader)
        }
    }

    /// `GET /v1/bundles/{id}/releases/{key}/diff/{otherKey}`
    func diff(
        _ request: borrowing Request, _ bundle: BundleIdentifier, _ key: ReleaseKey, _ other: ReleaseKey
    ) throws -> Answer {
        try answers.document(request, CacheKey(.diff, bundle.text, key.text, other.text), about: bundle.text) {
            registry, reader throws(Problem) in
            let (old, oldFiles) = try ReleaseReading.files(registry, bundle, key, for: reader)
            let (new, newFiles) = try ReleaseReading.files(registry, bundle, other, for: reader)
            return Document.json(DifferenceDocument(from: old, oldFiles, to: new, newFiles), reader)
        }
    }

    static func files(
        _ registry: Registry, _ bundle: BundleIdentifier, _ key: ReleaseKey, for reader: Reader
    ) throws(Problem) -> (release: Release, files: [ReleaseFile]) {
        let (release, files) = try ResponseCache.ask(reader) { () throws(RegistryError) in
            try registry.files(bundle.text, key.text)
        }
        try requireShown(release)
        return (release, files)
    }

    /// A release that was withdrawn or has expired is listed, and no more than that.
    private static func requireShown(_ release: Release) throws(Problem) {
        if let problem = ProblemCatalogue.gone(release) { throw problem }
    }
}
