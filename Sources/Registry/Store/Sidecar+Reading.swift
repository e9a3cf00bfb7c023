internal import Bytes
package import JSONText
internal import RegistryContract

extension Sidecar {
    /// Reads what lies beside a blob; `nil` when it is not what we write.
    package init?(parsing bytes: [UInt8]) {
        guard let document = try? NoteReading.document(bytes),
            let release: Release = try? document.require("release"),
            let channel: String = try? document.require("channel"), ChannelName.isName(channel),
            let rollout: Int = try? document.require("rollout"), (0...Rollout.bucketCount).contains(rollout),
            let files = try? document.member("files"), files.value.array != nil,
            let report = try? document.member("report"), report.value.object != nil
        else { return nil }
        self.init(
            release: release, channel: channel, rollout: rollout, files: Array(bytes[files.value.span.range]),
            report: Array(bytes[report.value.span.range]))
    }
}

extension Tombstone {
    package init?(parsing bytes: [UInt8]) {
        guard let document = try? NoteReading.document(bytes),
            let bundle: String = try? document.require("bundleIdentifier"),
            let key: String = try? document.require("release"),
            let digest: Digest = try? document.require("sha256"),
            let words = try? document.member("withdrawn"), let at: Int64 = try? words.require("at"),
            let reason: String = try? words.require("reason"), let by: String = try? words.require("by")
        else { return nil }
        let about: Release? = try? document.optional("about")
        if let about, about.key != key || about.bundleIdentifier != bundle || about.digest != digest { return nil }
        self.init(
            release: about ?? Release(unknownBut: key, of: bundle, digest, at: at),
            withdrawal: Withdrawal(at: at, reason: reason), by: by)
    }
}

private enum NoteReading {
    static func document(_ bytes: [UInt8]) throws(JSONError) -> JSONCursor {
        let limits = JSONLimits(byteCount: NoteLimits.byteCount, depth: 32, valueCount: 1 << 21)
        let cursor = try JSONDocument(parsing: bytes, limits: limits).cursor
        let format: Int = try cursor.require("format")
        guard format == 1 else { throw cursor.wrongType(.integer) }
        return cursor
    }
}

enum NoteLimits {
    /// What lists the files and the report of the largest bundle takes less.
    static let byteCount = 64 << 20
}

extension Release: JSONDecodable {
    package init(json: JSONCursor) throws(JSONError) {
        self.init(
            bundleIdentifier: try json.require("bundleIdentifier"), key: try json.require("release"),
            shortVersion: try json.require("shortVersion"), build: try json.require("build"),
            name: try json.require("name"), digest: try json.require("sha256"),
            contentDigest: try json.require("content"), byteCount: try json.require("size"),
            published: try json.require("published"), publishedBy: try json.require("publishedBy"), channels: [],
            withdrawal: nil, minimumOSVersion: try json.optional("minimumOSVersion"),
            minimumHostVersion: try json.optional("minimumHostVersion"), isSnapshot: try json.require("snapshot"))
        guard byteCount >= 0 else { throw json.wrongType(.integer) }
    }

    /// What a key alone says of a release that is gone.
    fileprivate init(unknownBut key: String, of bundle: String, _ digest: Digest, at time: Int64) {
        let (versions, snapshot) = Release.parts(of: key)
        self.init(
            bundleIdentifier: bundle, key: key, shortVersion: versions.short, build: versions.build, name: "",
            digest: digest, contentDigest: digest, byteCount: 0, published: time, publishedBy: "", channels: [],
            withdrawal: nil, minimumOSVersion: nil, minimumHostVersion: nil, isSnapshot: snapshot)
    }

    /// Takes a key apart: `<short version>~<build>`, and whether the mark of a snapshot follows.
    static func parts(of key: String) -> (versions: (short: String, build: String), isSnapshot: Bool) {
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
