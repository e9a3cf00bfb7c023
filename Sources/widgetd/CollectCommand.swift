import Bytes
import Configuration
import Console
import JSONText
import RegistryServer

/// `widgetd gc`: removes what nothing refers to any more.
enum CollectCommand {
    static let command = Command(
        "gc", "remove what nothing refers to, while the server serves",
        example: "widgetd gc --dry-run",
        options: [Option("dry-run", help: "say what would be removed, and remove nothing")] + Housekeeping.place)

    static func run(_ invocation: Invocation, _ settings: Settings) -> ExitCode {
        Housekeeping.run(settings) {
            let isDryRun = invocation.has("dry-run")
            let report = try Housekeeping.report(settings, "/v1/gc?dryRun=\(isDryRun)", "collecting", counting: .parts)
            {
                housekeeper, watcher in
                HousekeepingDocument.bytes(try housekeeper.collect(isDryRun: isDryRun, by: "owner", watcher))
            }
            return Terminal.print(
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
        if ended > 0 { text += "\(counted(ended, "withdrawn release")) whose time to be restored is over\n" }
        let records: Int = try report.require("auditRecords")
        if records > 0 { text += "\(counted(records, "audit record")) older than retention.audit removed\n" }
        for (name, one, many, meaning) in [
            ("archives", "archive", "archives", verb), ("notes", "note beside archives", "notes beside archives", verb),
            ("waiting", "file", "files", "that nothing refers to, too young to be removed"),
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
