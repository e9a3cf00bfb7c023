internal import RegistryClient
internal import RegistryContract
internal import WidgetBundles
internal import WidgetBytes
internal import WidgetFiles
internal import WidgetLogging
internal import WidgetRegistry
internal import WidgetTransfers

/// Brings one bundle to the state that it has at the origin.
///
/// Archives come first, each compared with its digest and judged like an upload, so that a release is here as a whole or not
/// at all. Channels and withdrawals follow in one transaction, as they were at one moment.
struct BundleCopying: Sendable {
    let registry: Registry
    let origin: RemoteRegistry
    /// The directory in which archives lie, without a name, while they come.
    let data: String
    let policy: @Sendable () -> BundlePolicy
    let figures: MirrorFigures
    let logger: Logger

    /// A bundle that is published to more often than it can be read is left for later.
    private static let mostRounds = 5

    /// - Parameters:
    ///   - news: the origin's lines about the bundle since it was last brought up to date; `nil` if they are not known.
    ///   - lines: those of them that the feed here is to have now.
    func bring(_ id: String, news: [RegistryChange]?, telling lines: [RegistryChange]) async throws(MirrorError) {
        // Releases that are gone are described by the list alone.
        var isComplete = news?.contains { [.withdraw, .expire].contains($0.kind) } ?? true
        var adopted: [Release] = []
        for _ in 0..<BundleCopying.mostRounds {
            let before = try await described(id)
            let channels = try Channel.list(before)
            let releases: [Release]
            do throws(MirrorError) {
                releases =
                    isComplete ? try await listed(id) : try await named(before, news ?? [], of: id)
                for release in releases where !release.isGone {
                    if try await adopt(release, of: id) { adopted.append(release) }
                }
            } catch  where error.isAbsence {
                // It was withdrawn after it was named, or has expired.
                isComplete = true
                continue
            }
            // The channels may have moved while the archives came.
            guard try await described(id) == before else { continue }
            let state = MirroredBundle(
                id, releases: releases, isComplete: isComplete, channels: channels, lines: lines, adopted: adopted)
            _ = try rethrowing(as: MirrorError.registry) { () throws(RegistryError) in try registry.follow(state) }
            return
        }
        throw .restless
    }

    // MARK: The origin's documents

    private func described(_ id: String) async throws(MirrorError) -> BundleDocument {
        let document: BundleDocument
        do throws(FetchError) {
            document = try await origin.bundle(id).value
        } catch {
            throw .fetch(error)
        }
        guard document.identifier == id else { throw .contradiction("it gives another bundle for \(id)") }
        return document
    }

    /// Every release, in the order of their versions, and releases of one version as they were published.
    private func listed(_ id: String) async throws(MirrorError) -> [Release] {
        let documents: [RemoteRegistry.DecodedReply<ReleaseDocument>]
        do throws(FetchError) {
            documents = try await origin.releases(of: id)
        } catch {
            throw .fetch(error)
        }
        var releases: [Release] = []
        for document in documents.reversed() { releases.append(try Release(document.value, of: id)) }
        guard Set(releases.map(\.key)).count == releases.count else {
            throw .contradiction("two releases of \(id) have one key")
        }
        return releases
    }

    /// The releases that the lines or the channels name and that may be other than here.
    private func named(
        _ bundle: BundleDocument, _ lines: [RegistryChange], of id: String
    ) async throws(MirrorError) -> [Release] {
        var keys: [String] = []
        for line in lines where [.publish, .restore].contains(line.kind) && !keys.contains(line.release) {
            keys.append(line.release)
        }
        for key in bundle.channels.flatMap({ [$0.release, $0.base].compactMap(\.self) }) where !keys.contains(key) {
            let isShown = try rethrowing(as: MirrorError.registry) { () throws(RegistryError) in
                try registry.shows(id, key)
            }
            if !isShown { keys.append(key) }
        }
        var releases: [Release] = []
        for key in keys { releases.append(try await reported(key, of: id).release) }
        return releases
    }

    private func reported(
        _ key: String, of id: String
    ) async throws(MirrorError) -> (release: Release, report: [UInt8]) {
        let document: ReleaseDocument
        do throws(FetchError) {
            document = try await origin.report(id, key).value
        } catch {
            throw .fetch(error)
        }
        let release = try Release(document, of: id)
        guard release.key == key, let report = document.report,
            (try? report.value(RemoteRegistry.jsonLimits)) != nil
        else { throw .contradiction("the report of \(id) \(key) cannot be read") }
        return (release, report.bytes)
    }

    // MARK: Archives

    /// Stores a release, unless it is here.
    ///
    /// - Returns: true if it was not.
    private func adopt(_ release: Release, of id: String) async throws(MirrorError) -> Bool {
        let words = "\(id) \(release.key)"
        let isHere = try rethrowing(as: MirrorError.registry) { () throws(RegistryError) in
            try registry.holds(release)
        }
        if isHere { return false }
        let policy = policy()
        guard (1...policy.limits.archiveByteCount).contains(release.byteCount) else {
            throw .contradiction(
                "the archive of \(words) has \(release.byteCount) bytes, and limits.upload is \(policy.limits.archiveByteCount)"
            )
        }
        let (described, report) = try await reported(release.key, of: id)
        // It was changed between two answers.
        guard described == release else { throw .restless }
        let stored = try rethrowing(as: MirrorError.registry) { () throws(RegistryError) in
            try registry.storedArchive(release.digest)
        }
        if let stored {
            try take(stored.descriptor, release, report: report, policy)
        } else {
            let file = try await fetched(release)
            try take(file.descriptor, release, report: report, policy)
            figures.change { figures in
                figures.copiedArchives += 1
                figures.copiedByteCount += UInt64(release.byteCount)
            }
        }
        logger.log(
            .info, "mirror.copied", "",
            [
                LogField("bundle", id), LogField("release", release.key), LogField("sha256", release.digest.hex),
                LogField("bytes", stored == nil ? release.byteCount : 0),
            ])
        return true
    }

    private func fetched(_ release: Release) async throws(MirrorError) -> SharedFile {
        let file = try rethrowing(as: MirrorError.file) { () throws(FileError) in
            try FileDescriptor.unnamed(inDirectory: data)
        }
        do throws(FetchError) {
            return try await origin.archive(release.digest, byteCount: release.byteCount, into: file)
        } catch {
            throw .fetch(error)
        }
    }

    /// Judges an archive by the rules for uploads. Writing it anew must give the same bytes: an origin that takes in what it
    /// should not cannot make this server show it.
    private func take(
        _ archive: borrowing FileDescriptor, _ release: Release, report: [UInt8], _ policy: BundlePolicy
    ) throws(MirrorError) {
        let words = "\(release.bundleIdentifier) \(release.key)"
        let target = try rethrowing(as: MirrorError.registry) { () throws(RegistryError) in try registry.stage() }
        let taken: BundleIntake.Taken
        do throws(BundleError) {
            taken = try BundleIntake(policy: policy).take(archive, digest: release.digest, into: target.file)
        } catch {
            throw .archive(release: words, error)
        }
        guard taken.bundle.digest == release.digest else { throw .otherContent(release: words) }
        do throws(RegistryError) {
            try registry.adopt(release, taken, report: report, archive: target)
        } catch .identityMismatch {
            throw .otherContent(release: words)
        } catch {
            throw .registry(error)
        }
    }
}
