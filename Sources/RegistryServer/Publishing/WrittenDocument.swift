internal import HTTPServer
internal import HTTPWire
internal import Registry
internal import RegistryContract
internal import WidgetBundles

/// What a write is answered with: the thing as it is now, for nobody to keep.
enum WrittenDocument {
    static func response(_ status: Status, _ bytes: [UInt8], _ fields: FieldBlock = FieldBlock()) -> Response {
        var all = FieldBlock([
            "Content-Type": "application/json", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
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

    /// - Parameter report: what happened to this upload, which need not be what happened to the one that was stored.
    /// - Parameter publicURL: what places begin with.
    static func answer(
        _ publication: Publication, _ report: BundleReport, isDryRun: Bool, publicURL: String?
    ) -> Answer {
        var report = report
        for warning in publication.warnings {
            report.warnings.append(BundleWarning(.olderThanChannel, path: "Info.plist", detail: warning.detail))
        }
        let isCreated = publication.outcome == .created
        let bytes = ReleaseDocument(publication.release, isChanged: isCreated, report: report.json).bytes
        guard isCreated, !isDryRun else { return .response(response(.ok, bytes)) }
        let place = RegistryPath.release(publication.release.bundleIdentifier, publication.release.key)
        return .response(response(.created, bytes, FieldBlock(["Location": (publicURL ?? "") + place])))
    }
}
