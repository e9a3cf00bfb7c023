package import JSONText
package import RegistryContract
package import WidgetBytes

/// One accepted upload of a bundle. Only its channels, its withdrawal and its expiry ever change.
package struct Release: Equatable, Sendable {
    package var bundleIdentifier: String
    /// `<short version>~<build>`, on a snapshot channel followed by `+` and twelve digits of the content digest.
    package var key: String
    package var shortVersion: String
    package var build: String
    /// The top folder of the archive without its extension.
    package var name: String
    /// Of the archive.
    package var digest: Digest
    package var contentDigest: Digest
    /// Of the archive.
    package var byteCount: Int
    /// Seconds since 1970.
    package var published: Int64
    package var publishedBy: String
    package var remarks: PublisherRemarks
    /// The channels that show it, fully or partly, in the order of their names.
    package var channels: [String]
    package var withdrawal: Withdrawal?
    /// `nil` for a release whose archive no rule of the operator has removed.
    package var expiry: Expiry?
    package var minimumOSVersion: String?
    package var minimumHostVersion: String?
    /// Published to a snapshot channel: such channels keep a number of releases only.
    package var isSnapshot: Bool

    package init(
        bundleIdentifier: String, key: String, shortVersion: String, build: String, name: String, digest: Digest,
        contentDigest: Digest, byteCount: Int, published: Int64, publishedBy: String,
        remarks: PublisherRemarks = PublisherRemarks(), channels: [String] = [], withdrawal: Withdrawal? = nil,
        minimumOSVersion: String? = nil, minimumHostVersion: String? = nil, isSnapshot: Bool
    ) {
        self.bundleIdentifier = bundleIdentifier
        self.key = key
        self.shortVersion = shortVersion
        self.build = build
        self.name = name
        self.digest = digest
        self.contentDigest = contentDigest
        self.byteCount = byteCount
        self.published = published
        self.publishedBy = publishedBy
        self.remarks = remarks
        self.channels = channels
        self.withdrawal = withdrawal
        self.minimumOSVersion = minimumOSVersion
        self.minimumHostVersion = minimumHostVersion
        self.isSnapshot = isSnapshot
    }

    /// True if no channel can show it: it was withdrawn, or has expired.
    package var isGone: Bool { withdrawal != nil || expiry != nil }
}

package struct Withdrawal: Equatable, Sendable {
    /// Seconds since 1970.
    package var at: Int64
    package var reason: String
    package var directive: WithdrawalDirective

    package init(at: Int64, reason: String, directive: WithdrawalDirective = .keep) {
        self.at = at
        self.reason = reason
        self.directive = directive
    }
}

/// One file of a release, with the place of its data in the archive.
package struct ReleaseFile: Equatable, Sendable {
    package var path: String
    package var byteCount: Int
    package var digest: Digest
    package var offset: Int
    package var compressedByteCount: Int
    /// `stored` or `deflate`.
    package var method: String
}

/// A release as notes beside its archive tell of it: everything stored, but not where it is shown, nor how it ended.
extension Release: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) {
        self.init(
            bundleIdentifier: try json.require("bundleIdentifier"), key: try json.require("release"),
            shortVersion: try json.require("shortVersion"), build: try json.require("build"),
            name: try json.require("name"), digest: try json.require("sha256"),
            contentDigest: try json.require("content"), byteCount: try json.require("size"),
            published: try json.require("published"), publishedBy: try json.require("publishedBy"),
            remarks: try PublisherRemarks(json: json), minimumOSVersion: try json.optional("minimumOSVersion"),
            minimumHostVersion: try json.optional("minimumHostVersion"), isSnapshot: try json.require("snapshot"))
        guard byteCount >= 0 else { throw json.wrongType(.integer) }
    }

    func writeNote(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("bundleIdentifier", bundleIdentifier)
            writer.member("release", key)
            writer.member("shortVersion", shortVersion)
            writer.member("build", build)
            writer.member("name", name)
            writer.member("sha256", digest.hex)
            writer.member("content", contentDigest.hex)
            writer.member("size", byteCount)
            writer.member("published", published)
            writer.member("publishedBy", publishedBy)
            remarks.writeMembers(to: &writer)
            writer.member("snapshot", isSnapshot)
            if let version = minimumOSVersion { writer.member("minimumOSVersion", version) }
            if let version = minimumHostVersion { writer.member("minimumHostVersion", version) }
        }
    }

    /// The release as a note tells of it.
    var asNoted: Release {
        var copy = self
        copy.channels = []
        copy.withdrawal = nil
        copy.expiry = nil
        return copy
    }

    /// A release that is gone, of which only the key is known.
    init(unknownBut key: String, of bundle: String, _ digest: Digest, at time: Int64) {
        let (versions, snapshot) = Release.parts(of: key)
        self.init(
            bundleIdentifier: bundle, key: key, shortVersion: versions.short, build: versions.build, name: "",
            digest: digest, contentDigest: digest, byteCount: 0, published: time, publishedBy: "",
            isSnapshot: snapshot)
    }

    /// Takes a key apart: `<short version>~<build>`, and whether the mark of a snapshot follows.
    package static func parts(of key: String) -> (versions: (short: String, build: String), isSnapshot: Bool) {
        let halves = key.split(separator: "~", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        var build = halves.count == 2 ? halves[1] : ""
        let mark = build.utf8.suffix(13)
        let isSnapshot =
            mark.count == 13 && mark.first == UInt8(ascii: "+")
            && mark.dropFirst().allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        if isSnapshot { build = String(build.dropLast(13)) }
        return ((halves.first ?? "", build), isSnapshot)
    }
}

extension ReleaseFile: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) {
        path = try json.require("path")
        byteCount = try json.require("size")
        let hex = try json.require("sha256", as: String.self)
        guard let digest = Digest(hex: hex) else { throw json.wrongType(.string) }
        self.digest = digest
        offset = try json.require("offset")
        compressedByteCount = try json.require("compressedSize")
        method = try json.require("method")
    }

    /// Reads a list as it was stored. Its size was bounded when its bundle was taken in; the limits here stand
    /// against a damaged catalog.
    static func list(_ document: [UInt8]) throws(RegistryError) -> [ReleaseFile] {
        return try rethrowing(as: { RegistryError.damaged("a list of files cannot be read: \($0)") }) {
            () throws(JSONError) in
            let limits = JSONLimits(byteCount: 64 << 20, depth: 3, valueCount: 1 << 20)
            return try JSONDocument(parsing: document, limits: limits).cursor.decode()
        }
    }
}
