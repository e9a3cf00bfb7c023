internal import RegistryContract
internal import WidgetBundles
internal import WidgetBytes
internal import WidgetFindings
internal import WidgetMarkup
internal import WidgetRegistry

/// Parts that the pages of bundles and of releases share.
extension HTMLWriter {
    mutating func tableHead(_ names: [String]) {
        element(.thead) { html in
            html.element(.tr) { html in
                for name in names { html.element(.th, text: name) { $0.set(.scope, "col") } }
            }
        }
    }

    /// The icon, the name and the identifier of a bundle, and the way to another page about it.
    mutating func bundleTitle(_ entry: CatalogueEntry, to address: String, _ title: String) {
        let bundle = entry.bundle
        box(class: "title") { html in
            html.icon(entry, class: "icon large")
            html.element(.div) { html in
                html.element(.h1, text: bundle.name)
                html.element(.p) {
                    $0.set(.class, "soft")
                } content: {
                    $0.code(bundle.identifier)
                }
            }
            html.link(address, title, class: "button quiet")
        }
    }

    /// The head of a release's row: its key, which leads to its page unless it is gone.
    mutating func releaseHead(_ release: Release) {
        element(.th) {
            $0.set(.scope, "row")
        } content: { html in
            if !release.isGone {
                html.link(PagePath.release(release.bundleIdentifier, release.key), release.key)
            } else {
                html.element(.del, text: release.key)
            }
        }
    }

    /// The channels that show a release, and what else there is to know before it is chosen.
    mutating func releaseChips(_ release: Release) {
        for channel in release.channels { chip(channel, "good") }
        if release.isSnapshot { chip("snapshot") }
        if let withdrawal = release.withdrawal { chip("withdrawn: \(withdrawal.reason)", "bad") }
        if let expiry = release.expiry { chip("expired: \(expiry.rule)") }
    }

    /// The still of a screen in a device's frame, or the reason why it is missing, and *Run* where releases run.
    mutating func device(
        _ view: ReleaseView, _ still: StillChoice?, _ label: String, _ choice: DeviceChoice = DeviceChoice()
    ) {
        box(class: choice.size == .phone ? "device" : "device \(choice.size.rawValue)") { html in
            html.stage(view, still, label)
        }
        if let still, !still.isExact {
            element(.p) {
                $0.set(.class, "small soft")
                $0.set(.dataAct, "inexact")
            } content: {
                $0.text(
                    still.size == choice.size
                        ? "No still was made of all that you have chosen"
                        : "This still is of a \(still.size.name.lowercased()), as none was made of all that you have chosen"
                )
                $0.text(view.runs ? "; what runs is as you have chosen." : ".")
            }
        }
        RunOnPage(view: view).write(to: &self)
        if case .off(let reason) = view.running, view.hasScreens, view.obstacles.isEmpty {
            paragraph(reason, class: "small soft")
        }
        shortcomings(view)
    }

    /// The still of a screen, and what a script has to know to run the release in its place.
    mutating func stage(_ view: ReleaseView, _ still: StillChoice?, _ label: String) {
        let running = view.runs ? RunOnPage(view: view) : nil
        element(.div) {
            $0.set(.class, "place")
            running?.set(&$0)
        } content: { html in
            if let still {
                html.still(view.bundle.identifier, view.release.key, still.part, label)
            } else {
                html.box(class: "empty") { html in
                    html.icon(view.entry, class: "icon large")
                    html.paragraph(view.stillAbsence)
                }
            }
            guard running != nil else { return }
            html.element(.button, text: "Run") {
                $0.set(.type, "button")
                $0.set(.class, "run")
                $0.set(.dataAct, "run")
                $0.set(.hidden, if: true)
            }
        }
    }

    /// The reasons why a release does not run, or not as a whole.
    mutating func shortcomings(_ view: ReleaseView) {
        if !view.obstacles.isEmpty { note("This release does not run.", view.obstacles) }
        guard !view.gaps.isEmpty else { return }
        note(
            view.hasScreens ? "A part of this release cannot be read." : "Hosts that get this release show nothing.",
            view.gaps)
    }

    private mutating func note(_ sentence: String, _ findings: [Finding]) {
        box(class: "note warn") { html in
            html.paragraph(sentence)
            for line in FindingLine.of(findings).prefix(10) { html.finding(line) }
        }
    }

    /// A kind of findings in a file of the bundle: what is wrong there, the remedy, the places.
    mutating func finding(_ line: FindingLine) {
        box(class: "finding") { html in
            html.paragraph(([line.first.message] + line.hints).joined(separator: "; "))
            html.element(.p) {
                $0.set(.class, "small")
            } content: { html in
                if let place = line.first.place, place.isNamed {
                    html.code(place.description)
                    html.text(" ")
                }
                html.chip(line.first.code.rawValue, line.severity == .error ? "bad" : "warn")
                if line.count > 1 { html.text(line.rest) }
            }
        }
    }

    /// A report as one line.
    mutating func reportLine(_ report: BundleReport?) {
        guard let report else { return text("The report is a later program's, and is not understood here.") }
        text("\(GalleryText.count(report.kept.count, "file")) kept")
        if !report.stripped.isEmpty { text(", \(report.stripped.count) left out") }
        let remarks = report.findings.count + report.warnings.count
        text(remarks == 0 ? ", nothing to remark. " : ", \(GalleryText.count(remarks, "remark")). ")
    }

    /// The archive, with its size, and what it holds.
    mutating func download(_ view: ReleaseView) {
        fact("Download") { html in
            html.link(RegistryPath.blob(view.release.digest), "\(view.release.name).zip")
            html.text(", \(ByteCountText.of(view.release.byteCount))")
            guard let files = view.report?.kept, !files.isEmpty else { return }
            let size = files.reduce(0) { $0 + $1.byteCount }
            html.text("; \(GalleryText.count(files.count, "file")), \(ByteCountText.of(size)) unpacked")
        }
    }

    /// Facts about what a release asks of a host.
    mutating func needs(_ view: ReleaseView) {
        let release = view.release
        let versions = [
            release.minimumOSVersion.map { "system \($0)" }, release.minimumHostVersion.map { "host \($0)" },
        ].compactMap(\.self)
        if !versions.isEmpty {
            fact("Needs") { $0.text("\(versions.joined(separator: ", ")) or later") }
        }
        let languages = DeviceControls.languages(of: view.report)
        if !languages.isEmpty { fact("Languages") { $0.text(languages.joined(separator: ", ")) } }
        guard let facts = view.facts else { return }
        fact("Asks") { html in
            if facts.hosts.isEmpty { html.text("no server") }
            for (place, host) in facts.hosts.prefix(8).enumerated() {
                if place > 0 { html.text(", ") }
                html.code(host)
            }
            if facts.hosts.count > 8 { html.text(" and \(facts.hosts.count - 8) more") }
        }
        if !facts.records.isEmpty {
            fact("Keeps") { html in
                let names = facts.records.prefix(8).joined(separator: ", ")
                html.text("records on the device: \(names)\(facts.records.count > 8 ? " and more" : "")")
            }
        }
        if facts.picksMedia { fact("Media") { $0.text("lets people pick pictures or films") } }
        if !facts.needs.isEmpty { fact("Abilities") { $0.text(facts.needs.joined(separator: ", ")) } }
    }
}
