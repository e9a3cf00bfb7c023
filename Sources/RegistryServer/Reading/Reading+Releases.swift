internal import HTTPServer
internal import Registry

extension Reading {
    /// `GET /v1/bundles/{id}/releases`
    func releases(_ request: borrowing Request, _ bundle: BundleIdentifier) throws -> Answer {
        let part = try PageParameters(request)
        return try document(request, DocumentKey(.releases, bundle.text, part.key), about: bundle.text) {
            registry, reader throws(Problem) in
            let page = try Reading.ask(reader) { () throws(RegistryError) in
                try registry.releases(bundle.text, limit: part.limit, after: part.after)
            }
            let next = page.next.map(PageParameters.cursor)
            var draft = Draft(PageDocument.bytes(page.items, next: next) { ReleaseDocument.write($0, to: &$1) })
            draft.fields = PageParameters.link(
                "\(Place.bundle(bundle.text))/releases", ["limit": String(part.limit)],
                next: next.map { "cursor=\($0)" })
            return draft
        }
    }

    /// `GET /v1/bundles/{id}/releases/{key}`
    func release(_ request: borrowing Request, _ bundle: BundleIdentifier, _ key: ReleaseKey) throws -> Answer {
        try document(request, DocumentKey(.release, bundle.text, key.text), about: bundle.text) {
            registry, reader throws(Problem) in
            let release = try Reading.ask(reader) { () throws(RegistryError) in
                try registry.release(bundle.text, key.text)
            }
            try Reading.requireShown(release)
            return Draft(ReleaseDocument.bytes(release))
        }
    }

    /// `GET /v1/bundles/{id}/releases/{key}/report`
    func report(_ request: borrowing Request, _ bundle: BundleIdentifier, _ key: ReleaseKey) throws -> Answer {
        try document(request, DocumentKey(.report, bundle.text, key.text), about: bundle.text) {
            registry, reader throws(Problem) in
            let (release, report) = try Reading.ask(reader) { () throws(RegistryError) in
                try registry.report(bundle.text, key.text)
            }
            try Reading.requireShown(release)
            return Draft(ReleaseDocument.bytes(release, report: report))
        }
    }

    /// `GET /v1/bundles/{id}/releases/{key}/files`
    func files(_ request: borrowing Request, _ bundle: BundleIdentifier, _ key: ReleaseKey) throws -> Answer {
        try document(request, DocumentKey(.files, bundle.text, key.text), about: bundle.text) {
            registry, reader throws(Problem) in
            let files = try Reading.files(registry, bundle, key, for: reader).files
            return Draft(PageDocument.bytes(files, next: nil) { FileDocument.write($0, to: &$1) })
        }
    }

    /// `GET /v1/bundles/{id}/releases/{key}/diff/{otherKey}`
    func diff(
        _ request: borrowing Request, _ bundle: BundleIdentifier, _ key: ReleaseKey, _ other: ReleaseKey
    ) throws -> Answer {
        try document(request, DocumentKey(.diff, bundle.text, key.text, other.text), about: bundle.text) {
            registry, reader throws(Problem) in
            let (old, oldFiles) = try Reading.files(registry, bundle, key, for: reader)
            let (new, newFiles) = try Reading.files(registry, bundle, other, for: reader)
            return Draft(DifferenceDocument.bytes(ReleaseDifference(from: oldFiles, to: newFiles), from: old, to: new))
        }
    }

    static func files(
        _ registry: Registry, _ bundle: BundleIdentifier, _ key: ReleaseKey, for reader: Reader
    ) throws(Problem) -> (release: Release, files: [ReleaseFile]) {
        let (release, files) = try ask(reader) { () throws(RegistryError) in try registry.files(bundle.text, key.text) }
        try requireShown(release)
        return (release, files)
    }

    /// A release that was taken back is listed, and no more than that.
    private static func requireShown(_ release: Release) throws(Problem) {
        guard let withdrawal = release.withdrawal else { return }
        throw ProblemCatalogue.withdrawn(release.bundleIdentifier, release.key, withdrawal)
    }
}
