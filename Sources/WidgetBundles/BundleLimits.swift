internal import JSONText
internal import Plist
package import Zip

/// The most a bundle may ask of us, each with the danger it bounds.
package struct BundleLimits: Equatable, Sendable {
    /// Bytes of the archive: what an upload may occupy on disk.
    package var archiveByteCount = 64 << 20
    /// Bytes of all files expanded: what unpacking may occupy.
    package var expandedByteCount = 256 << 20
    /// Bytes of one file expanded.
    package var fileByteCount = 64 << 20
    /// Entries of the archive.
    package var entryCount = 4_096
    /// Components of a path.
    package var pathDepth = 16
    /// Bytes of a path.
    package var pathByteCount = 512
    /// Bytes of one file that is read as a whole: JSON, property lists, strings, interfaces, models.
    package var parsedByteCount = 1 << 20
    /// Objects of one property list, or keys and texts of one strings file: what reading it may take of memory.
    package var listObjectCount = 32_768
    /// Expanded bytes for each compressed byte of an entry over 1 MiB.
    package var ratio = 200
    /// Pixels of one image: what showing it costs in memory.
    package var pixelCount = 16 << 20

    package init() {}

    /// The same limits in the archive layer's words.
    package var zip: ZipLimits {
        var limits = ZipLimits()
        limits.archiveByteCount = archiveByteCount
        limits.expandedByteCount = expandedByteCount
        limits.entryByteCount = fileByteCount
        limits.entryCount = entryCount
        limits.pathDepth = pathDepth
        limits.pathByteCount = pathByteCount
        limits.ratio = ratio
        return limits
    }

    /// The limits of an archive that was written here. It names every folder, which what came in need not have done;
    /// an upload of as many entries as are allowed must not be refused for that.
    package var written: ZipLimits {
        var limits = zip
        limits.entryCount = min(entryCount, .max - BundleLimits.addedFolders) + BundleLimits.addedFolders
        return limits
    }

    /// Folders that an archive may imply beyond the entries it is allowed.
    private static let addedFolders = 256

    /// What one JSON file may be.
    var json: JSONLimits { JSONLimits(byteCount: parsedByteCount) }

    /// What one property list may be.
    var plist: PlistLimits { PlistLimits(byteCount: parsedByteCount, objectCount: listObjectCount) }
}
