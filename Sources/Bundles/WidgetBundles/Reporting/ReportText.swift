internal import WidgetBytes
package import WidgetFindings

/// A report for people: notes, kept files, stripped files with the reasons, sizes before and after.
package struct ReportText: Sendable {
    package let report: BundleReport
    /// True to use the colours of a terminal.
    package let usesColor: Bool

    package init(_ report: BundleReport, usesColor: Bool = false) {
        self.report = report
        self.usesColor = usesColor
    }

    /// The limit on listed files of one rule; a framework can hold thousands.
    private static let longestList = 20

    package var lines: [String] {
        ReportText.lines(for: report.findings, usesColor: usesColor)
            + ReportText.lines(for: report.warnings, usesColor: usesColor) + contentLines
    }

    /// Lines without findings and warnings, for commands that have shown these.
    package var contentLines: [String] {
        var lines: [String] = []
        let keptByteCount = total(report.kept.map { $0.byteCount })
        lines.append(
            "\(color(.green, "kept")) \(count(report.kept.count, "file")), \(ByteCountText.of(keptByteCount)) unpacked; "
                + "\(ByteCountText.of(report.source.byteCount)) came in, \(ByteCountText.of(report.byteCount)) go out")
        for rule in StripRule.allCases {
            let files = report.stripped.filter { $0.rule == rule }
            guard !files.isEmpty else { continue }
            let byteCount = total(files.map { $0.byteCount })
            lines.append(
                "\(color(.yellow, "stripped")) \(rule.title): \(count(files.count, "file")), \(ByteCountText.of(byteCount))"
            )
            for file in files.prefix(ReportText.longestList) {
                lines.append(
                    "  \(ShownText.plain(file.path))  \(color(.dim, "\(file.kind.rawValue), \(ByteCountText.of(file.byteCount))"))"
                )
            }
            if files.count > ReportText.longestList {
                lines.append("  and \(files.count - ReportText.longestList) more")
            }
        }
        lines.append("content \(report.contentDigest)")
        lines.append("sha256  \(report.digest)")
        return lines
    }

    /// Adds sizes without overflow: a report may come from elsewhere, with any numbers in it.
    private func total(_ sizes: [Int]) -> Int { sizes.reduce(0) { $0.adding($1) ?? .max } }

    /// Returns lines for findings alone, as refusals show them, too: one for each kind and file.
    package static func lines(for findings: [Finding], usesColor: Bool = false) -> [String] {
        FindingLine.of(findings).map { line in
            let word = paint(line.severity == .error ? .red : .yellow, line.severity.rawValue, usesColor)
            let remedies = line.hints.map { "; \($0)" }.joined()
            return "\(word) \(ShownText.plain("\(line.text)\(remedies)"))"
        }
    }

    /// Returns lines for warnings alone; publishing adds some of the registry's.
    package static func lines(for warnings: [BundleWarning], usesColor: Bool = false) -> [String] {
        warnings.map { warning in
            "\(paint(.yellow, "warning", usesColor)) \(ShownText.plain(warning.sentence)) [\(warning.code.rawValue)]"
        }
    }

    private enum Color: String { case red = "31", green = "32", yellow = "33", dim = "2" }

    private func color(_ color: Color, _ text: String) -> String { ReportText.paint(color, text, usesColor) }

    private static func paint(_ color: Color, _ text: String, _ usesColor: Bool) -> String {
        usesColor ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
    }

    private func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}

extension ReportText: CustomStringConvertible {
    package var description: String { lines.joined(separator: "\n") + "\n" }
}

extension StripRule {
    fileprivate var title: String {
        switch self {
        case .noise: "what desktops leave behind"
        case .executable: "code"
        case .codeFolder: "folders for code"
        case .signature: "signatures"
        case .packaging: "packaging"
        case .nestedBundle: "bundles inside the bundle"
        case .nestedArchive: "archives inside the bundle"
        case .activeContent: "documents that can act"
        case .notAllowed: "not on the allow-list"
        }
    }
}
