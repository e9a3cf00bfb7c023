package import Bytes

/// What happened to a bundle on its way in.
package struct BundleReport: Equatable, Sendable {
    package struct Kept: Equatable, Sendable {
        /// A part of the entry's name, as in ``WidgetBundle/File``.
        let location: Substring
        package var kind: ContentKind
        package var byteCount: Int
        package var digest: Digest

        package var path: String { String(location) }
    }

    package struct Stripped: Equatable, Sendable {
        /// The path in what was handed in.
        package var path: String
        package var kind: ContentKind
        package var rule: StripRule
        package var byteCount: Int
        package var digest: Digest
    }

    /// What was handed in. A folder has no digest.
    package struct Source: Equatable, Sendable {
        package var digest: Digest?
        package var byteCount: Int

        package init(digest: Digest?, byteCount: Int) {
            self.digest = digest
            self.byteCount = byteCount
        }
    }

    /// By path inside the bundle folder, in the order of their bytes.
    package var kept: [Kept]
    package var stripped: [Stripped]
    package var warnings: [BundleWarning]
    /// Those of severity `warning`, those about the bundle as a whole first; an error would have refused the bundle.
    package var findings: [Finding]
    package var source: Source
    /// The same for the same files, whoever packed them.
    package var contentDigest: Digest
    /// Of the archive that was written.
    package var digest: Digest
    package var byteCount: Int

    /// Nothing was left out, replaced or found.
    package var isClean: Bool { stripped.isEmpty && warnings.isEmpty && findings.isEmpty }
}
