package import Bytes
package import Transfers

/// An archive on its way to a registry, and what is to become of it.
package struct Publication: Sendable {
    package var archive: FileRegion
    /// Of the archive. The registry refuses other bytes.
    package var digest: Digest
    package var channel: String?
    /// In basis points.
    package var rollout: Int?
    package var isDryRun = false
    package var isStrict = false
    /// Puts it on the channel although that shows a higher version.
    package var forcesPromotion = false

    package init(_ archive: FileRegion, digest: Digest) {
        self.archive = archive
        self.digest = digest
    }

    fileprivate var query: [(name: String, value: String)] {
        var query: [(name: String, value: String)] = []
        if let channel { query.append(("channel", channel)) }
        if let rollout { query.append(("rollout", String(rollout))) }
        if isDryRun { query.append(("dryRun", "true")) }
        if isStrict { query.append(("strict", "true")) }
        if forcesPromotion { query.append(("promote", "force")) }
        return query
    }
}

extension RemoteRegistry {
    /// Publishes an archive. The body is sent when the registry has said that it wants it, and comes with its digest.
    package func publish(
        _ publication: Publication, progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(FetchError) -> Told<PublishedRelease> {
        var request = try request(.post, "/v1/bundles", publication.query)
        request.body = .file(publication.archive)
        request.expectsContinue = true
        request.uploadProgress = progress
        request.fields += [
            TransferField("Content-Type", "application/zip"),
            TransferField("Content-Digest", "sha-256=:\(publication.digest.base64):"),
        ]
        // A large archive over a slow line takes its time, and so does checking it.
        request.limits.total = .seconds(3_600)
        request.limits.stall = .seconds(120)
        return try await ask(request)
    }
}
