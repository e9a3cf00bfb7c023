/// Something that was accepted, and that its publisher should know.
package struct BundleWarning: Equatable, Sendable {
    package enum Code: String, Equatable, Sendable {
        case versionDefaulted = "version-defaulted"
        case buildDefaulted = "build-defaulted"
        case nameDefaulted = "name-defaulted"
        case separatorsReplaced = "separators-replaced"
        case nameNormalized = "name-normalized"
        /// The bundle was taken out of an archive of Xcode.
        case fromXcodeArchive = "from-xcode-archive"
        /// A registry's: the release was stored, and not put on a channel that shows a higher version.
        case olderThanChannel = "older-than-channel"
        /// A registry's: the channel did not exist before, which a slip of the pen looks like.
        case newChannel = "new-channel"
    }

    package var code: Code
    package var path: String
    package var detail: String

    package init(_ code: Code, path: String, detail: String) {
        self.code = code
        self.path = path
        self.detail = detail
    }
}
