package import Bytes
package import Zip

/// A bundle that was judged, stripped and written in its canonical form. There are no others.
package struct WidgetBundle: Equatable, Sendable {
    /// One file of the bundle, and where its data stands in the archive.
    package struct File: Equatable, Sendable {
        /// A part of the entry's name: the names of thousands of files are better held once.
        let location: Substring
        package let kind: ContentKind
        package let byteCount: Int
        package let digest: Digest
        /// Where the entry's data begins in the archive.
        package let offset: Int
        package let compressedByteCount: Int
        package let method: ZipMethod

        /// Inside the bundle folder.
        package var path: String { String(location) }
    }

    package let manifest: BundleManifest
    /// The top folder without its extension.
    package let name: String
    /// In the order of their paths' bytes.
    package let files: [File]
    /// The same for the same files, whoever packed them.
    package let contentDigest: Digest
    /// Of the archive.
    package let digest: Digest
    /// Of the archive.
    package let byteCount: Int

    /// The top folder of the archive.
    package var folder: String { "\(name).bundle" }

    /// Made by ``BundleIntake`` alone, which has proven all of it.
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
