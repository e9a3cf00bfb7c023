import WidgetBytes
import WidgetConsole
import WidgetRender

/// The place for what a package's build and its program print: standard error, or a screen.
final class PackageOutput: Sendable {
    /// A line of the program, or the step that the build has reached, which is `nil` at its end.
    enum Event: Sendable {
        case line(String)
        case step(String?)
    }

    private struct State {
        var screen: (@Sendable (Event) -> Void)?
        var isStepShown = false
    }

    private let state = Guarded(State())
    private let terminal: Terminal

    /// The columns of a step on standard error.
    private static let width = 78

    init(_ terminal: Terminal) { self.terminal = terminal }

    /// Sends everything to a screen from now on; `nil`: to standard error again.
    func redirect(to screen: (@Sendable (Event) -> Void)?) { state.withLock { $0.screen = screen } }

    func show(line: String) {
        if let screen = screen { return screen(.line(line)) }
        state.withLock { clear(&$0) }
        terminal.report([QuotedText.plain(line)])
    }

    /// Shows a step of the build on a terminal, in place of the one before.
    func show(step: String) {
        if let screen = screen { return screen(.step(step)) }
        guard terminal.error.isWatched else { return }
        let text = TextFlow.cut(QuotedText.plain("building  \(step)"), PackageOutput.width)
        state.withLock { $0.isStepShown = true }
        _ = terminal.error.write(Array("\r\(text)\u{1B}[K".utf8))
    }

    /// Removes the last step.
    func endBuild() {
        if let screen = screen { return screen(.step(nil)) }
        state.withLock { clear(&$0) }
    }

    private var screen: (@Sendable (Event) -> Void)? { state.withLock { $0.screen } }

    private func clear(_ state: inout State) {
        guard state.isStepShown else { return }
        state.isStepShown = false
        _ = terminal.error.write(Array("\r\u{1B}[K".utf8))
    }
}
