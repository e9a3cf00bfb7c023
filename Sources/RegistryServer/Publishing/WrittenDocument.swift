internal import HTTPServer
internal import HTTPWire
internal import Registry
internal import RegistryContract
internal import WidgetBundles

/// What a write is answered with: the thing as it is now, for nobody to keep.
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
            contentsOf: publication.warnings.map { BundleWarning($0.code, path: "Info.plist", detail: $0.detail) },
            at: 0)
        let isCreated = publication.outcome == .created
        var document = ReleaseDocument(
            publication.release, isChanged: isCreated, report: asText ? nil : report.json)
        document.isDryRun = isDryRun ? true : nil
        let bytes = asText ? Array(PublicationText(document, report).description.utf8) : document.bytes
        let mediaType = asText ? Document.textType : "application/json"
        guard isCreated, !isDryRun else { return .response(response(.ok, bytes, mediaType: mediaType)) }
        let place = RegistryPath.release(publication.release.bundleIdentifier, publication.release.key)
        return .response(
            response(.created, bytes, FieldBlock(["Location": (publicURL ?? "") + place]), mediaType: mediaType))
    }
}
