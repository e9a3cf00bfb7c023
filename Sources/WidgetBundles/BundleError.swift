package import Files
package import JSONText
package import Plist
package import Zip

/// Why a bundle was refused, or could not be processed, and where.
package struct BundleError: Error, Equatable, Sendable {
    /// One case for each sentence a publisher could be told.
    package enum Reason: Equatable, Sendable {
        case archive(ZipError)

        // Layout.
        case noBundle
        case tooManyEntries(limit: Int)
        case severalBundles(first: String, second: String)
        case besideBundle
        case unnamedBundle
        case unusableName(String)
        case unsafePath(ZipName.Hazard)

        // The information dictionary.
        case infoPlistMissing
        case infoPlist(PlistError)
        case infoPlistNotDictionary
        case infoPlistKey(String, ManifestFault)

        // Content.
        case disguised(name: ContentKind, content: ContentKind)
        case format(ContentKind, FormatFault)
        case plist(ContentKind, PlistError)
        case json(JSONError)
        case tooLargeToRead(limit: Int)

        // Verdicts on the whole.
        case policy([Finding])
        case notStrict(BundleReport)
        /// A registry writes archives in another form.
        case notCanonical(String)

        // Folders.
        case notAFile
        case tooManyFiles(limit: Int)
        case nameNotUTF8

        // Failures, not refusals.
        case file(FileError)
        case outOfMemory
    }

    package var reason: Reason
    /// The file it is about, by its path in what was handed in; text safe to print.
    package var path: String?
    /// Where in the archive, or in the file at `path` when its content is at fault.
    package var offset: Int?
    package var line: Int?
    package var column: Int?

    init(_ reason: Reason, path: String? = nil, offset: Int? = nil, line: Int? = nil, column: Int? = nil) {
        self.reason = reason
        self.path = path
        self.offset = offset
        self.line = line
        self.column = column
    }

    package init(_ error: ZipError) {
        self.init(.archive(error), path: error.entry, offset: error.offset)
    }

    /// Whether there was no room on the disk.
    package var isOutOfSpace: Bool {
        switch reason {
        case .file(let error): error.isOutOfSpace
        case .archive(let error): error.isOutOfSpace
        default: false
        }
    }

    /// Whether the bundle is to blame, rather than the machine.
    package var isRefusal: Bool { code != .internal }
}
