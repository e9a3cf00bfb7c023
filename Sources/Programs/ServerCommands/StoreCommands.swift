import JSONText
import LocalStore
import RegistryServer
import WidgetBytes
import WidgetConfiguration
import WidgetConsole
import WidgetRegistry

/// `widgetd scrub`: reads every archive and compares it with its digest.
enum ScrubCommand {
    static let command = Command(
        "scrub", "compare every stored byte with its digest",
        example: "widgetd scrub --rate 64MiB",
        options: [
            Option("rate", value: "SIZE", help: "bytes a second at most, such as 64MiB; as the settings say without it")
        ] + Housekeeping.place)

    static func run(_ invocation: Invocation, _ settings: Settings) -> ExitCode {
        var settings = settings
        if let text = invocation.value("rate") {
            guard let rate = SizeText.parse(text), rate >= 64 << 10 else {
                invocation.terminal.complain(
                    "--rate takes a size from 64KiB on, not \(text)",
                    hints: ["write it like 512KiB, 64MiB or 1GiB"])
                return .misuse
            }
            settings.housekeeping.scrubRate = rate
        }
        return Housekeeping.run(invocation, settings) {
            let query = invocation.has("rate") ? "?rate=\(settings.housekeeping.scrubRate)" : ""
            let report = try Housekeeping.report(
                settings, "/v1/scrub\(query)", "comparing", for: invocation
            ) { housekeeper, watcher in
                housekeeper.document(try housekeeper.scrub(rate: nil, by: "owner", watcher))
            }
            let cursor = try Housekeeping.cursor(report)
            let isSound: Bool = try cursor.require("sound")
            let printed = invocation.terminal.print(
                invocation.has("json") ? report + [0x0A] : Array(try text(cursor).utf8))
            return isSound ? printed : .damagedStore
        }
    }

    private static func text(_ report: JSONCursor) throws(JSONError) -> String {
        let archives: Int = try report.require("archives")
        let bytes: Int = try report.require("bytes")
        let healed: Int = try report.require("healed")
        let missing = try report.require("missing", as: [String].self).count
        let unreadable = try report.require("unreadable", as: [String].self).count
        let compared = archives - missing - unreadable
        var text =
            compared == archives
            ? "\(counted(archives, "archive")) compared, \(ByteCountText.of(bytes))\n"
            : "\(compared) of \(counted(archives, "archive")) compared; the others are not to be had\n"
        if healed > 0 { text += "\(counted(healed, "note")) beside archives written anew\n" }
        let names = try Housekeeping.names(report)
        for (name, meaning) in [
            ("damaged", "has other bytes than were stored; it is in quarantine"), ("missing", "is not there"),
            ("unreadable", "cannot be read; the disk says no"),
        ] {
            for digest in try report.require(name, as: [String].self) {
                text += "archive \(digest)\(names[digest] ?? "") \(meaning)\n"
            }
        }
        for complaint in try report.require("catalog", as: [String].self) { text += "catalog: \(complaint)\n" }
        let isSound: Bool = try report.require("sound")
        return text
            + (isSound ? "everything is as it was stored\n" : "publish what is damaged again, or restore a backup\n")
    }
}

/// `widgetd gc`: removes items that nothing refers to any more.
enum CollectCommand {
    static let command = Command(
        "gc", "remove what nothing refers to, while the server serves",
        example: "widgetd gc --dry-run",
        options: [
            Option("dry-run", help: "say what would be removed, and remove nothing"),
            Option("yes", help: "apply changed rules of retention at once, however much they remove"),
        ] + Housekeeping.place)

    static func run(_ invocation: Invocation, _ settings: Settings) -> ExitCode {
        Housekeeping.run(invocation, settings) {
            let (isDryRun, isConfirmed) = (invocation.has("dry-run"), invocation.has("yes"))
            let report = try Housekeeping.report(
                settings, "/v1/gc?dryRun=\(isDryRun)&confirmed=\(isConfirmed)", "collecting", counting: .parts,
                for: invocation
            ) {
                housekeeper, watcher in
                HousekeepingDocument.bytes(
                    try housekeeper.collect(
                        isDryRun: isDryRun, isConfirmed: isConfirmed, by: "owner", watcher))
            }
            return invocation.terminal.print(
                invocation.has("json") ? report + [0x0A] : Array(try text(Housekeeping.cursor(report)).utf8))
        }
    }

    private static func text(_ report: JSONCursor) throws(JSONError) -> String {
        let isDryRun: Bool = try report.require("dryRun")
        let verb = isDryRun ? "would be removed" : "removed"
        var text = ""
        let retired: Int = try report.require("retiredSnapshots")
        let ended: Int = try report.require("endedReleases")
        if retired > 0 {
            text +=
                "\(counted(retired, "snapshot")) beyond those a channel keeps \(isDryRun ? "would be" : "are") withdrawn now; "
                + "their files go after retention.withdrawn\n"
        }
        if let expired = try report.member("expired") { text += try self.text(expired, isDryRun: isDryRun) }
        if ended > 0 { text += "\(counted(ended, "withdrawn release")) whose time to be restored is over\n" }
        let records: Int = try report.require("auditRecords")
        if records > 0 { text += "\(counted(records, "audit record")) older than retention.audit removed\n" }
        for (name, one, many, meaning) in [
            ("archives", "archive", "archives", verb), ("notes", "note beside archives", "notes beside archives", verb),
            (
                "waiting", "file", "files",
                "that nothing refers to, too young to be removed before housekeeping.grace is over"
            ),
            ("quarantined", "file", "files", "in quarantine, which we never remove"),
        ] {
            guard let share = try report.member(name) else { continue }
            let count: Int = try share.require("count")
            let bytes: Int = try share.require("bytes")
            if count > 0 || name == "archives" {
                text += "\(counted(count, one, many)) \(meaning), \(ByteCountText.of(bytes))\n"
            }
        }
        return text
    }
}

extension CollectCommand {
    /// The releases that went by rules of retention, by rule, and in a dry run each of them.
    fileprivate static func text(_ expired: JSONCursor, isDryRun: Bool) throws(JSONError) -> String {
        var text = ""
        let verb = isDryRun ? "would expire" : "have expired"
        for share in try expired.member("rules")?.elements() ?? [] {
            let (count, bytes): (Int, Int) = (try share.require("count"), try share.require("bytes"))
            text +=
                "\(counted(count, "release")) \(verb) by \(QuotedText.plain(try share.require("rule"))), "
                + "\(ByteCountText.of(bytes)) of archives\n"
        }
        if isDryRun { text += try list(expired, try expired.require("count")) }
        if let later = try expired.member("later") {
            let (count, bytes): (Int, Int) = (try later.require("count"), try later.require("bytes"))
            text +=
                "\(counted(count, "release")) would follow within a day, when no host asks for them any more, "
                + "\(ByteCountText.of(bytes)) of archives\n"
            text += try list(later, count)
        }
        if let left: Int = try expired.optional("left") {
            text += "\(counted(left, "bundle")) changed again and again, and left to the next collection\n"
        }
        if let foreseen = try expired.member("foreseen") {
            let (count, all): (Int, Int) = (try foreseen.require("count"), try expired.require("of"))
            let end: String? = try expired.optional("waitsUntil")
            text +=
                "changed rules wait: by them \(count) of \(counted(all, "release")) would go once no host asks for them any "
                + "more; nothing expires before \(end ?? "a day after the next collection"), and --yes applies them at once\n"
        }
        return text
    }

    /// The releases of a list, each on a line.
    private static func list(_ share: JSONCursor, _ count: Int) throws(JSONError) -> String {
        let listed = try share.member("releases")?.elements() ?? []
        var text = ""
        for release in listed {
            let bytes: Int = try release.require("bytes")
            let (bundle, key): (String, String) = (
                try release.require("bundleIdentifier"), try release.require("release")
            )
            text += "  \(QuotedText.plain("\(bundle) \(key)")), \(ByteCountText.of(bytes))\n"
        }
        if count > listed.count { text += "  and \(count - listed.count) more\n" }
        return text
    }
}

/// `widgetd reindex`: rebuilds the catalog from the archives and the notes beside them.
enum ReindexCommand {
    static let command = Command(
        "reindex", "make the catalog anew; the server must be stopped",
        example: "widgetd reindex --data ./data", options: Housekeeping.place)

    static func run(_ invocation: Invocation, _ settings: Settings) -> ExitCode {
        Housekeeping.run(invocation, settings) {
            // Without a catalog there may still be everything it is made of.
            try Housekeeping.requireStore(settings)
            try DataDirectory.actAsOwner(settings.data)
            let bar = Bar("reading archives", on: invocation.terminal, in: invocation.world)
            let report = try OfflineAudit(settings, on: invocation.terminal).note(
                .reindex, report: { HousekeepingDocument.bytes($0) }
            ) {
                try settings.storage.replacement(settings.data, ServerStore.holder).rebuild(
                    ServerStore.options(settings, in: invocation.world), policy: settings.bundlePolicy
                ) { bar.show($0, $1) }
            }
            bar.end()
            let bytes = HousekeepingDocument.bytes(report)
            let printed = invocation.terminal.print(invocation.has("json") ? bytes : Array(text(report).utf8))
            return report.damaged.isEmpty && report.lost.isEmpty ? printed : .damagedStore
        }
    }

    private static func text(_ report: RebuildReport) -> String {
        var text =
            "\(counted(report.bundles, "bundle")), \(counted(report.releases, "release")) (\(report.withdrawn) withdrawn), "
            + "\(counted(report.channels, "channel")); every channel's sequence is \(report.sequence) now\n"
        text +=
            "not restored: tokens (make one with widgetd token create), rollouts, and which release was put on a channel by "
            + "hand:\n"
        text += "each channel shows the highest release that was published to it\n"
        if let count = report.auditRecords {
            text += "\(counted(count, "audit record")) and the names of tokens were kept from the catalog there was\n"
        } else {
            text += "the audit could not be read from the catalog there was; it begins anew\n"
        }
        for name in report.recovered {
            text += "\(name): known from its archive alone; publisher and channel are lost\n"
        }
        for digest in report.damaged {
            text += "archive \(digest) has other bytes than were stored; it is in quarantine\n"
        }
        for name in report.lost { text += "\(name): its archive is gone, or cannot be read; publish it again\n" }
        for line in report.skipped { text += "\(line)\n" }
        return text
    }
}
