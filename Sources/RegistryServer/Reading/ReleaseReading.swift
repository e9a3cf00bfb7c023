internal import Bytes
internal import HTTPServer
internal import JSONText
internal import Registry
internal import RegistryContract

/// The routes that read releases.
struct ReleaseReading: Sendable {
    let answers: AnswerCache

    /// `GET /v1/bundles/{id}/releases`
    func releases(_ request: borrowing Request, _ bundle: BundleIdentifier) throws -> Answer {
        try QueryLaw.pages.check(request)
        let part = try rethrowing(try PageParameters(request), as: ProblemCatalogue.unreadable)
        let key = CacheKey(.releases, bundle.text, CatalogReading.key(part))
        return try answers.document(request, key, about: bundle.text) { registry, reader throws(Problem) in
            let page = try AnswerCache.ask(reader) { () throws(RegistryError) in
                try registry.releases(bundle.text, limit: part.limit, after: part.after)
            }
            var query: QueryText = []
            PageParameters.limit.add(part.limit, to: &query)
            return Document.page(
                page.items.map { ReleaseDocument($0) }, next: page.next.map(PageParameters.cursor), reader,
                at: RegistryPath.releases(bundle.text), query)
        }
    }

    /// `GET /v1/bundles/{id}/releases/{key}`
    func release(_ request: borrowing Request, _ bundle: BundleIdentifier, _ key: ReleaseKey) throws -> Answer {
        try answers.document(request, CacheKey(.release, bundle.text, key.text), about: bundle.text) {
            registry, reader throws(Problem) in
            let release = try AnswerCache.ask(reader) { () throws(RegistryError) in
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
            let (release, report) = try AnswerCache.ask(reader) { () throws(RegistryError) in
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

    /// What `widget report` prints.
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
        let (release, files) = try AnswerCache.ask(reader) { () throws(RegistryError) in
            try registry.files(bundle.text, key.text)
        }
        try requireShown(release)
        return (release, files)
    }

    /// A release that was withdrawn is listed, and no more than that.
    private static func requireShown(_ release: Release) throws(Problem) {
        guard let withdrawal = release.withdrawal else { return }
        throw ProblemCatalogue.withdrawn(release.bundleIdentifier, release.key, withdrawal)
    }
}
