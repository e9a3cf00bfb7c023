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
                amount(row.stored.bytes, of: row.quota?.bytes, to: &html) { ByteCountText.of($0) }
            }
            // With their nouns: on a narrow screen the cells of a row are below one another, and no heading is above them.
            let last = row.quota?.releases ?? row.stored.releases
            html.element(.td) { html in
                amount(
                    row.stored.releases, of: row.quota?.releases, last == 1 ? " release" : " releases", to: &html)
            }
            html.element(.td) { html in
                amount(row.publications, of: row.quota?.publications, " within a day", to: &html)
            }
            html.element(.td) { html in
                html.element(.span, text: growth(row)) { $0.set(.class, "amount") }
            }
        }
    }

    private static func amount(
        _ used: Int, of limit: Int?, _ noun: String = "", to html: inout HTMLWriter,
        _ write: (Int) -> String = { String($0) }
    ) {
        let bound = limit.map { " of \(write($0))" } ?? ""
        html.element(.span, text: "\(write(used))\(bound)\(noun)") { $0.set(.class, "amount") }
        guard let limit else { return }
        let percent = limit == 0 ? 100 : Int(Double(used) / Double(limit) * 100)
        if percent >= QuotaPolicy.nearPercent {
            html.text(" ")
            html.chip("\(percent) %", percent >= 100 ? "bad" : "warn")
        }
    }

    private static func growth(_ row: PrefixUsage) -> String {
        let bytes = row.added.bytes - row.freed.bytes
        let releases = row.added.releases - row.freed.releases
        let sign = bytes < 0 ? "−" : "+"
        return
            "\(sign)\(ByteCountText.of(abs(bytes))), \(releases < 0 ? "−" : "+")\(GalleryText.count(abs(releases), "release"))"
    }
}
