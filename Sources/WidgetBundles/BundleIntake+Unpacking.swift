package import Bytes
package import Files
internal import Zip

extension BundleIntake {
    /// A bundle that lies in a folder, every file judged.
    package struct Unpacked: Equatable, Sendable {
        package let manifest: BundleManifest
        /// The folder without its extension.
        package let name: String
        /// In the order of their paths' bytes.
        package let files: [File]
        package let contentDigest: Digest
        /// Of all files.
        package let byteCount: Int

        package struct File: Equatable, Sendable {
            /// Inside the bundle folder.
            package let path: String
            package let byteCount: Int
            package let digest: Digest
        }

        package var folder: String { "\(name).bundle" }
    }

    /// Lays out in `folder` the bundle in an archive that a registry served: `folder/Name.bundle/…`.
    ///
    /// A host never trusts a registry, so this reads by the same rules as a registry does. But nothing is repaired or
    /// stripped here: what would have to be shows that no registry has written it. Each byte is read once; memory is
    /// that of ``take(_:digest:into:progress:)``.
    ///
    /// The folder must be empty, and its owner drops it when this throws: files are written before they are judged.
    package func unpack(
        _ source: borrowing FileDescriptor, into folder: borrowing Directory, progress: Progress = { _, _ in }
    ) throws(BundleError) -> Unpacked {
        let directory: ZipDirectory
        do throws(ZipError) {
            directory = try ZipDirectory(reading: source, limits: policy.limits.written)
        } catch {
            throw BundleError(error)
        }
        let byteCount = directory.expandedByteCount
        if let repaired = directory.entries.first(where: { !$0.name.repairs.isEmpty }) {
            throw BundleError(.notCanonical("a name had to be repaired"), path: repaired.name.text)
        }
        var sorting = try BundleSorting(copy directory, policy: policy, from: source)
        guard sorting.layout.prefix == [sorting.folder] else {
            throw BundleError(.notCanonical("its top folder is not \(sorting.folder)"))
        }
        let writer: FolderWriter
        do throws(FileError) {
            writer = FolderWriter(try folder.createDirectory(sorting.folder, mode: 0o700))
        } catch {
            throw BundleError(error)
        }
        let findings = try sorting.sortEntries(
            consume directory, from: source, unpackingTo: writer, progress: progress)
        try BundleIntake.requireAllowed(findings)
        if let stripped = sorting.stripped.first {
            throw BundleError(.notCanonical("this would have been stripped"), path: stripped.path)
        }
        return try sorting.unpacked(byteCount: byteCount)
    }

    static func requireAllowed(_ findings: [Finding]) throws(BundleError) {
        let errors = findings.filter { $0.severity == .error }
        guard let first = errors.first else { return }
        throw BundleError(.policy(errors), path: first.path, line: first.line, column: first.column)
    }
}

extension BundleSorting {
    fileprivate func unpacked(byteCount: Int) throws(BundleError) -> BundleIntake.Unpacked {
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
