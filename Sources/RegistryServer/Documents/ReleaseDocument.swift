internal import Bytes
internal import JSONText
internal import Registry

/// A release as clients see it.
enum ReleaseDocument {
    /// - Parameters:
    ///   - isChanged: whether publishing made this release, told on publishing alone.
    ///   - report: a finished JSON object, told where it was asked for.
    static func write(_ release: Release, isChanged: Bool? = nil, report: [UInt8]? = nil, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("bundleIdentifier", release.bundleIdentifier)
            writer.member("release", release.key)
            writer.member("shortVersion", release.shortVersion)
            writer.member("build", release.build)
            writer.member("name", release.name)
            writer.member("sha256", release.digest.hex)
            writer.member("content", release.contentDigest.hex)
            writer.member("size", release.byteCount)
            writer.member("published", Timestamp.text(release.published))
            writer.member("publishedBy", release.publishedBy)
            writer.key("channels")
            writer.array { writer in for channel in release.channels { writer.string(channel) } }
            if let withdrawal = release.withdrawal {
                writer.key("withdrawn")
                writer.object { writer in
                    writer.member("at", Timestamp.text(withdrawal.at))
                    writer.member("reason", withdrawal.reason)
                }
            }
            writer.member("url", Place.blob(release.digest))
            if let isChanged { writer.member("changed", isChanged) }
            if let report {
                writer.key("report")
                writer.finished(report)
            }
        }
    }

    static func bytes(_ release: Release, isChanged: Bool? = nil, report: [UInt8]? = nil) -> [UInt8] {
        var writer = JSONWriter(reservingBytes: 1_024 + (report?.count ?? 0))
        write(release, isChanged: isChanged, report: report, to: &writer)
        return writer.finish()
    }
}
