import JSONText
import RegistryServer
import WidgetBytes
import WidgetConfiguration
import WidgetConsole
import WidgetRegistry

/// `widgetd usage`: shows what the bundles of each prefix take up.
enum UsageCommand {
    static let command = Command(
        "usage", "show what each prefix takes up, with its limits",
        example: "widgetd usage --prefix com.acme",
        options: [
            Option("prefix", value: "ID", help: "this prefix and its parts; those of settings and tokens without it")
        ] + Housekeeping.place)

    static func run(_ invocation: Invocation, _ settings: Settings) -> ExitCode {
        let prefix = invocation.value("prefix") ?? ""
        guard prefix.isEmpty || BundlePrefix(prefix).map({ !$0.text.isEmpty }) == true else {
            invocation.terminal.complain(
                "--prefix is \(QuotedText.plain(prefix))",
                hints: ["it takes an identifier or its first labels, like com.acme"])
            return .misuse
        }
        return Housekeeping.run(invocation, settings) {
            let report = try Housekeeping.report(settings, "/v1/usage?prefix=\(prefix)", "counting", for: invocation) {
                housekeeper, _ in
                try housekeeper.usage(below: prefix).bytes
            }
            return invocation.terminal.print(
                invocation.has("json") ? report + [0x0A] : Array(try text(Housekeeping.cursor(report)).utf8))
        }
    }

    private static func text(_ report: JSONCursor) throws(JSONError) -> String {
        var rows: [[String]] = []
        for row in try report.member("prefixes")?.elements() ?? [] { rows.append(try cells(of: row)) }
        var text = TextTable.text(["PREFIX", "BYTES", "RELEASES", "TODAY", "30 DAYS", "KEPT"], rows)
        if let end: String = try report.optional("retentionWaitsUntil"),
            let rules: String = try report.optional("retentionWaiting")
        {
            text += "changed rules wait until \(end), or for widgetd gc --yes: \(QuotedText.plain(rules))\n"
        }
        return text
    }

    private static func cells(of row: JSONCursor) throws(JSONError) -> [String] {
        let quota = try row.member("quota")
        func amount(_ used: Int, _ name: String, _ write: (Int) -> String) throws(JSONError) -> String {
            guard let limit: Int = try quota?.optional(name) else { return write(used) }
            let percent = limit == 0 ? 100 : Int(Double(used) / Double(limit) * 100)
            return "\(write(used)) of \(write(limit)) (\(percent) %)"
        }
        let (bytes, releases): (Int, Int) = (try row.require("bytes"), try row.require("releases"))
        let growth = try row.member("growth")
        let grown: Int = try growth?.require("bytes") ?? 0
        let more: Int = try growth?.require("releases") ?? 0
        let (prefix, rule): (String, String?) = (try row.require("prefix"), try row.optional("retention"))
        return [
            prefix, try amount(bytes, "bytes", { ByteCountText.of($0) }),
            try amount(releases, "releases", { String($0) }),
            try amount(try row.require("publications"), "publications", { String($0) }),
            "\(grown < 0 ? "-" : "+")\(ByteCountText.of(abs(grown))), \(more < 0 ? "" : "+")\(more)",
            rule.map { kept(by: $0, of: prefix) } ?? "all",
        ]
    }

    /// A rule without its prefix, which follows in brackets if it is not that of the row.
    private static func kept(by rule: String, of prefix: String) -> String {
        let words = rule.split(separator: " ")
        let rest = words.dropFirst().joined(separator: " ")
        guard let first = words.first, first != prefix else { return QuotedText.plain(rest) }
        return QuotedText.plain("\(rest) (\(first))")
    }
}
