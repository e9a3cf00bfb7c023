package import Bytes
internal import Files
internal import WidgetBundles

/// Proves that a release on the disk is what was installed.
package enum ReleaseFolder {
    package struct File: Equatable, Sendable {
        package var path: String
        package var byteCount: Int
        package var digest: Digest
    }

    private static let windowByteCount = 64 << 10

    /// The files under a release's folder; `nil` unless they are exactly those that were installed.
    static func verified(
        _ record: InstalledRecord, in folder: borrowing Directory, limits: BundleLimits
    ) -> [File]? {
        // Whatever keeps it from being read keeps it from being run: it is fetched again.
        guard let bundle = try? folder.openDirectory(record.folder),
            let contents = contents(of: bundle, byteLimit: record.expandedByteCount, limits: limits),
            let others = try? folder.items(limit: 1)?.count, others == 1
        else { return nil }
        return contents.digest == record.contentDigest ? contents.files : nil
    }

    /// The files of a bundle folder and its content digest; `nil` when it cannot be read, or is more than it may be.
    static func contents(
        of bundle: borrowing Directory, byteLimit: Int, limits: BundleLimits
    ) -> (files: [File], digest: Digest)? {
        guard let paths = try? FolderListing.files(in: bundle, limits: limits) else { return nil }
        var files: [File] = []
        files.reserveCapacity(paths.count)
        var left = byteLimit
        var window = [UInt8](repeating: 0, count: windowByteCount)
        for path in paths {
            guard let file = try? FolderListing.open(path, in: bundle),
                let found = try? digest(of: file, limit: left, window: &window)
            else { return nil }
            left -= found.byteCount
            files.append(
                File(path: path.joined(separator: "/"), byteCount: found.byteCount, digest: found.digest))
        }
        files.sort { $0.path.byteOrder($1.path) < 0 }
        var content = ContentDigest()
        for file in files { content.add(path: file.path, byteCount: file.byteCount, digest: file.digest) }
        return content.finish().map { (files, $0) }
    }

    /// The digest of a whole file, which must not be larger than `limit`.
    static func digest(
        of file: borrowing FileDescriptor, limit: Int, window: inout [UInt8]
    ) throws(FileError) -> (byteCount: Int, digest: Digest)? {
        var sha = SHA256()
        var offset = 0
        while true {
            let count = try file.read(at: offset, into: &window, count: window.count)
            if count == 0 { break }
            offset += count
            guard offset <= limit else { return nil }
            sha.update(window.span.extracting(0..<count))
        }
        return sha.finish().map { (offset, $0) }
    }
}
