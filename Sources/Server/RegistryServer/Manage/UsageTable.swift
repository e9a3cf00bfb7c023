internal import WidgetBytes
internal import WidgetMarkup
internal import WidgetRegistry

/// The table of what prefixes take up, on the first page of people who have signed in. It is there while rules are set.
struct UsageTable: Sendable {
    private let rows: [PrefixUsage]
    private let retention: RetentionGuard

    /// The rows that a person may see: prefixes within that of the token, and those around it that limit it.
    init(_ registry: Registry, for caller: Caller) throws(RegistryError) {
        guard registry.hasPrefixRules else {
            (rows, retention) = ([], RetentionGuard())
            return
        }
        let own = caller.prefix.isEmpty ? BundlePrefix.all : BundlePrefix(caller.prefix)
        let limited = registry.limitedPrefixes
        // A row around the token's prefix tells of others, so it is there only where it limits this one.
        rows = try registry.keptUsage { prefix in
            own.map { $0.covers(prefix) || (prefix.covers($0) && limited.contains(prefix)) } ?? false
        }
        retention = try registry.retentionGuard()
    }

    func write(for caller: Caller, to html: inout HTMLWriter) {
        let waiting = caller.prefix.isEmpty ? RetentionWords.waiting(retention) : nil
        guard !rows.isEmpty || waiting != nil else { return }
        html.section("What is taken up", id: "usage") { html in
            if let waiting { html.box(class: "note") { $0.paragraph(waiting) } }
            html.box(class: "scroll") { html in
                html.element(.table) {
                    $0.set(.class, "fold")
                } content: { html in
                    html.element(
                        .caption,
                        text:
                            "Stored releases and the bytes of their archives, growth within 30 days; up to a minute old"
                    )
                    html.tableHead(["Prefix", "Bytes", "Releases", "Published within a day", "Growth"])
                    html.element(.tbody) { html in for row in rows { UsageTable.write(row, to: &html) } }
                }
            }
        }
    }

    private static func write(_ row: PrefixUsage, to html: inout HTMLWriter) {
        html.element(.tr) { html in
            html.element(.th) {
                $0.set(.scope, "row")
            } content: { html in
                html.code(row.prefix.description)
                if let rule = row.retention { html.paragraph("kept: \(rule.description)", class: "small soft") }
            }
            html.element(.td) { html in
                amount(ByteCountText.of(row.stored.bytes), row.stored.bytes, row.quota?.bytes, to: &html) {
                    ByteCountText.of($0)
                }
            }
            html.element(.td) { html in
                amount(String(row.stored.releases), row.stored.releases, row.quota?.releases, to: &html)
            }
            html.element(.td) { html in
                amount(String(row.publications), row.publications, row.quota?.publications, to: &html)
            }
            html.element(.td, text: growth(row))
        }
    }

    private static func amount(
        _ text: String, _ used: Int, _ limit: Int?, to html: inout HTMLWriter,
        _ write: (Int) -> String = { String($0) }
    ) {
        html.text(text)
        guard let limit else { return }
        html.text(" of \(write(limit))")
        let percent = limit == 0 ? 100 : Int(Double(used) / Double(limit) * 100)
        if percent >= QuotaPolicy.nearPercent { html.chip("\(percent) %", percent >= 100 ? "bad" : "warn") }
    }

    private static func growth(_ row: PrefixUsage) -> String {
        let bytes = row.added.bytes - row.freed.bytes
        let releases = row.added.releases - row.freed.releases
        let sign = bytes < 0 ? "−" : "+"
        return "\(sign)\(ByteCountText.of(abs(bytes))), \(releases < 0 ? "−" : "+")\(abs(releases)) releases"
    }
}
