internal import Foundation
package import WidgetConsole
internal import WidgetSurroundings
internal import WidgetTestSupport

/// A terminal that keeps what is written to it, and from which lines are read as a test types them.
package final class RecordedTerminal: Sendable {
    private struct State {
        var output: [UInt8] = []
        var error: [UInt8] = []
        /// All bytes in the order in which they were written.
        var shown: [UInt8] = []
        /// The number of bytes that earlier waits have passed.
        var seen = 0
        var input: [UInt8] = []
        var hasEnded = false
        var size: TerminalSize
        var hasChanged = false
        var isRaw = false
        /// True while the program waits for input.
        var isAwaiting = false

        var hasLine: Bool { hasEnded || input.contains(0x0A) }
        var hasNotice: Bool { hasEnded || hasChanged || !input.isEmpty }
    }

    /// The whole screen, for programs that draw.
    private struct Screen: KeyedScreen {
        let content: Observed<State>

        var size: TerminalSize? { content.change { $0.size } }

        func enter() -> Bool {
            content.change { $0.isRaw = true }
            return true
        }

        func leave() { content.change { $0.isRaw = false } }

        func stop() {}

        func next(milliseconds: Int32) -> ScreenNotice? {
            content.change { if !$0.hasNotice { $0.isAwaiting = true } }
            return content.takes(within: .milliseconds(milliseconds)) { state -> ScreenNotice? in
                if state.hasNotice { state.isAwaiting = false }
                if state.hasChanged {
                    state.hasChanged = false
                    return .changed
                }
                guard state.input.isEmpty else {
                    defer { state.input = [] }
                    return .bytes(state.input)
                }
                return state.hasEnded ? .gone : nil
            }
        }
    }

    private let content: Observed<State>
    private let environment: [String: String]
    private let isWatched: Bool
    private let hasScreen: Bool
    private let ending = StopSignal(SystemClock())

    /// - Parameters:
    ///   - isWatched: whether both streams are terminals.
    ///   - size: that of a screen that programs can draw; `nil` for a terminal of lines.
    package init(environment: [String: String] = [:], isWatched: Bool = false, size: TerminalSize? = nil) {
        content = Observed(State(size: size ?? TerminalSize(columns: 80, rows: 24)))
        hasScreen = size != nil
        self.environment = environment
        self.isWatched = isWatched
    }

    /// The terminal as a program takes it.
    package var terminal: Terminal {
        Terminal(
            output: TerminalStream(isWatched: isWatched) { [content] bytes in
                content.change {
                    $0.output += bytes
                    $0.shown += bytes
                }
                return bytes.count
            },
            error: TerminalStream(isWatched: isWatched) { [content] bytes in
                content.change {
                    $0.error += bytes
                    $0.shown += bytes
                }
                return bytes.count
            }, environment: environment, screen: hasScreen ? Screen(content: content) : nil, ending: ending,
            nextLine: { [content] in
                content.change { if !$0.hasLine { $0.isAwaiting = true } }
                return content.takes(within: nil) { state -> String?? in
                    if state.hasLine { state.isAwaiting = false }
                    let count = state.input.firstIndex(of: 0x0A).map { $0 + 1 } ?? state.input.count
                    let isWhole = count > 0 && state.input[count - 1] == 0x0A
                    guard isWhole || state.hasEnded else { return nil }
                    let line = String(decoding: state.input[..<count], as: UTF8.self)
                    state.input.removeFirst(count)
                    return .some(line.isEmpty ? nil : line)
                } ?? nil
            })
    }

    package var output: String { content.change { String(decoding: $0.output, as: UTF8.self) } }

    package var error: String { content.change { String(decoding: $0.error, as: UTF8.self) } }

    /// All that was written, in its order.
    package var shown: String { content.change { String(decoding: $0.shown, as: UTF8.self) } }

    package func type(_ text: String) {
        content.change {
            $0.input += Array(text.utf8)
            $0.isAwaiting = false
        }
    }

    /// Waits until the program waits for input, and all that was typed is read.
    package func awaitsInput() -> Bool { content.reaches { $0.isAwaiting } }

    /// There are no more lines after those that were typed.
    package func endInput() { content.change { $0.hasEnded = true } }

    package func resize(_ size: TerminalSize) {
        content.change {
            $0.size = size
            $0.hasChanged = true
        }
    }

    /// True if keys arrive as they are pressed.
    package var isRaw: Bool { content.change { $0.isRaw } }

    /// Asks the command for its end, as a signal does.
    package func end() { ending.give() }

    /// The longest wait for a text. A busy machine makes a program late, and lateness is not a failure.
    private static let patience = Duration.seconds(240)

    /// Waits for a text after what earlier waits have passed.
    package func waits(for text: String) -> Bool {
        content.takes(within: RecordedTerminal.patience) { state -> Bool? in
            guard String(decoding: state.shown[state.seen...], as: UTF8.self).contains(text) else { return nil }
            state.seen = state.shown.count
            return true
        } ?? false
    }

    /// Waits until all that was written has something.
    package func shows(_ holds: (String) -> Bool) -> Bool {
        content.takes(within: RecordedTerminal.patience) { state -> Bool? in
            guard holds(String(decoding: state.shown, as: UTF8.self)) else { return nil }
            state.seen = state.shown.count
            return true
        } ?? false
    }
}
