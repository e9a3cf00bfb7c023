internal import Bytes
internal import Files
internal import JSONText
internal import RegistryContract
package import WidgetBundles

extension Registry {
    /// A file in the data directory for an upload or an archive in the making.
    package func stage() throws(RegistryError) -> StagedUpload {
        StagedUpload(staged: try store.stage())
    }

    /// Stores a release and lets its channel show it: all of it, or nothing.
    ///
    /// Whoever does not hear the answer does it again; the same content under the same key changes nothing.
    ///
    /// - Parameter archive: what ``BundleIntake`` has written for `taken`.
    package func publish(
        _ taken: BundleIntake.Taken, archive: consuming StagedUpload, _ request: PublishRequest
    ) throws(RegistryError) -> Publication {
        let draft = try draft(of: taken, request)
        let identifier = taken.bundle.manifest.identifier
        let files = Registry.files(taken)
        let report = Registry.report(taken)
        let channelLimit = options.channelLimit()
        return try publishing.withLock(for: draft.digest) { () throws(RegistryError) in
            var isPlaced = false
            while true {
                // Most refusals come here, before anything is written.
                let decision = try readers.read { catalog throws(RegistryError) in
                    try PublishDecision(
                        draft, of: identifier, request, channelLimit: channelLimit, in: catalog)
                }
                let sidecar = StoreNames.sidecar(draft.digest, draft.key)
                do throws(RegistryError) {
                    if decision.isNew {
                        let note = Sidecar(
                            release: draft.release(of: identifier, shownBy: []), channel: request.channel,
                            rollout: request.rollout, files: files, report: report)
                        try figures.time(.place) { () throws(RegistryError) in
                            if isPlaced {
                                try store.placeBeside(draft.digest, note.bytes, named: sidecar)
                            } else {
                                try store.place(archive.staged, draft.digest, sidecar: note.bytes, named: sidecar)
                            }
                        }
                        isPlaced = true
                    } else if decision.release.digest == draft.digest, try store.open(draft.digest) == nil {
                        // It was lost or moved to quarantine; here are the same bytes again.
                        try store.place(archive.staged, draft.digest)
                        isPlaced = true
                    }
                    if let retired = decision.retired {
                        // It would speak of a withdrawal that is no more.
                        try store.removeBeside(
                            retired.digest, named: StoreNames.tombstone(retired.digest, retired.key))
                    }
                    let publication = try writer.write { catalog, changes throws(RegistryError) -> Publication? in
                        // Decided again: others have written since. What has become new by that has no files yet.
                        let again = try PublishDecision(
                            draft, of: identifier, request, channelLimit: channelLimit, in: catalog)
                        if again.isNew, !decision.isNew { return nil }
                        return try catalog.carryOut(
                            again, of: identifier, files: files, report: report, request, at: draft.published, &changes)
                    }
                    if let publication { return publication }
                } catch {
                    if decision.isNew { discard(draft, sidecar: sidecar, after: error) }
                    throw error
                }
            }
        }
    }

    /// Says what publishing would come to, with the same refusals, and stores nothing.
    package func judge(
        _ taken: BundleIntake.Taken, _ request: PublishRequest
    ) throws(RegistryError) -> Publication {
        let draft = try draft(of: taken, request)
        let identifier = taken.bundle.manifest.identifier
        return try readers.read { catalog throws(RegistryError) in
            let decision = try PublishDecision(
                draft, of: identifier, request, channelLimit: options.channelLimit(), in: catalog)
            return try catalog.prospect(
                decision, of: identifier, report: Registry.report(taken), request, at: draft.published)
        }
    }

    /// The release as it would be stored; its numbers are not known yet.
    private func draft(of taken: BundleIntake.Taken, _ request: PublishRequest) throws(RegistryError) -> ReleaseRow {
        guard ChannelName.isName(request.channel) else { throw .invalidChannelName(request.channel) }
        guard (0...Rollout.bucketCount).contains(request.rollout) else { throw .invalidRollout(request.rollout) }
        let bundle = taken.bundle
        let manifest = bundle.manifest
        let isSnapshot = options.snapshotChannels.contains(request.channel)
        let key =
            isSnapshot ? "\(manifest.releaseKey)+\(bundle.contentDigest.hex.prefix(12))" : manifest.releaseKey
        if let asserted = request.assertedIdentifier, asserted != manifest.identifier {
            throw .identityMismatch(expected: asserted, found: manifest.identifier)
        }
        // Who asserts a snapshot may not know its content digest, so the version alone will do.
        if let asserted = request.assertedKey, asserted != key, asserted != manifest.releaseKey {
            throw .identityMismatch(expected: asserted, found: key)
        }
        return ReleaseRow(
            id: 0, bundle: 0, key: key, shortVersion: manifest.shortVersion, build: manifest.build, name: bundle.name,
            version: VersionOrder.key(shortVersion: manifest.shortVersion, build: manifest.build),
            isSnapshot: isSnapshot, digest: bundle.digest, contentDigest: bundle.contentDigest,
            byteCount: bundle.byteCount, published: options.now(), publishedBy: request.by,
            minimumOSVersion: manifest.minimumOSVersion, minimumHostVersion: manifest.minimumHostVersion)
    }

    static func files(_ taken: BundleIntake.Taken) -> [UInt8] {
        var writer = JSONWriter(reservingBytes: taken.bundle.files.count * 160)
        taken.bundle.writeFiles(to: &writer)
        return writer.bytes
    }

    static func report(_ taken: BundleIntake.Taken) -> [UInt8] {
        var writer = JSONWriter(reservingBytes: 4 << 10)
        taken.report.write(to: &writer)
        return writer.bytes
    }

    /// Removes what was placed for a release that did not come to be.
    private func discard(_ draft: ReleaseRow, sidecar: String, after error: RegistryError) {
        // When the disk failed while the catalog was being written, the release may be found in it after a restart.
        // Then its files must be there; and if it is not found, nothing refers to them.
        if case .database = error { return }
        guard
            let owners = try? readers.read({ catalog throws(RegistryError) in
                try catalog.releases(withDigest: draft.digest, limit: 100)
            })
        else { return }
        // The same archive may belong to another release, under another key.
        if !owners.contains(where: { $0.key == draft.key }) {
            store.discard(draft.digest, sidecar: sidecar, withBlob: owners.isEmpty)
        }
    }
}
