package import Files
internal import Zip

extension BundleIntake {
    /// Takes in a folder: the bundle's own (`Name.bundle` or `Name.app`), one that holds it, or its contents.
    ///
    /// Its files are packed into an archive first, and that archive is taken in like any other, so that a
    /// folder and an archive of it are judged by the same rules. Compression is always the same, so the same
    /// files give the same archive.
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
        let isBundle = (name.hasSuffix(".bundle") || name.hasSuffix(".app")) && paths.contains { $0 == ["Info.plist"] }
        var byteCount = 0
        let directory: ZipDirectory
        do throws(ZipError) {
            var scratch = try ZipScratch(packed)
            var pieces: [ZipPiece] = []
            for components in paths {
                let path = components.joined(separator: "/")
                let entry: ZipName
                do throws(ZipName.Hazard) {
                    entry = try ZipName(isBundle ? "\(name)/\(path)" : path, limits: limits)
                } catch {
                    throw ZipError(.unsafeName(error), entry: path)
                }
                let file: FileDescriptor
                do throws(FileError) {
                    file = try FolderListing.open(components, in: folder)
                } catch {
                    throw ZipError(.file(error), entry: path)
                }
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
        // Packing was the work; what follows is over sooner than it could be told.
        return try take(consume directory, from: archive, original: original, into: target) { _, _ in }
    }
}
