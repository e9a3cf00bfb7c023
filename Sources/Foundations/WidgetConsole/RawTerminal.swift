internal import CWidgetLinux
internal import Glibc

/// A screen that a program draws as a whole, with keys that arrive as they are pressed.
package protocol KeyedScreen: Sendable {
    /// The size; `nil` if it is not known.
    var size: TerminalSize? { get }

    /// Takes the screen over.
    ///
    /// - Returns: whether that was possible.
    func enter() -> Bool

    /// Gives the screen back as it was.
    func leave()

    /// Stops the program as control-Z does in a shell; returns when the shell continues it.
    func stop()

    /// Waits for the next event; `nil` when the time is over.
    func next(milliseconds: Int32) -> ScreenNotice?
}

package struct TerminalSize: Equatable, Sendable {
    package var columns: Int
    package var rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}

/// An event of a screen.
package enum ScreenNotice: Sendable {
    case bytes([UInt8])
    /// The size may have changed, and the screen may have been cleared.
    case changed
    /// The terminal was closed.
    case gone
}

/// The terminal that the program was started from, in raw mode. Its mode is restored on every way out.
struct RawTerminal: KeyedScreen {
    private static let input: Int32 = 0
    private static let output: Int32 = 1

    /// The terminal, if input and output are one and the size of the screen is known.
    static var available: RawTerminal? {
        let terminal = RawTerminal()
        return isatty(input) == 1 && isatty(output) == 1 && terminal.size != nil ? terminal : nil
    }

    func enter() -> Bool { linux_terminal_enter(RawTerminal.input, RawTerminal.output) == 0 }

    func leave() { linux_terminal_leave() }

    func stop() { linux_terminal_stop() }

    var size: TerminalSize? {
        var (columns, rows): (Int32, Int32) = (0, 0)
        // Safe: the call writes two numbers that live here until it has returned.
        guard unsafe linux_terminal_size(RawTerminal.output, &columns, &rows) == 0 else { return nil }
        return TerminalSize(columns: Int(columns), rows: Int(rows))
    }

    func next(milliseconds: Int32) -> ScreenNotice? {
        var waited = [
            pollfd(fd: RawTerminal.input, events: Int16(POLLIN), revents: 0),
            pollfd(fd: linux_terminal_bell(), events: Int16(POLLIN), revents: 0),
        ]
        // Safe: the call reads and writes two elements, which live here until it has returned.
        let count = unsafe poll(&waited, 2, milliseconds)
        if linux_terminal_answer_bell() != 0 { return .changed }
        guard count > 0, waited[0].revents != 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        // Safe: no more is read than the array has room for.
        let read = unsafe bytes.withUnsafeMutableBytes {
            unsafe Glibc.read(RawTerminal.input, $0.baseAddress, $0.count)
        }
        guard read > 0 else { return .gone }
        return .bytes(Array(bytes[..<read]))
    }
}

/// The lines that a terminal shows, so that only changed lines are written.
package struct DrawnScreen: Sendable {
    private var lines: [String] = []
    private var size: TerminalSize?

    package init() {}

    /// Forgets the lines, so that the next update draws all of them.
    package mutating func forget() {
        lines = []
        size = nil
    }

    /// Returns the text to write so that the terminal shows these lines. A line is at most as wide as the screen and
    /// holds no cursor movement.
    package mutating func update(to new: [String], _ size: TerminalSize) -> String {
        var text = ""
        if self.size != size {
            text += "\u{1B}[0m\u{1B}[2J"
            lines = []
        }
        let shown = Array(new.prefix(size.rows))
        for row in 0..<max(shown.count, lines.count) {
            let line = row < shown.count ? shown[row] : ""
            guard row >= lines.count || lines[row] != line else { continue }
            text += "\u{1B}[\(row + 1);1H\u{1B}[2K\(line)"
        }
        (lines, self.size) = (shown, size)
        return text
    }
}
