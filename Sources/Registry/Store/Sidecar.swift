internal import Bytes
internal import JSONText
internal import WidgetBundles

/// What lies beside a blob as JSON, so that the catalog can be made again from the blobs' folder alone.
enum Sidecar {
    static func release(_ release: Release, _ taken: BundleIntake.Taken, _ request: PublishRequest) -> [UInt8] {
        var writer = JSONWriter(reservingBytes: 4 << 10)
        writer.object { writer in
            writer.member("format", 1)
            writer.key("release")
            writer.object { writer in
                writer.member("bundleIdentifier", release.bundleIdentifier)
                writer.member("release", release.key)
                writer.member("shortVersion", release.shortVersion)
                writer.member("build", release.build)
                writer.member("name", release.name)
                writer.member("sha256", release.digest.hex)
                writer.member("content", release.contentDigest.hex)
                writer.member("size", release.byteCount)
                writer.member("published", release.published)
                writer.member("publishedBy", release.publishedBy)
                writer.member("snapshot", release.isSnapshot)
                if let version = release.minimumOSVersion { writer.member("minimumOSVersion", version) }
                if let version = release.minimumHostVersion { writer.member("minimumHostVersion", version) }
            }
            writer.member("channel", request.channel)
            writer.member("rollout", request.rollout)
            writer.key("files")
            taken.bundle.writeFiles(to: &writer)
            writer.key("report")
            taken.report.write(to: &writer)
        }
        return writer.finish()
    }

    static func tombstone(_ release: Release, _ withdrawal: Withdrawal, by author: String) -> [UInt8] {
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
                writer.member("by", author)
            }
        }
        return writer.finish()
    }
}
