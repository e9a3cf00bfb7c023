import WidgetBytes
import WidgetConsole
import WidgetCore
import WidgetFindings
import WidgetRender

/// The diagnostics of a running widget that its viewer has not seen: each is shown once, one after another.
struct UnseenDiagnostics {
    private let terminal: Terminal
    private let complaints: ([Finding]) -> [BundleComplaint]
    private var known: Set<Finding> = []
    private var waiting: [Finding] = []

    init(_ options: RunningOptions) {
        terminal = options.terminal
        complaints = { options.complaints($0) }
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
        BundleComplaints(complaints(waiting)).show(on: terminal)
        waiting = []
    }

    /// Removes the findings of the line that is on the screen.
    mutating func advance() {
        guard let shown = FindingLine.of(waiting).first?.all else { return }
        waiting.removeAll { shown.contains($0) }
    }

    /// The lines of the one that is on the screen; empty without one.
    func lines(width: Int) -> [String] {
        let all = complaints(waiting)
        guard let first = all.first else { return [] }
        let others = all.count > 1 ? "(1 of \(all.count); a key shows the next) " : ""
        let text = "\(first.severity.rawValue): \(others)\(([first.text] + first.hints).joined(separator: "; "))"
        return NoticeText.lines(text, width: width)
    }
}

/// The faults that pages show, printed to standard error: each once for a save, and not again while it stays.
final class SaidComplaints: Sendable {
    private struct State {
        /// The number of the last save.
        var save = 0
        /// Those of the last save, and those of the save before.
        var now: Set<BundleComplaint> = []
        var before: Set<BundleComplaint> = []

        mutating func isNew(_ complaint: BundleComplaint, of save: Int) -> Bool {
            guard save == self.save else {
                return before.count < mostKnown && before.insert(complaint).inserted && !now.contains(complaint)
            }
            return now.count < mostKnown && now.insert(complaint).inserted && !before.contains(complaint)
        }
    }

    /// The most faults that are remembered, so that pages cannot fill the memory with them.
    private static let mostKnown = 1_000

    private let terminal: Terminal
    private let state = Guarded(State())

    init(_ terminal: Terminal) {
        self.terminal = terminal
    }

    /// The source was saved. What is said of it after the next save as well is not repeated.
    ///
    /// - Returns: the number of the save.
    func begin() -> Int {
        state.withLock { state in
            state = State(save: state.save + 1, before: state.now)
            return state.save
        }
    }

    /// - Parameter save: the number of the save that has them; 0 before the first. A page may still show an older one.
    func say(_ complaints: [BundleComplaint], of save: Int) {
        guard !complaints.isEmpty else { return }
        let new = state.withLock { state in
            complaints.filter { state.isNew($0, of: save) }
        }
        BundleComplaints(new).show(on: terminal)
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
