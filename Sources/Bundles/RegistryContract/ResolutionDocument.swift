package import JSONText
package import WidgetBytes

/// The releases that a widget identifier leads to.
package struct ResolutionDocument: WireObject, WireDocument, Equatable {
    package static let documentName = "Resolution"
    package static let about =
        "Where a widget identifier leads. The same for every host: which candidate is a host's own, its bucket decides."

    package var widgetIdentifier = ""
    package var bundleIdentifier = ""
    package var channel = ""
    /// Rises with every change of the channel.
    package var sequence = 0
    package var isUpToDate = false
    /// The host is asked to update before it runs an older release again.
    package var isMandatory = false
    package var salt = ""
    package var candidates: [ReleaseCandidate] = []
    /// `nil` if hosts may keep every release that they have.
    package var withdrawn: [WithdrawnReleaseDocument]?

    package init() {}

    package mutating func walk<Walker: MemberWalker>(_ walker: inout Walker) throws(Walker.Failure) {
        try walker.member("widgetIdentifier", &widgetIdentifier, as: .widgetIdentifier)
        try walker.member(
            "bundleIdentifier", &bundleIdentifier, as: .bundleIdentifier,
            "The longest published one that the widget identifier begins with.")
        try walker.member("channel", &channel, as: .channelName)
        try walker.member(
            "sequence", &sequence,
            "Rises with every change of the channel; a host refuses a lower one than it has seen.")
        try walker.unneeded(
            "upToDate", &isUpToDate, "Whether the archive named in have is every candidate's.")
        try walker.member("mandatory", &isMandatory, "Whether to update before the older release is run again.")
        try walker.member("salt", &salt, "Goes into the computation of a host's bucket.")
        try walker.member("candidates", &candidates, "In the order of their buckets.")
        try walker.optional(
            "withdrawn", &withdrawn, "Releases of the bundle that hosts must not continue to show, the newest first.")
    }

    package static let example: ResolutionDocument = {
        var document = ResolutionDocument()
        document.widgetIdentifier = "mobi.favio.WidgetDemo-1"
        document.bundleIdentifier = "mobi.favio.WidgetDemo"
        document.channel = "stable"
        document.sequence = 41
        document.salt = "k3v9"
        document.candidates = [.example]
        return document
    }()
}

/// One of the releases that a channel shows, and the installations it is meant for.
package struct ReleaseCandidate: WireObject, WireDocument, Equatable {
    package static let documentName = "Candidate"
    package static let about = "A release, and the hosts it is for."

    package var buckets = 0..<0
    package var release = ""
    /// Of the archive.
    package var digest = Digest(repeating: 0)
    package var contentDigest = Digest(repeating: 0)
    /// Of the archive.
    package var byteCount = 0
    /// The bundle folder without its extension.
    package var name = ""
    /// Of the archive, as the registry spells it.
    package var url = ""
    package var published = ""
    package var minimumOSVersion: String?
    package var minimumHostVersion: String?
    package var fileList = FileList.files([])

    package init() {}

    package mutating func walk<Walker: MemberWalker>(_ walker: inout Walker) throws(Walker.Failure) {
        try walker.member("buckets", &buckets, "From the first up to, and without, the second.")
        try walker.member("release", &release, as: .releaseKey)
        try walker.member("sha256", &digest, "Of the archive.")
        try walker.member("content", &contentDigest, "Of the files, however they are packed.")
        try walker.member("size", &byteCount, "Bytes of the archive.")
        try walker.member("name", &name, "The archive's top folder without its ending.")
        try walker.member("url", &url, "Where the archive is, for ever.")
        try walker.unneeded("published", &published, as: .time)
        try walker.nullable("minimumOSVersion", &minimumOSVersion, as: .version)
        try walker.nullable("minimumHostVersion", &minimumHostVersion, as: .version)
        try walker.member("files", &fileList)
    }

    package static let example: ReleaseCandidate = {
        var document = ReleaseCandidate()
        document.buckets = 0..<2_500
        document.release = "1.1~7"
        document.digest = Digest(repeating: 0x11)
        document.contentDigest = Digest(repeating: 0x22)
        document.byteCount = 1_503_547
        document.name = "WidgetDemo"
        document.url = RegistryPath.blob(document.digest)
        document.published = "2026-11-21T10:00:00Z"
        document.minimumOSVersion = "10.0"
        document.files = [.example]
        return document
    }()

    /// In the order of the archive; empty for a list that was written before.
    package var files: [FileDocument] {
        get {
            if case .files(let files) = fileList { files } else { [] }
        }
        set { fileList = .files(newValue) }
    }

    /// The files of a release: read by clients, kept as JSON by the server.
    package enum FileList: WireValue, Equatable {
        case files([FileDocument])
        /// A finished JSON array.
        case written([UInt8])

        package static var schema: Schema { [FileDocument].schema }

        package init(json: JSONCursor) throws(JSONError) {
            self = .files(try json.decode())
        }

        package func write(to writer: inout JSONWriter) {
            switch self {
            case .files(let files): files.write(to: &writer)
            case .written(let bytes): writer.finished(bytes)
            }
        }
    }
}

/// A range as a row of its first number and the number behind its last.
extension Range: WireValue, JSONDecodable where Bound == Int {
    package static var schema: Schema { .row(.basisPoints, count: 2) }

    package init(json: JSONCursor) throws(JSONError) {
        let bounds: [Int] = try json.decode()
        // The reader refuses an empty range, with all other impossible ones.
        self = bounds.count == 2 && 0 <= bounds[0] && bounds[0] < bounds[1] ? bounds[0]..<bounds[1] : 0..<0
    }

    package func write(to writer: inout JSONWriter) { [lowerBound, upperBound].write(to: &writer) }
}

/// A file of a release, and the place of its data in the archive.
package struct FileDocument: WireObject, WireDocument, Equatable {
    package static let documentName = "File"
    package static let about = "A file of a release, and the position of its data in the archive."

    /// Inside the bundle folder.
    package var path = ""
    package var byteCount = 0
    package var digest = Digest(repeating: 0)
    package var offset = 0
    package var compressedByteCount = 0
    /// `stored` or `deflate`.
    package var method = "stored"

    private static let methods = Schema.word(["deflate", "stored"])

    package init() {}

    package mutating func walk<Walker: MemberWalker>(_ walker: inout Walker) throws(Walker.Failure) {
        try walker.member("path", &path, "Inside the bundle's folder.")
        try walker.member("size", &byteCount)
        try walker.member("sha256", &digest)
        try walker.member("offset", &offset, "Of the data in the archive, for a Range request.")
        try walker.member("compressedSize", &compressedByteCount)
        try walker.member("method", &method, as: Self.methods)
    }

    package func check(_ json: JSONCursor) throws(JSONError) {
        guard byteCount >= 0, offset >= 0, compressedByteCount >= 0, offset.adding(compressedByteCount) != nil else {
            throw json.error(.unsuitable(expected: "sizes and an offset that a file can have"))
        }
    }

    /// The place of its compressed data in the archive.
    package var dataRange: Range<Int> { offset..<max(offset, offset &+ compressedByteCount) }

    package static let example: FileDocument = {
        var document = FileDocument()
        document.path = "Info.plist"
        document.byteCount = 1_274
        document.digest = Digest(repeating: 0x33)
        document.offset = 94
        document.compressedByteCount = 826
        document.method = "deflate"
        return document
    }()
}

extension FileDocument: ListedDocument {
    package static let pageAbout = "All files of a release."
}
