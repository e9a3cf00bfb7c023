internal import Bytes
package import WidgetBundles

/// A release and its report for people: what `widget publish` and `widget report` print, and what `Accept: text/plain`
/// asks a registry for.
package struct PublicationText: Sendable, CustomStringConvertible {
    private let release: ReleaseDocument
    private let report: BundleReport
    private let usesColor: Bool

    package init(_ release: ReleaseDocument, _ report: BundleReport, usesColor: Bool = false) {
        self.release = release
        self.report = report
        self.usesColor = usesColor
    }

    package var lines: [String] {
        let remarks = release.remarks.named.map { "\($0.name) \(ShownText.plain($0.value))" }
        return remarks + ReportText(report, usesColor: usesColor).lines
            + (release.isChanged.map { [ShownText.plain(PublicationText.outcome(release, isChanged: $0))] } ?? [])
    }

    package var description: String { lines.map { $0 + "\n" }.joined() }

    /// What publishing came to, in a sentence.
    private static func outcome(_ release: ReleaseDocument, isChanged: Bool) -> String {
        let channels =
            release.channels.isEmpty ? ", on no channel" : ", on \(release.channels.joined(separator: ", "))"
        let subject = "\(release.bundleIdentifier) \(release.key)"
        if release.isDryRun == true {
            return isChanged
                ? "\(subject) would be published\(channels); this was a dry run, and nothing was stored"
                : "\(subject) is there already\(channels); this was a dry run, and nothing was changed"
        }
        return isChanged ? "\(subject) is published\(channels)" : "\(subject) was there already\(channels)"
    }
}
