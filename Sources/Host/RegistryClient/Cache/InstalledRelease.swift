package import JSONText
package import RegistryContract
internal import WidgetBundles
package import WidgetBytes
internal import WidgetFiles

/// A release that was verified when it was handed out, ready to be run.
///
/// Its folder stays while this value is referenced, even when newer releases arrive.
package final class InstalledRelease: Sendable {
    package let widgetIdentifier: WidgetIdentifier
    package let record: InstalledRecord
    /// A newer one, which its registry wants to be run instead, was here and is damaged.
    package let mustUpdate: Bool
    /// By path in the bundle folder, as they were found on the disk.
    package let files: [ReleaseFolder.File]
    /// Holds a shared lock, so that other processes do not remove it.
    private let folder: HeldDirectory
    /// Marks the start of an unconfirmed release for as long as this value is referenced.
    private let trial: HeldDirectory?

    init(
        _ widgetIdentifier: WidgetIdentifier, _ record: InstalledRecord, files: [ReleaseFolder.File],
        folder: consuming Directory, mustUpdate: Bool
    ) {
        self.widgetIdentifier = widgetIdentifier
        self.record = record
        self.files = files
        self.folder = HeldDirectory(folder)
        self.mustUpdate = mustUpdate
        trial = nil
    }

    /// The same release, whose start is being tried.
    init(_ release: InstalledRelease, triedBy trial: HeldDirectory) {
        widgetIdentifier = release.widgetIdentifier
        record = release.record
        files = release.files
        folder = release.folder
        mustUpdate = release.mustUpdate
        self.trial = trial
    }

    /// The bundle folder.
    package var path: String { "\(folder.path)/\(record.folder)" }
}

/// A folder with its lock, which ends with the last reference, or with the process, however that ends.
final class HeldDirectory: Sendable {
    private let directory: Directory

    init(_ directory: consuming Directory) { self.directory = directory }

    var path: String { directory.path }
}

/// A release that lies in the cache, as its widget's state file describes it.
package struct InstalledRecord: Equatable, Sendable {
    package var bundleIdentifier: String
    package var release: String
    package var channel: String
    /// Of the archive.
    package var digest: Digest
    package var contentDigest: Digest
    /// Of the archive.
    package var byteCount: Int
    /// Of all files.
    package var expandedByteCount: Int
    /// The bundle folder without its extension.
    package var name: String
    /// Of the archive that is kept here: the registry's, or one of the same files put together from another.
    package var keptDigest: Digest
    package var keptByteCount: Int
    /// True when its registry wants it to replace every older release. Stored with the release, so that the mark has no
    /// effect before the release is here and verified.
    package var isMandatory = false
    /// The address of the registry that it is from; `nil` if an earlier version installed it and two registries are known.
    package var registry: String?

    /// True when this is the release that the registry offers now. Two channels may show one archive, each under
    /// another key; and an archive that was assembled here under a digest need not have the bytes of the registry's
    /// archive.
    func isOffered(by candidate: ReleaseCandidate, of resolution: ResolutionDocument) -> Bool {
        digest == candidate.digest && contentDigest == candidate.contentDigest && release == candidate.release
            && channel == resolution.channel
            && bundleIdentifier == resolution.bundleIdentifier
    }

    /// The bundle folder.
    package var folder: String { "\(name).bundle" }
    /// The release's folder, in the widget's.
    var location: String { digest.hex }
}

extension InstalledRecord: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) {
        bundleIdentifier = try json.require("bundleIdentifier")
        release = try json.require("release")
        channel = try json.require("channel")
        digest = try json.require("sha256")
        contentDigest = try json.require("content")
        byteCount = try InstalledRecord.size("size", json)
        expandedByteCount = try InstalledRecord.size("expandedSize", json)
        name = try json.require("name")
        keptDigest = try json.require("keptSHA256")
        keptByteCount = try InstalledRecord.size("keptSize", json)
        isMandatory = try json.optional("mandatory") ?? false
        registry = try json.optional("registry")
    }

    /// Larger than any archive. Sizes are added up, and the file may have been tampered with.
    private static let largestSize = 1 << 40

    private static func size(_ name: String, _ json: JSONCursor) throws(JSONError) -> Int {
        let size: Int = try json.require(name)
        guard (0...largestSize).contains(size) else { throw json.error(.unsuitable(expected: "sizes of archives")) }
        return size
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("bundleIdentifier", bundleIdentifier)
            writer.member("release", release)
            writer.member("channel", channel)
            writer.member("sha256", digest.hex)
            writer.member("content", contentDigest.hex)
            writer.member("size", byteCount)
            writer.member("expandedSize", expandedByteCount)
            writer.member("name", name)
            writer.member("keptSHA256", keptDigest.hex)
            writer.member("keptSize", keptByteCount)
            if isMandatory { writer.member("mandatory", true) }
            if let registry { writer.member("registry", registry) }
        }
    }
}

/// Verifies that a release on the disk is unchanged since it was installed.
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
        // A release that cannot be read cannot be run either: it is fetched again.
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
