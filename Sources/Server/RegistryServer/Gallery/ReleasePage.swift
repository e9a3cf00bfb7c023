internal import RegistryContract
internal import WidgetBundles
internal import WidgetBytes
internal import WidgetFindings
internal import WidgetHTTPServer
internal import WidgetMarkup
internal import WidgetRegistry

/// The page of a release: its screens, its report and its files.
struct ReleasePage: Sendable {
    /// The most files of a list, and the most findings. The documents have all of them.
    private static let mostFiles = 300
    private static let mostFindings = 100

    let view: ReleaseView
    /// Releases to compare with, newest first.
    let others: [Release]
    let address: String

    private var bundle: BundleSummary { view.bundle }
    private var release: Release { view.release }
    private var document: String { RegistryPath.release(bundle.identifier, release.key) }

    func bytes() -> [UInt8] {
        var html = GalleryFrame.begin(
            "\(bundle.name) \(release.key)", .bundles, RunOnPage.options(view))
        head(to: &html)
        if let note = release.remarks.note {
            html.box(class: "note") { html in
                html.paragraph(note)
                html.paragraph("Note of the publisher", class: "small soft")
            }
        }
        html.box(class: "split") { html in
            html.box(class: "stack beside") { html in
                html.device(view, view.still(), "First screen of \(bundle.name)")
            }
            html.box(class: "stack-wide") { html in
                facts(to: &html)
                findings(to: &html)
                html.markup(OutcomesOnPage.mark)
                lines(to: &html)
            }
        }
        screens(to: &html)
        files(to: &html)
        return GalleryFrame.end(&html)
    }

    private func head(to html: inout HTMLWriter) {
        html.box(class: "stack") { html in
            html.crumbs([("/", "Bundles"), (PagePath.bundle(bundle.identifier), bundle.identifier)], here: release.key)
            html.box(class: "title") { html in
                html.icon(view.entry, class: "icon large")
                html.element(.div) { html in
                    html.element(.h1, text: "\(bundle.name) \(release.key)")
                    html.box(class: "row") { html in
                        for channel in release.channels { html.chip(channel, "good") }
                        if release.channels.isEmpty { html.chip("on no channel") }
                        if release.isSnapshot { html.chip("snapshot") }
                    }
                }
                html.link(PagePath.manage(bundle.identifier), "Manage", class: "button quiet")
            }
        }
    }

    private func facts(to html: inout HTMLWriter) {
        html.section("Release", id: "release") { html in
            html.element(.dl) {
                $0.set(.class, "facts")
            } content: { html in
                html.fact("Published") { html in
                    html.time(release.published)
                    html.text(" by \(release.publishedBy)")
                }
                html.fact("Version") { $0.text("\(release.shortVersion), build \(release.build)") }
                html.needs(view)
                html.download(view)
                html.standing(view.standing)
                html.fact("SHA-256") { $0.code(release.digest.hex) }
                html.fact("Content") { $0.code(release.contentDigest.hex) }
                if !others.isEmpty {
                    html.fact("Compare with") { html in
                        for (place, other) in others.prefix(5).enumerated() {
                            if place > 0 { html.text(", ") }
                            html.link(PagePath.compare(bundle.identifier, other.key, release.key), other.key)
                        }
                    }
                }
                html.fact("Documents") { html in
                    html.link(document, "release")
                    html.text(", ")
                    html.link("\(document)/report", "report")
                    html.text(", ")
                    html.link("\(document)/files", "files")
                }
            }
        }
    }

    // MARK: Findings

    private func findings(to html: inout HTMLWriter) {
        html.section("Report", id: "findings") { html in
            guard let report = view.report else { return html.element(.p) { $0.reportLine(nil) } }
            html.element(.p) { $0.reportLine(report) }
            group("Does not run or mean what it says", report.findings.filter { !isAboutLooks($0) }, to: &html)
            group("Screens: accessibility and layout", report.findings.filter(isAboutLooks), to: &html)
            if !report.warnings.isEmpty {
                html.element(.h3, text: "Warnings")
                for warning in report.warnings.prefix(ReleasePage.mostFindings) {
                    html.box(class: "finding") { html in
                        html.paragraph(warning.detail)
                        html.element(.p) {
                            $0.set(.class, "small")
                        } content: { html in
                            html.code(warning.path)
                            html.text(" ")
                            html.chip(warning.code.rawValue, "warn")
                        }
                    }
                }
            }
            stripped(report, to: &html)
        }
    }

    private func isAboutLooks(_ finding: Finding) -> Bool { Finding.Code.aboutLooks.contains(finding.code) }

    private func group(_ title: String, _ findings: [Finding], to html: inout HTMLWriter) {
        guard !findings.isEmpty else { return }
        html.element(.h3, text: "\(title) (\(findings.count))")
        let lines = FindingLine.of(findings)
        html.element(.div) { html in
            for line in lines.prefix(ReleasePage.mostFindings) { html.finding(line) }
        }
        let rest = lines.dropFirst(ReleasePage.mostFindings).reduce(0) { $0 + $1.count }
        if rest > 0 {
            html.element(.p) { html in
                html.text("And \(rest) more in ")
                html.link("\(document)/report", "the report")
                html.text(".")
            }
        }
    }

    private func stripped(_ report: BundleReport, to html: inout HTMLWriter) {
        guard !report.stripped.isEmpty else { return }
        html.element(.details) { html in
            html.element(.summary, text: "Left out when it came in (\(report.stripped.count))")
            html.element(.ul) { html in
                for file in report.stripped.prefix(ReleasePage.mostFiles) {
                    html.element(.li) { html in
                        html.code(file.path)
                        html.element(.span, text: " \(file.kind.rawValue), \(ByteCountText.of(file.byteCount))") {
                            $0.set(.class, "soft small")
                        }
                    }
                }
            }
        }
    }

    /// Lines for those who want this release and no other.
    private func lines(to html: inout HTMLWriter) {
        // Of letters that a shell takes as they are, which the name of a folder need not have.
        let file = "\(bundle.identifier)-\(release.key).zip"
        html.section("Pin it", id: "use") { html in
            html.paragraph("The address names the bytes: it never leads to others.", class: "soft")
            html.copyLine(
                "Download with curl, and compare the digest",
                "curl -Lo '\(file)' '\(address)\(RegistryPath.blob(release.digest))'\n"
                    + "echo '\(release.digest.hex)  \(file)' | sha256sum -c")
        }
    }

    // MARK: Screens

    private func screens(to html: inout HTMLWriter) {
        guard let facts = view.facts, !facts.screens.isEmpty else { return }
        let titles = Dictionary(facts.screens.map { ($0.name, $0.title) }) { first, _ in first }
        html.section("Screens", id: "screens") { html in
            html.paragraph(
                "Each with the screens that it leads to. The first is the one that the widget begins with.",
                class: "soft")
            html.element(.ol) {
                $0.set(.class, "map")
            } content: { html in
                for screen in facts.screens {
                    html.element(.li) {
                        $0.set(.id, "screen-\(PercentEncoding.segment(screen.name))")
                    } content: { html in
                        if let still = screen.still, view.parts.contains(still) {
                            html.still(bundle.identifier, release.key, still, "Screen \(screen.title)")
                        } else {
                            html.box(class: "screen none") { $0.text("no still of this screen") }
                        }
                        html.element(.h3, text: screen.title)
                        if screen.title != screen.name { html.element(.p) { $0.code(screen.name) } }
                        ways(screen.ways.filter { titles[$0] != nil }, titles, to: &html)
                    }
                }
            }
        }
    }

    private func ways(_ names: [String], _ titles: [String: String], to html: inout HTMLWriter) {
        guard !names.isEmpty else { return }
        html.element(.p) {
            $0.set(.class, "small")
        } content: { html in
            html.element(.span, text: "leads to ") { $0.set(.class, "soft") }
            for (place, name) in names.prefix(12).enumerated() {
                if place > 0 { html.text(", ") }
                html.link("#screen-\(PercentEncoding.segment(name))", titles[name] ?? name)
            }
        }
    }

    // MARK: Files

    private func files(to html: inout HTMLWriter) {
        guard let report = view.report else { return }
        html.section("Files", id: "files") { html in
            html.box(class: "scroll") { html in
                html.element(.table) {
                    $0.set(.class, "fold")
                } content: { html in
                    html.element(.caption, text: "\(GalleryText.count(report.kept.count, "file")), unpacked")
                    html.tableHead(["File", "What it is", "Size"])
                    html.element(.tbody) { html in
                        for file in report.kept.prefix(ReleasePage.mostFiles) {
                            html.element(.tr) { html in
                                html.element(.th) {
                                    $0.set(.scope, "row")
                                } content: { html in
                                    html.element(.a) {
                                        $0.set(.href, FilePage.address(bundle.identifier, release.key, file.path))
                                    } content: {
                                        $0.code(file.path)
                                    }
                                }
                                html.element(.td, text: file.kind.rawValue)
                                html.element(.td, text: ByteCountText.of(file.byteCount)) {
                                    $0.set(.class, "number line")
                                }
                            }
                        }
                    }
                }
            }
            if report.kept.count > ReleasePage.mostFiles {
                html.element(.p) { html in
                    html.text("And \(report.kept.count - ReleasePage.mostFiles) more in ")
                    html.link("\(document)/files", "the list of files")
                    html.text(".")
                }
            }
        }
    }
}
