internal import WidgetBytes
package import WidgetFiles
internal import WidgetZip

extension BundleIntake {
    /// Takes in a folder: the bundle's own (`Name.bundle` or `Name.app`), one that holds it, or its contents.
    ///
    /// Its files are packed into an archive first, and that archive is taken in like any other, so that a folder and an
    /// archive of it are judged by the same rules. Compression is always the same, so the same files give the same
    /// archive.
    ///
    /// - Parameters:
    ///   - name: the folder's own name.
    ///   - packed, archive: two empty files for work in progress.
    package func take(
        folder: borrowing Directory, named name: String, packed: consuming FileDescriptor,
        archive: borrowing FileDescriptor, into target: borrowing FileDescriptor, progress: Progress = { _, _ in }
    ) throws(BundleError) -> Taken {
        let limits = policy.limits.zip
        let paths = try FolderListing.files(in: folder, limits: policy.limits)
        let isBundle =
            [".bundle", ".app", ".xcarchive"].contains(where: name.hasSuffix) && paths.contains { $0 == ["Info.plist"] }
        var byteCount = 0
        let directory: ZipDirectory
        do throws(ZipError) {
            var scratch = try ZipScratch(packed)
            var pieces: [ZipPiece] = []
            for components in paths {
                let path = components.joined(separator: "/")
                let entry = try rethrowing(
                    try ZipName(isBundle ? "\(name)/\(path)" : path, limits: limits),
                    as: { (error: ZipName.Hazard) in ZipError(.unsafeName(error), entry: path) })
                let file = try rethrowing(
                    try FolderListing.open(components, in: folder),
                    as: { (error: FileError) in ZipError(.file(error), entry: path) })
                let piece = try scratch.add(entry, contentsOf: file, limits: limits)
                byteCount += piece.byteCount
                progress(byteCount, nil)
                pieces.append(piece)
            }
            directory = try ZipWriter.write(pieces, from: scratch.file, to: archive, limits: limits).directory
        } catch {
            throw BundleError(error)
        }
        let original = BundleReport.Source(digest: nil, byteCount: byteCount)
        // Packing was the slow part; the rest is over sooner than its progress could be reported.
        return try take(consume directory, from: archive, original: original, into: target) { _, _ in }
    }

    /// Unpacks the bundle in a registry's archive into `folder`, as `folder/Name.bundle/…`.
    ///
    /// A host never trusts a registry, so this reads by the same rules as a registry does. But it repairs and strips
    /// nothing: an archive that would need it was not written by a registry. Each byte is read once; memory is that of
    /// ``take(_:digest:into:progress:)``.
    ///
    /// The folder must be empty, and its owner discards it when this throws: files are written before they are judged.
    package func unpack(
        _ source: borrowing FileDescriptor, into folder: borrowing Directory, progress: Progress = { _, _ in }
    ) throws(BundleError) -> Unpacked {
        let (directory, layout) = try canonical(source)
        var sorting = layout
        let byteCount = directory.expandedByteCount
        let writer: FolderWriter
        do throws(FileError) {
            writer = FolderWriter(try folder.createDirectory(sorting.folder, mode: 0o700))
        } catch {
            throw BundleError(error)
        }
        let findings = try sorting.sortEntries(
            consume directory, from: source, unpackingTo: writer, progress: progress)
        return try sorting.proven(findings, byteCount: byteCount)
    }
}
