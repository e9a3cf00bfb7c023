import CommandSupport
import Foundation
import WidgetConsole
import WidgetSurroundings
import WidgetTestSupport

/// A terminal that the program runs on in this process. It is used by suites with threads to themselves, because the
/// program continues while a test waits.
final class CalledTerminal {
    private let terminal: RecordedTerminal
    private let call: CalledRun

    init(
        _ arguments: [String], environment: [String: String] = [:], columns: Int = 80, clock: ManualClock? = nil,
        programs: (any Programs)? = nil
    ) throws {
        terminal = RecordedTerminal(
            environment: ["TERM": "xterm", "LANG": "C.UTF-8"].merging(environment) { $1 }, isWatched: true,
            size: TerminalSize(columns: columns, rows: 24))
        call = Program.called.start(arguments, on: terminal, clock: clock, programs: programs)
    }

    deinit {
        terminal.endInput()
        terminal.end()
    }

    func resize(columns: Int, rows: Int) { terminal.resize(TerminalSize(columns: columns, rows: rows)) }

    var shown: String { terminal.shown }

    /// True if keys arrive as they are pressed.
    var isRaw: Bool { terminal.isRaw }

    func type(_ text: String) { terminal.type(text) }

    /// Asks the program for its end, as a signal does.
    func interrupt() { terminal.end() }

    /// Waits for a text in the output from now on.
    func waits(for text: String) -> Bool { terminal.waits(for: text) }

    /// The same, while time passes for a watch of files: it waits for a quiet moment after each notice of the system, and one of
    /// a file that was just written may come later than others.
    func waits(for text: String, while clock: ManualClock) async -> Bool {
        await clock.moving(whenever: 2) { waits(for: text) }
    }

    /// Waits until the output so far has something.
    func shows(_ holds: (String) -> Bool) -> Bool { terminal.shows(holds) }

    /// Waits until the program waits for input, and does nothing else.
    func rests() -> Bool { terminal.awaitsInput() && call.rests() }

    /// Lets time pass after files were written, and returns when the program waits for input again.
    ///
    /// - Parameter quiet: long enough by default for the program to read them.
    func notices(_ clock: ManualClock, after quiet: Duration = .milliseconds(50)) async {
        // The watch of files looks from time to time, and waits for a quiet moment after a change.
        await clock.waits(for: 2)
        clock.advance(by: quiet)
        _ = rests()
    }

    func end() -> PseudoTerminal.End {
        call.code(within: .seconds(60)).map { .exited($0) } ?? .signalled(0)
    }
}
