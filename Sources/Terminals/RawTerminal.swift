internal import CLinux
internal import Glibc

/// The terminal that the program was started from, taken over as a whole: keys come as they are pressed, and what is
/// shown is drawn. It is given back on every way out.
package enum RawTerminal {
    private static let input: Int32 = 0
    private static let output: Int32 = 1

    package struct Size: Equatable, Sendable {
        package var columns: Int
        package var rows: Int

        package init(columns: Int, rows: Int) {
            self.columns = columns
            self.rows = rows
        }
    }

    /// Whether there is a terminal at both ends, and one that can be drawn on.
    package static var isThere: Bool {
        isatty(input) == 1 && isatty(output) == 1 && size != nil
    }

    /// - Returns: whether it could be taken over.
    package static func enter() -> Bool { linux_terminal_enter(input, output) == 0 }

    package static func leave() { linux_terminal_leave() }

    /// As a shell's user asks for with control and z; returns when the program is to go on.
    package static func stop() { linux_terminal_stop() }

    package static var size: Size? {
        var (columns, rows): (Int32, Int32) = (0, 0)
        // Safe: the call writes two numbers that live here until it has returned.
        guard unsafe linux_terminal_size(output, &columns, &rows) == 0 else { return nil }
        return Size(columns: Int(columns), rows: Int(rows))
    }

    /// What the terminal has to say.
    package enum Notice: Sendable {
        case bytes([UInt8])
        /// Its size may be another one, and what was drawn may be gone.
        case changed
        /// There is no terminal any more.
        case gone
    }

    /// Waits for the terminal, at most so long; `nil` when nothing has happened.
    package static func next(milliseconds: Int32) -> Notice? {
        var waited = [
            pollfd(fd: input, events: Int16(POLLIN), revents: 0),
            pollfd(fd: linux_terminal_bell(), events: Int16(POLLIN), revents: 0),
        ]
        // Safe: the call reads and writes two elements, which live here until it has returned.
        let count = unsafe poll(&waited, 2, milliseconds)
        if linux_terminal_answer_bell() != 0 { return .changed }
        guard count > 0, waited[0].revents != 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        // Safe: no more is read than the array has room for.
        let read = unsafe bytes.withUnsafeMutableBytes { unsafe Glibc.read(input, $0.baseAddress, $0.count) }
        guard read > 0 else { return .gone }
        return .bytes(Array(bytes[..<read]))
    }
}
