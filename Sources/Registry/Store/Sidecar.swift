internal import Bytes
internal import JSONText

/// What lies beside a blob as JSON for each release that has it, so that the catalog can be made again from the
/// blobs' folder alone.
package struct Sidecar: Equatable, Sendable {
    var release: Release
    /// What it was published to, and how far.
    var channel: String
    var rollout: Int
    /// The documents of the catalog, as they are.
    var files: [UInt8]
    var report: [UInt8]

    package var bytes: [UInt8] {
        var writer = JSONWriter(reservingBytes: 1_024 + files.count + report.count)
        writer.object { writer in
            writer.member("format", 1)
            writer.key("release")
            release.writeNote(to: &writer)
            writer.member("channel", channel)
            writer.member("rollout", rollout)
            writer.key("files")
            writer.finished(files)
            writer.key("report")
            writer.finished(report)
        }
        return writer.finish()
    }
}

/// What lies beside a blob for each release of it that was withdrawn. It stays when the blob goes, so that the key is
/// never given again.
package struct Tombstone: Equatable, Sendable {
    var release: Release
    var withdrawal: Withdrawal
    var by: String

    package var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("format", 1)
            writer.member("bundleIdentifier", release.bundleIdentifier)
            writer.member("release", release.key)
            writer.member("sha256", release.digest.hex)
            writer.key("withdrawn")
            writer.object { writer in
                writer.member("at", withdrawal.at)
                writer.member("reason", withdrawal.reason)
                writer.member("by", by)
            }
            writer.key("about")
            release.writeNote(to: &writer)
        }
        return writer.finish()
    }
}

extension Release {
    fileprivate func writeNote(to writer: inout JSONWriter) {
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
            writer.member("snapshot", isSnapshot)
            if let version = minimumOSVersion { writer.member("minimumOSVersion", version) }
            if let version = minimumHostVersion { writer.member("minimumHostVersion", version) }
        }
    }
}
