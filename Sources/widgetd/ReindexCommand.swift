import Configuration
import Console
import LocalStore
import Registry
import RegistryServer

/// `widgetd reindex`: makes the catalog anew from the archives and what lies beside them.
enum ReindexCommand {
    static let command = Command(
        "reindex", "make the catalog anew; the server must be stopped",
        example: "widgetd reindex --data ./data", options: Housekeeping.place)

    static func run(_ invocation: Invocation, _ settings: Settings) -> ExitCode {
        Housekeeping.run(settings) {
            // Without a catalog there may still be everything it is made of.
            try Housekeeping.requireStore(settings)
            try DataDirectory.actAsOwner(settings.data)
            let bar = Bar("reading archives")
            let report = try OfflineAudit(settings).note(.reindex, report: { HousekeepingDocument.bytes($0) }) {
                try Registry.rebuild(
                    settings.data, options: Store.options(settings), holder: Store.holder, policy: settings.bundlePolicy
                ) { bar.show($0, $1) }
            }
            bar.end()
            let bytes = HousekeepingDocument.bytes(report)
            let printed = Terminal.print(invocation.has("json") ? bytes : Array(text(report).utf8))
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
        for name in report.lost { text += "\(name): its archive is gone; publish it again\n" }
        for line in report.skipped { text += "\(line)\n" }
        return text
    }
}
