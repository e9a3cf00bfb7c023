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
                let file = try FolderListing.open(components, in: folder)
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

/// The files under a folder, found one level at a time.
private enum FolderListing {
    /// The files' paths; links and devices are refused wherever they are.
    ///
    /// The depth of the folder decides nothing but the length of a list, and is bounded besides.
    static func files(in folder: borrowing Directory, limits: BundleLimits) throws(BundleError) -> [[String]] {
        var files: [[String]] = []
        var pending: [[String]] = [[]]
        var count = 0
        while let components = pending.popLast() {
            guard components.count < limits.pathDepth else {
                throw BundleError(.unsafePath(.tooDeep(limits.pathDepth)), path: components.joined(separator: "/"))
            }
            for item in try items(of: components, in: folder, limit: limits.entryCount - count) {
                count += 1
                let path = components + [item.name]
                switch item.status.kind {
                case .file: files.append(path)
                case .directory: pending.append(path)
                case .link, .other: throw BundleError(.notAFile, path: path.joined(separator: "/"))
                }
            }
        }
        return files
    }

    private static func items(
        of components: [String], in folder: borrowing Directory, limit: Int
    ) throws(BundleError) -> [Directory.Item] {
        let items: [Directory.Item]?
        do throws(FileError) {
            items = try descend(components, in: folder) { (directory) throws(FileError) in
                try directory.items(limit: limit)
            }
        } catch {
            throw BundleError(.file(error))
        }
        guard let items else { throw BundleError(.tooManyFiles(limit: limit)) }
        return items
    }

    static func open(_ components: [String], in folder: borrowing Directory) throws(ZipError) -> FileDescriptor {
        do throws(FileError) {
            return try open(components[...], in: folder)
        } catch {
            throw ZipError(.file(error), entry: components.joined(separator: "/"))
        }
    }

    private static func open(
        _ components: ArraySlice<String>, in folder: borrowing Directory
    ) throws(FileError) -> FileDescriptor {
        guard let first = components.first, let last = components.last else { return try folder.openFile("") }
        if components.count == 1 { return try folder.openFile(last) }
        var directory = try folder.openDirectory(first)
        for component in components.dropFirst().dropLast() { directory = try directory.openDirectory(component) }
        return try directory.openFile(last)
    }

    private static func descend(
        _ components: [String], in folder: borrowing Directory,
        _ body: (borrowing Directory) throws(FileError) -> [Directory.Item]?
    ) throws(FileError) -> [Directory.Item]? {
        guard let first = components.first else { return try body(folder) }
        var directory = try folder.openDirectory(first)
        for component in components.dropFirst() { directory = try directory.openDirectory(component) }
        return try body(directory)
    }
}
