import WidgetBundles
import WidgetConsole
import WidgetFindings
import WidgetIntake

/// An error or a warning about a bundle, as commands print it: findings of one kind in one file.
struct BundleComplaint: Hashable {
    let severity: Finding.Severity
    /// The place, the sentence and the code.
    let text: String
    let hints: [String]
    let count: Int

    init(_ severity: Finding.Severity, _ text: String, hints: [String] = []) {
        (self.severity, self.text, self.hints, count) = (severity, text, hints, 1)
    }

    /// - Parameter subject: the bundle as the user named it, for a place that is not in a source of the author's.
    private init(_ line: FindingLine, _ paths: AuthoredPaths, of subject: String) {
        let start = paths.areOfSources && line.first.place != nil ? "" : "\(subject): "
        (severity, text, hints, count) = (line.severity, start + line.text, line.hints, line.count)
    }

    /// The complaints about findings, with the author's names of files.
    static func of(
        _ findings: some Sequence<Finding>, in paths: AuthoredPaths, of subject: String
    ) -> [BundleComplaint] {
        FindingLine.of(paths.named(findings)).map { BundleComplaint($0, paths, of: subject) }
    }

    /// Prints it to standard error.
    func show(on terminal: Terminal) {
        switch severity {
        case .error: terminal.complain(QuotedText.plain(text), hints: hints.map(QuotedText.plain))
        case .warning: terminal.warn(QuotedText.plain(text), hints: hints.map(QuotedText.plain))
        }
    }
}

/// All errors and warnings about a bundle.
struct BundleComplaints {
    private(set) var errors: [BundleComplaint] = []
    private(set) var warnings: [BundleComplaint] = []

    /// The most complaints that are printed one by one.
    private static let shownCount = 60

    init(_ complaints: some Sequence<BundleComplaint>) {
        var known: Set<BundleComplaint> = []
        for complaint in complaints where known.insert(complaint).inserted {
            switch complaint.severity {
            case .error: errors.append(complaint)
            case .warning: warnings.append(complaint)
            }
        }
    }

    var isEmpty: Bool { errors.isEmpty && warnings.isEmpty }

    /// The numbers of errors and warnings in words; empty without any.
    func counts(notes: Int) -> String {
        let (errorCount, warningCount) = (errors.reduce(0) { $0 + $1.count }, warnings.reduce(0) { $0 + $1.count })
        let parts = [(errorCount, "error"), (warningCount, "warning"), (notes, "note")]
        return parts.filter { $0.0 > 0 }.map { "\($0) \($1)\($0 == 1 ? "" : "s")" }.joined(separator: ", ")
    }

    /// Prints them to standard error, errors first.
    func show(on terminal: Terminal) {
        let all = errors + warnings
        for complaint in all.prefix(BundleComplaints.shownCount) { complaint.show(on: terminal) }
        let rest = BundleComplaints(all.dropFirst(BundleComplaints.shownCount))
        guard !rest.isEmpty else { return }
        terminal.warn(
            "there are \(rest.counts(notes: 0)) more", hints: ["these were the first; mend them and try again"])
    }
}
