internal import Bytes
internal import JSONText
package import Registry

/// A release whose archive is not what it should be.
struct AffectedRelease: Sendable {
    var digest: Digest
    var bundleIdentifier: String
    var key: String
}

/// What work on the whole store came to, as JSON objects.
package enum HousekeepingDocument {
    static func bytes(_ report: ScrubReport, affected: [AffectedRelease]) -> [UInt8] {
        object { writer in
            writer.member("archives", report.archives)
            writer.member("bytes", report.byteCount)
            list("damaged", report.damaged.map(\.hex), &writer)
            list("missing", report.missing.map(\.hex), &writer)
            list("unreadable", report.unreadable.map(\.hex), &writer)
            writer.member("healed", report.healed)
            list("catalog", report.catalog, &writer)
            write(affected, &writer)
            writer.member("sound", report.isSound)
        }
    }

    package static func bytes(_ report: CollectReport) -> [UInt8] {
        object { writer in
            writer.member("dryRun", report.isDryRun)
            writer.member("retiredSnapshots", report.retiredSnapshots)
            writer.member("endedReleases", report.endedReleases)
            writer.member("auditRecords", report.auditRecords)
            for (name, share) in [
                ("archives", report.archives), ("notes", report.notes), ("waiting", report.waiting),
                ("quarantined", report.quarantined),
            ] {
                writer.key(name)
                writer.object { writer in
                    writer.member("count", share.count)
                    writer.member("bytes", share.byteCount)
                }
            }
        }
    }

    static func bytes(_ report: BackupReport, affected: [AffectedRelease]) -> [UInt8] {
        object { writer in
            writer.member("archives", report.archives)
            writer.member("bytes", report.byteCount)
            list("missing", report.missing.map(\.hex), &writer)
            write(affected, &writer)
        }
    }

    package static func bytes(_ report: RebuildReport) -> [UInt8] {
        object { writer in
            writer.member("bundles", report.bundles)
            writer.member("releases", report.releases)
            writer.member("withdrawn", report.withdrawn)
            writer.member("channels", report.channels)
            list("recovered", report.recovered, &writer)
            list("damaged", report.damaged.map(\.hex), &writer)
            list("lost", report.lost, &writer)
            list("skipped", report.skipped, &writer)
            if let count = report.auditRecords { writer.member("auditRecords", count) }
            writer.member("sequence", report.sequence)
        }
    }

    package static func bytes(_ report: RestoreReport) -> [UInt8] {
        object { writer in
            writer.member("created", Timestamp.text(report.created))
            writer.member("archives", report.archives)
            writer.member("releases", report.releases)
            writer.member("tokens", report.tokens)
            list("missing", report.missing.map(\.hex), &writer)
            writer.member("unknown", report.unknown)
            if let count = report.auditRecords { writer.member("auditRecords", count) }
            writer.member("sequence", report.sequence)
        }
    }

    private static func write(_ affected: [AffectedRelease], _ writer: inout JSONWriter) {
        writer.key("affected")
        writer.array { writer in
            for release in affected {
                writer.object { writer in
                    writer.member("sha256", release.digest.hex)
                    writer.member("bundleIdentifier", release.bundleIdentifier)
                    writer.member("release", release.key)
                }
            }
        }
    }

    private static func object(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { members(&$0) }
        return writer.finish()
    }

    private static func list(_ name: String, _ texts: [String], _ writer: inout JSONWriter) {
        writer.key(name)
        writer.array { writer in for text in texts { writer.string(text) } }
    }
}
