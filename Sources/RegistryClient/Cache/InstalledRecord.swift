package import Bytes
package import JSONText
internal import RegistryContract

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
    /// Whether its registry wants it to be run instead of anything older. Kept with the release, so that it says
    /// nothing before the release is here and proven.
    package var isMandatory = false

    /// Whether it is what a registry offers now. Two channels may show one archive, each under a key of its own; and
    /// what was put together here under an archive's digest need not be what that archive holds.
    func isMeant(by candidate: ReleaseCandidate, of resolution: ResolutionDocument) -> Bool {
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
    }

    /// No archive is as large; sizes are added up, and somebody may have written the file who should not.
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
        }
    }
}
