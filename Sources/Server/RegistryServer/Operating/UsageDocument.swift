internal import JSONText
internal import WidgetBytes
package import WidgetRegistry

/// The usage of prefixes, as JSON.
package struct UsageDocument: Sendable {
    /// The prefix that was asked for, or the registry, and then its parts.
    package var rows: [PrefixUsage]
    /// The rules that are applied, and those that wait.
    package var retention: RetentionGuard

    package init(_ registry: Registry, below prefix: BundlePrefix? = nil) throws(RegistryError) {
        rows = []
        for prefix in try registry.usagePrefixes(below: prefix) { rows.append(try registry.usage(of: prefix)) }
        retention = try registry.retentionGuard()
    }

    package var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.key("prefixes")
            writer.array { writer in for row in rows { UsageDocument.write(row, &writer) } }
            if let ends = retention.ends {
                writer.member("retentionWaitsUntil", Timestamp.text(ends))
                writer.member("retentionWaiting", retention.pending ?? "")
            }
        }
        return writer.finish()
    }

    private static func write(_ row: PrefixUsage, _ writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("prefix", row.prefix.description)
            writer.member("bytes", row.stored.bytes)
            writer.member("releases", row.stored.releases)
            writer.member("publications", row.publications)
            writer.key("growth")
            writer.object { writer in
                writer.member("bytes", row.added.bytes - row.freed.bytes)
                writer.member("releases", row.added.releases - row.freed.releases)
            }
            if let quota = row.quota {
                writer.key("quota")
                writer.object { writer in
                    for measure in QuotaMeasure.allCases {
                        if let limit = quota[measure] { writer.member(measure.rawValue, limit) }
                    }
                }
            }
            if let rule = row.retention { writer.member("retention", rule.description) }
        }
    }
}

/// The state of changed rules, in words.
package enum RetentionWords {
    /// The sentence about rules that wait; `nil` if none do.
    package static func waiting(_ present: RetentionGuard) -> String? {
        guard let pending = present.pending, let ends = present.ends else { return nil }
        return
            "The rules of retention were changed to “\(pending)”, by which more than one of \(RetentionGuard.share) releases "
            + "would go. They are applied with the first collection after \(Timestamp.text(ends)), or at once with "
            + "widgetd gc --yes; widgetd gc --dry-run lists what would go."
    }
}
