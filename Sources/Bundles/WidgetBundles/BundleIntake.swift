internal import JSONText
package import WidgetBytes
package import WidgetFiles
package import WidgetFindings
internal import WidgetPlist
package import WidgetZip

/// Makes a bundle of a publisher's archive or folder: finds it, judges it, strips it, writes it.
///
/// The server, the publisher's tools and hosts share this one way in. The input is never changed, and the output is
/// meant to be a new file, whose owner decides when it must survive.
package struct BundleIntake: Sendable {
    package var policy: BundlePolicy
    /// True to refuse the bundle instead of stripping it or warning.
    package var isStrict: Bool

    package init(policy: BundlePolicy = BundlePolicy(), isStrict: Bool = false) {
        self.policy = policy
        self.isStrict = isStrict
    }

    /// A bundle, and the report on its intake.
    package struct Taken: Equatable, Sendable {
        package let bundle: WidgetBundle
        package let report: BundleReport
        /// The directory of the canonical archive, proven when it was written.
        package let directory: ZipDirectory

        /// The same bundle with more findings in its report, before and after the others.
        package func adding(first: [Finding] = [], last: [Finding] = []) -> Taken {
            var report = report
            report.findings = first + report.findings + last
            return Taken(bundle: bundle, report: report, directory: directory)
        }

        /// Refuses a bundle with anything in its report, as strict publishing does.
        package func requireClean() throws(BundleError) {
            if !report.isClean { throw BundleError(.notStrict(report)) }
        }
    }

    /// Receives the number of bytes done, and the total if it is known.
    package typealias Progress = (_ done: Int, _ total: Int?) -> Void

    /// Takes in an archive and writes its canonical form to the start of `target`.
    ///
    /// - Parameter digest: of the source, when its owner has computed it on the way; it is computed otherwise.
    /// - Complexity: memory for the names of the entries and for the largest file that is read as a whole;
    ///   neither the archive nor its other files are ever in memory.
    package func take(
        _ source: borrowing FileDescriptor, digest: Digest? = nil, into target: borrowing FileDescriptor,
        progress: Progress = { _, _ in }
    ) throws(BundleError) -> Taken {
        let directory = try rethrowing(
            try ZipDirectory(reading: source, limits: policy.limits.zip),
            as: { (error: ZipError) in BundleError(error) })
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
        let whole = WholeFindings.of(bundle, sorting)
        let report = BundleReport(
            kept: bundle.files.map {
                BundleReport.Kept(location: $0.location, kind: $0.kind, byteCount: $0.byteCount, digest: $0.digest)
            },
            stripped: sorting.stripped.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) },
            warnings: sorting.warnings, findings: whole + findings, source: original,
            contentDigest: bundle.contentDigest,
            digest: bundle.digest, byteCount: bundle.byteCount)
        let taken = Taken(bundle: bundle, report: report, directory: written.directory)
        if isStrict { try taken.requireClean() }
        return taken
    }

    private static func digest(
        _ known: Digest?, of file: borrowing FileDescriptor, byteCount: Int
    ) throws(BundleError) -> Digest {
        if let known { return known }
        var sha = SHA256()
        var window = [UInt8](repeating: 0, count: 64 << 10)
        do throws(FileError) {
            try file.forEachPiece(of: 0..<byteCount, through: &window) { sha.update($0) }
        } catch {
            throw BundleError(.file(error))
        }
        guard let digest = sha.finish() else { throw BundleError(.outOfMemory) }
        return digest
    }
}

extension BundleIntake {
    /// A bundle in a folder, every file judged.
    package struct Unpacked: Equatable, Sendable {
        package let manifest: BundleManifest
        /// The folder without its extension.
        package let name: String
        /// Files sorted by the bytes of their paths.
        package let files: [File]
        package let contentDigest: Digest
        /// The total size of all files.
        package let byteCount: Int

        package struct File: Equatable, Sendable {
            /// The path inside the bundle folder.
            package let path: String
            package let byteCount: Int
            package let digest: Digest
        }

        package var folder: String { "\(name).bundle" }
    }

    /// Reads the directory and the manifest of an archive that a registry has written, and judges no file.
    package func open(
        _ source: borrowing FileDescriptor
    ) throws(BundleError) -> (manifest: BundleManifest, folder: String, directory: ZipDirectory) {
        let directory = try rethrowing(
            try ZipDirectory(reading: source, limits: policy.limits.written),
            as: { (error: ZipError) in BundleError(error) })
        let sorting = try BundleSorting(directory, policy: policy, from: source)
        guard sorting.layout.prefix == [sorting.folder] else {
            throw BundleError(.notCanonical("its top folder is not \(sorting.folder)"))
        }
        return (sorting.manifest, sorting.folder, directory)
    }

    /// Judges every file of an archive that a registry has written, as hosts do. Nothing is repaired or stripped: an archive
    /// that would need it was not written by a registry.
    package func prove(_ source: borrowing FileDescriptor) throws(BundleError) -> Unpacked {
        let (directory, layout) = try canonical(source)
        var sorting = layout
        let byteCount = directory.expandedByteCount
        let findings = try sorting.sortEntries(consume directory, from: source, progress: { _, _ in })
        return try sorting.proven(findings, byteCount: byteCount)
    }

    /// The directory of an archive, and the sorting of its files, which has not begun.
    func canonical(
        _ source: borrowing FileDescriptor
    ) throws(BundleError) -> (directory: ZipDirectory, sorting: BundleSorting) {
        let directory = try rethrowing(
            try ZipDirectory(reading: source, limits: policy.limits.written),
            as: { (error: ZipError) in BundleError(error) })
        if let repaired = directory.entries.first(where: { !$0.name.repairs.isEmpty }) {
            throw BundleError(.notCanonical("a name had to be repaired"), path: repaired.name.text)
        }
        let sorting = try BundleSorting(directory, policy: policy, from: source)
        guard sorting.layout.prefix == [sorting.folder] else {
            throw BundleError(.notCanonical("its top folder is not \(sorting.folder)"))
        }
        return (directory, sorting)
    }

    static func requireAllowed(_ findings: [Finding]) throws(BundleError) {
        let errors = findings.filter { $0.severity == .error }
        guard let first = errors.first else { return }
        throw BundleError(
            .policy(errors), path: first.place?.file, line: first.place?.line, column: first.place?.column)
    }
}

extension BundleSorting {
    /// The files, if each may stay as it is.
    func proven(_ findings: [Finding], byteCount: Int) throws(BundleError) -> BundleIntake.Unpacked {
        try BundleIntake.requireAllowed(findings)
        if let stripped = stripped.first {
            throw BundleError(.notCanonical("this would have been stripped"), path: stripped.path)
        }
        return try unpacked(byteCount: byteCount)
    }

    private func unpacked(byteCount: Int) throws(BundleError) -> BundleIntake.Unpacked {
        var content = ContentDigest()
        let files = kept.map { file in
            content.add(path: file.location, byteCount: file.piece.byteCount, digest: file.digest)
            return BundleIntake.Unpacked.File(
                path: String(file.location), byteCount: file.piece.byteCount, digest: file.digest)
        }
        guard let digest = content.finish() else { throw BundleError(.outOfMemory) }
        return BundleIntake.Unpacked(
            manifest: manifest, name: name, files: files, contentDigest: digest, byteCount: byteCount)
    }
}
