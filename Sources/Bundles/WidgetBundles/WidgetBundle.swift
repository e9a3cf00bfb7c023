package import JSONText
package import WidgetBytes
package import WidgetZip

/// A bundle that was judged, stripped and written in its canonical form. Bundles in any other state have no value of
/// this type.
package struct WidgetBundle: Equatable, Sendable {
    /// One file of the bundle, and the range of its data in the archive.
    package struct File: Equatable, Sendable {
        /// A part of the entry's name, because the names of thousands of files should be in memory only once.
        let location: Substring
        package let kind: ContentKind
        package let byteCount: Int
        package let digest: Digest
        /// The offset of the entry's data in the archive.
        package let offset: Int
        package let compressedByteCount: Int
        package let method: ZipMethod

        /// The path inside the bundle folder.
        package var path: String { String(location) }
    }

    package let manifest: BundleManifest
    /// The name of the top folder without its extension.
    package let name: String
    /// Files sorted by the bytes of their paths.
    package let files: [File]
    /// Equal for equal files, independent of the packer.
    package let contentDigest: Digest
    /// The digest of the archive.
    package let digest: Digest
    /// The size of the archive.
    package let byteCount: Int

    /// The top folder of the archive.
    package var folder: String { "\(name).bundle" }

    /// Called only by ``BundleIntake``, which has proven all values.
    init(
        manifest: BundleManifest, name: String, files: [File], contentDigest: Digest, written: ZipWritten
    ) {
        self.manifest = manifest
        self.name = name
        self.files = files
        self.contentDigest = contentDigest
        digest = written.digest
        byteCount = written.byteCount
    }
}

/// A digest of a bundle's files: equal for equal files, independent of the packer.
///
/// SHA-256 over `path NUL size NUL sha256 LF` of each file, in the order of their paths' bytes.
package struct ContentDigest: ~Copyable {
    private var sha = SHA256()

    package init() {}

    /// Adds the next file; the caller keeps the order.
    package mutating func add(path: some StringProtocol, byteCount: Int, digest: Digest) {
        sha.update(Array("\(path)\0\(byteCount)\0\(digest.hex)\n".utf8))
    }

    /// `nil` if libcrypto has failed.
    package consuming func finish() -> Digest? { sha.finish() }
}

/// A note to the publisher about a bundle that was accepted.
package struct BundleWarning: Equatable, Sendable {
    package enum Code: String, Equatable, Sendable {
        case versionDefaulted = "version-defaulted"
        case buildDefaulted = "build-defaulted"
        case nameDefaulted = "name-defaulted"
        case separatorsReplaced = "separators-replaced"
        case nameNormalized = "name-normalized"
        /// The archive does not declare the encoding of the name, which was read as UTF-8.
        case nameNotMarked = "name-not-marked"
        /// The bundle was taken out of an archive of Xcode.
        case fromXcodeArchive = "from-xcode-archive"
        /// From a registry: the release was stored, but not put on a channel that shows a higher version.
        case olderThanChannel = "older-than-channel"
        /// From a registry: the channel is new, which may be a typing error.
        case newChannel = "new-channel"
        /// From a registry: a limit of the operator for the bundles of a prefix is near.
        case quotaNear = "quota-near"
    }

    package var code: Code
    /// Empty if it is about no file.
    package var path: String
    package var detail: String

    /// The detail with its place.
    package var sentence: String { path.isEmpty ? detail : "\(path): \(detail)" }

    package init(_ code: Code, path: String, detail: String) {
        self.code = code
        self.path = path
        self.detail = detail
    }
}

extension WidgetBundle {
    /// Writes its files as an array of JSON: the kind of each, and its place in the archive.
    package func writeFiles(to writer: inout JSONWriter) {
        writer.array { writer in
            for file in files {
                writer.object { writer in
                    writer.member("path", file.path)
                    writer.member("size", file.byteCount)
                    writer.member("sha256", file.digest.hex)
                    writer.member("offset", file.offset)
                    writer.member("compressedSize", file.compressedByteCount)
                    writer.member("method", file.method == .stored ? "stored" : "deflate")
                }
            }
        }
    }
}
