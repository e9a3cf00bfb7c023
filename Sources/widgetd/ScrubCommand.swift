import Bytes
import Configuration
import Console
import JSONText
import RegistryServer

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
                Terminal.complain(
                    "--rate takes a size from 64KiB on, not \(text)",
                    hints: ["write it like 512KiB, 64MiB or 1GiB"])
                return .misuse
            }
            settings.housekeeping.scrubRate = rate
        }
        return Housekeeping.run(settings) {
            let query = invocation.has("rate") ? "?rate=\(settings.housekeeping.scrubRate)" : ""
            let report = try Housekeeping.report(settings, "/v1/scrub\(query)", "comparing") { housekeeper, watcher in
                housekeeper.document(try housekeeper.scrub(rate: nil, by: "owner", watcher))
            }
            let cursor = try Housekeeping.cursor(report)
            let isSound: Bool = try cursor.require("sound")
            let printed = Terminal.print(invocation.has("json") ? report + [0x0A] : Array(try text(cursor).utf8))
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
