internal import JSONText
internal import WidgetPlist
package import WidgetZip

/// Limits on bundles, each with the danger it bounds.
package struct BundleLimits: Equatable, Sendable {
    /// Limits on the archive, its names, and the size of its files when expanded.
    package var zip = ZipLimits()
    /// Bytes of one file that is read as a whole: JSON, property lists, strings, interfaces, models.
    package var parsedByteCount = 1 << 20
    /// Objects of one property list, or keys and texts of one strings file: bounds the memory for reading it.
    package var listObjectCount = 32_768
    /// Pixels of one image: bounds the memory for showing it.
    package var pixelCount = 16 << 20

    package init() {}

    /// The limits of a canonical archive. It has an entry for every folder, which the input need not have; an upload
    /// with the largest allowed number of entries must not be refused for that.
    package var written: ZipLimits {
        var limits = zip
        limits.entryCount = min(zip.entryCount, .max - BundleLimits.addedFolders) + BundleLimits.addedFolders
        return limits
    }

    /// The number of folders that an archive may imply beyond its allowed entries.
    private static let addedFolders = 256

    /// The limits on one JSON file.
    var json: JSONLimits { JSONLimits(byteCount: parsedByteCount) }

    /// The limits on one property list.
    var plist: PlistLimits { PlistLimits(byteCount: parsedByteCount, objectCount: listObjectCount) }
}

/// Limits of the archive under their names for bundles.
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

/// The kinds of files that a registry or a publisher accepts in bundles.
///
/// The defaults are the strictest that bundles of the framework can work with. A pattern does not exempt files from
/// judgement by their content: a policy cannot let executables in.
package struct BundlePolicy: Equatable, Sendable {
    /// Patterns of files to keep. A pattern without `/` is matched with a file's name, one with `/` with as many of its
    /// last components; `*` stands for any characters within a component, case does not count.
    package var kept: [String] = BundlePolicy.defaultKept
    package var limits = BundleLimits()

    package init() {}

    package static let defaultKept = [
        "Info.plist", "*.json", "*.plist", "*.strings", "*.stringsdict",
        "*.nib", "*.mom", "*.momd/*.omo", "*.car",
        "*.png", "*.jpg", "*.jpeg", "*.gif", "*.heic", "*.webp",
        "*.ttf", "*.otf",
    ]
}
