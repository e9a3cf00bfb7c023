import Bytes
import Console
import WidgetCore
import WidgetRender

/// The diagnostics of a running widget that its viewer has not seen: each is shown once, one after another.
struct UnseenDiagnostics {
    private let terminal: Terminal
    private let complaint: (Diagnostic) -> BundleComplaint
    private var known: Set<Diagnostic> = []
    private var waiting: [Diagnostic] = []

    init(_ options: RunningOptions) {
        terminal = options.terminal
        complaint = options.complaint
    }

    /// Takes the diagnostics of the present view. Those that are no longer there are forgotten, so that a fault that
    /// comes back is shown again.
    mutating func update(_ view: View) {
        let present = Set(view.diagnostics)
        waiting.removeAll { !present.contains($0) }
        known.formIntersection(present)
        for diagnostic in view.diagnostics where known.insert(diagnostic).inserted { waiting.append(diagnostic) }
    }

    /// Prints those that wait to standard error.
    mutating func show() {
        BundleComplaints(waiting.map(complaint)).show(on: terminal)
        waiting = []
    }

    /// Removes the one that is on the screen.
    mutating func advance() {
        if !waiting.isEmpty { waiting.removeFirst() }
    }

    /// The lines of the one that is on the screen; empty without one.
    func lines(width: Int) -> [String] {
        guard let first = waiting.first.map(complaint) else { return [] }
        let others = waiting.count > 1 ? "(1 of \(waiting.count); a key shows the next) " : ""
        let text = "\(first.severity.rawValue): \(others)\(([first.text] + first.hints).joined(separator: "; "))"
        return NoticeText.lines(text, width: width)
    }
}

/// A sentence for the last lines of the screen.
enum NoticeText {
    /// The most lines that it takes.
    private static let lineCount = 3

    static func lines(_ text: String, width: Int) -> [String] {
        let lines = TextFlow.lines(QuotedText.plain(text), width: width)
        guard lines.count > lineCount else { return lines }
        return lines.prefix(lineCount - 1) + [lines[lineCount - 1] + "…"]
    }
}
