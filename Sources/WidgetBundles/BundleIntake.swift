package import Bytes
package import Files
internal import JSONText
internal import Plist
package import Zip

/// Takes in what somebody packed and makes a bundle of it: finds it, judges it, strips it, writes it.
///
/// The server, the publisher's tools and hosts all use this one way in. What it is given is never changed, and
/// what it writes is meant to be a new file whose owner decides when it must survive.
package struct BundleIntake: Sendable {
    package var policy: BundlePolicy
    /// Refuse instead of stripping or warning.
    package var isStrict: Bool

    package init(policy: BundlePolicy = BundlePolicy(), isStrict: Bool = false) {
        self.policy = policy
        self.isStrict = isStrict
    }

    /// A bundle, and what happened to it on its way in.
    package struct Taken: Equatable, Sendable {
        package let bundle: WidgetBundle
        package let report: BundleReport
        /// Of the canonical archive, proven when it was written.
        package let directory: ZipDirectory
    }

    /// Is told how many bytes are done, of how many if that is known.
    package typealias Progress = (_ done: Int, _ total: Int?) -> Void

    /// Takes in an archive and writes its canonical form to `target` from its start.
    ///
    /// - Parameter digest: of the source, when its owner has computed it on the way; it is computed otherwise.
    /// - Complexity: memory for the names of the entries and for the largest file that is read as a whole;
    ///   neither the archive nor its other files are ever in memory.
    package func take(
        _ source: borrowing FileDescriptor, digest: Digest? = nil, into target: borrowing FileDescriptor,
        progress: Progress = { _, _ in }
    ) throws(BundleError) -> Taken {
        let directory: ZipDirectory
        do throws(ZipError) {
            directory = try ZipDirectory(reading: source, limits: policy.limits.zip)
        } catch {
            throw BundleError(error)
        }
        let original = BundleReport.Source(
            digest: try BundleIntake.digest(digest, of: source, byteCount: directory.byteCount),
            byteCount: directory.byteCount)
        return try take(consume directory, from: source, original: original, into: target, progress: progress)
    }

    func take(
        _ directory: consuming ZipDirectory, from source: borrowing FileDescriptor, original: BundleReport.Source,
        into target: borrowing FileDescriptor, progress: Progress
    ) throws(BundleError) -> Taken {
        var sorting = try BundleSorting(copy directory, policy: policy, from: source)
        let findings = try sorting.sortEntries(consume directory, from: source, progress: progress)
        try BundleIntake.requireAllowed(findings)
        let pieces = try sorting.pieces()
        let written: ZipWritten
        do throws(ZipError) {
            written = try ZipWriter.write(
                consume pieces, from: source, to: target, limits: policy.limits.written)
        } catch {
            throw BundleError(error)
        }
        let bundle = try sorting.bundle(written)
        let report = BundleReport(
            kept: bundle.files.map {
                BundleReport.Kept(location: $0.location, kind: $0.kind, byteCount: $0.byteCount, digest: $0.digest)
            },
            stripped: sorting.stripped.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) },
            warnings: sorting.warnings, findings: findings, source: original, contentDigest: bundle.contentDigest,
            digest: bundle.digest, byteCount: bundle.byteCount)
        if isStrict, !report.isClean { throw BundleError(.notStrict(report)) }
        return Taken(bundle: bundle, report: report, directory: written.directory)
    }

    private static func digest(
        _ known: Digest?, of file: borrowing FileDescriptor, byteCount: Int
    ) throws(BundleError) -> Digest {
        if let known { return known }
        var sha = SHA256()
        var window = [UInt8](repeating: 0, count: 64 << 10)
        var offset = 0
        while offset < byteCount {
            do throws(FileError) {
                let filled = try file.read(at: offset, into: &window, count: min(window.count, byteCount - offset))
                guard filled > 0 else { break }
                sha.update(window.span.extracting(0..<filled))
                offset += filled
            } catch {
                throw BundleError(.file(error))
            }
        }
        guard let digest = sha.finish() else { throw BundleError(.outOfMemory) }
        return digest
    }
}
