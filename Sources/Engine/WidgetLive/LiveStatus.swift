internal import WidgetBytes
package import WidgetCore
internal import WidgetHosting
internal import WidgetRender
internal import WidgetRunning

/// The line of a page about the widget: it belongs to the frame, and never to the widget.
package struct LiveStatus: Equatable, Sendable {
    /// The reason why the last change of the program was refused.
    package var warning: String?
    /// The reason why this page has taken the place of another.
    package var beginning: String?
    /// The reason why an action did nothing.
    package var notice: String?
    /// The address that the widget wants to open, which a person may follow.
    package var address: String?
    /// The programs that the widget has had, and those that it was to have.
    package var revision = 0
    package var attempt = 0
    /// The times that a reader can go back, and the link to the screen that is shown.
    package var depth = 0
    package var link: String?
    /// The item that was revealed last.
    package var revealed: RevealedPlace?
    /// The faults of the program, on a page with a workbench; `nil` on others.
    package var findings: [LiveFinding]?
    private var words = SystemWords.english

    package init() {}

    init(_ snapshot: RunningWidget.Snapshot, beginning: String?, address: String?) {
        self.beginning = beginning
        warning = snapshot.warning
        notice = snapshot.notice
        self.address = address
        revision = snapshot.revision
        attempt = snapshot.attempt
        (depth, link) = (snapshot.place.depth, snapshot.place.link)
        revealed = snapshot.place.revealed
        words = snapshot.view.words
    }

    /// The sentences of the line. A link to the address comes after them.
    package var text: String {
        let count = attempt > 1 ? "\(ReloadCount(revision: revision, attempt: attempt))" : nil
        let opening = address.map { _ in "\(words[.wantsToOpen]) " }
        let counts = findings.flatMap { LiveFinding.counts($0) }.map { "\($0)." }
        return [warning, beginning, notice, count, counts, opening].compactMap { $0 }.joined(separator: " ")
    }

    /// The parts by their names.
    private var parts: [String: String] {
        [
            "text": text, "revision": "\(revision)", "attempt": "\(attempt)", "depth": "\(depth)",
            "open": link.map { PercentEncoding.segment($0) } ?? "",
        ]
    }

    /// The parts that differ from those of an earlier line.
    ///
    /// - Parameter letter: of the widget on its page.
    func changes(from old: LiveStatus?, letter: String = "a") -> [PageOperation] {
        let own =
            findings == old?.findings
            ? []
            : findings.map { list in
                [PageOperation.replace(Workbench.findingsName(letter), html: Workbench.list(list, letter: letter))]
            }
        return (own ?? []) + sentences(since: old, letter: letter)
    }

    private func sentences(since old: LiveStatus?, letter: String) -> [PageOperation] {
        let known = old?.parts ?? [:]
        var changed = parts.filter { $0.value != known[$0.key] }
        // The text takes the place of the link.
        if address != old?.address { changed["text"] = text }
        guard !changed.isEmpty else { return [] }
        let status = PageOperation.status(changed.mapValues { .some($0) })
        guard changed["text"] != nil, let address else { return [status] }
        return [status, .insert(into: LiveFrame.statusName(letter), before: nil, html: LiveFrame.link(address))]
    }
}

extension HostRequest {
    /// The address that a person may follow; `nil` for one that pages never link to.
    var address: String? {
        guard case .open(let address) = self, address.utf8.count <= 2_000 else { return nil }
        let lower = address.lowercased()
        return ["https://", "http://", "mailto:", "tel:"].contains { lower.hasPrefix($0) } ? address : nil
    }
}
