internal import JSONText
internal import Plist
package import Zip

/// The most a bundle may ask of us, each with the danger it bounds.
package struct BundleLimits: Equatable, Sendable {
    /// The archive, its names, and its files expanded.
    package var zip = ZipLimits()
    /// Bytes of one file that is read as a whole: JSON, property lists, strings, interfaces, models.
    package var parsedByteCount = 1 << 20
    /// Objects of one property list, or keys and texts of one strings file: what reading it may take of memory.
    package var listObjectCount = 32_768
    /// Pixels of one image: what showing it costs in memory.
    package var pixelCount = 16 << 20

    package init() {}

    /// The limits of an archive that was written here. It names every folder, which what came in need not have done;
    /// an upload of as many entries as are allowed must not be refused for that.
    package var written: ZipLimits {
        var limits = zip
        limits.entryCount = min(zip.entryCount, .max - BundleLimits.addedFolders) + BundleLimits.addedFolders
        return limits
    }

    /// Folders that an archive may imply beyond the entries it is allowed.
    private static let addedFolders = 256

    /// What one JSON file may be.
    var json: JSONLimits { JSONLimits(byteCount: parsedByteCount) }

    /// What one property list may be.
    var plist: PlistLimits { PlistLimits(byteCount: parsedByteCount, objectCount: listObjectCount) }
}

/// Limits of the archive under the names that a bundle has for them.
extension BundleLimits {
    package var archiveByteCount: Int {
        get { zip.archiveByteCount }
        set { zip.archiveByteCount = newValue }
    }
    package var expandedByteCount: Int {
        get { zip.expandedByteCount }
        set { zip.expandedByteCount = newValue }
    }
    package var fileByteCount: Int {
        get { zip.entryByteCount }
        set { zip.entryByteCount = newValue }
    }
    package var entryCount: Int {
        get { zip.entryCount }
        set { zip.entryCount = newValue }
    }
    package var pathDepth: Int {
        get { zip.pathDepth }
        set { zip.pathDepth = newValue }
    }
    package var pathByteCount: Int {
        get { zip.pathByteCount }
        set { zip.pathByteCount = newValue }
    }
    package var ratio: Int {
        get { zip.ratio }
        set { zip.ratio = newValue }
    }
}
