internal import Bytes
internal import HTTPServer
internal import Registry
internal import RegistryContract

/// The routes by which hosts get from a widget identifier to a release.
struct WidgetReading: Sendable {
    let answers: AnswerCache

    /// `GET /v1/widgets/{widgetIdentifier}`
    func resolve(_ request: borrowing Request, _ widget: WidgetIdentifier) throws -> Answer {
        let reader = try reader(request, of: widget)
        let parameters = try WidgetReading.parameters(request)
        let key = CacheKey(.resolution, widget, parameters)
        let variant = AnswerCache.Variant(have: parameters.have)
        if let answer = answers.cached(key, variant, for: reader) { return answer }
        return answers.load(key, variant, for: reader) { registry, have throws(Problem) in
            let resolution = try WidgetReading.resolution(registry, widget, parameters, reader)
            let onlyArchive = resolution.onlyArchive
            let document = ResolutionDocument(
                resolution, for: widget.text, isUpToDate: have != nil && have == onlyArchive)
            let cost = resolution.candidates.reduce(AnswerCache.overhead + key.text.utf8.count * 2) {
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
        let variant = AnswerCache.Variant(bucket: parameters.bucket ?? Rollout.lastBucket, name: name)
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
        answers.archives.answer(blob.digest, for: try answers.reader(request))
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

    private static func resolution(
        _ registry: Registry, _ widget: WidgetIdentifier, _ parameters: ResolveParameters, _ reader: Reader
    ) throws(Problem) -> Resolution {
        try AnswerCache.ask(reader) { () throws(RegistryError) in
            try registry.resolve(
                ResolveQuery(
                    widgetIdentifier: widget.text, channel: parameters.channel ?? ChannelName.standard,
                    os: parameters.os, host: parameters.host, pin: parameters.pin, isVisible: { reader.sees($0) }))
        }
    }
}

extension Resolution {
    /// The archive that every host gets, whatever its bucket; `nil` while there are several.
    fileprivate var onlyArchive: Digest? {
        let digests = Set(candidates.map(\.release.digest))
        return digests.count == 1 ? digests.first : nil
    }
}
