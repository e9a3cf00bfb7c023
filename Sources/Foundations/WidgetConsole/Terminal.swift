internal import WidgetBytes
internal import WidgetLogging
package import WidgetSurroundings
internal import WidgetSystemCalls

/// The console of one run of a program, as its commands see it: two streams of output, an input and an environment.
///
/// A program takes ``standard`` from its process and hands it to its commands, which touch nothing global. Tests hand in
/// their own.
package struct Terminal: Sendable {
    /// Results.
    package var output: TerminalStream
    /// Errors, remarks and progress.
    package var error: TerminalStream
    /// The variables of the environment. Programs that are started get all of them.
    package var environment: [String: String]
    /// The file of this program, to start it once more.
    package var executable: String
    /// The whole screen, if the program was started from one.
    package var screen: (any KeyedScreen)?
    /// Ends a command that would run on; `nil` where signals of the system do.
    package var ending: StopSignal?
    private let nextLine: @Sendable () -> String?

    /// - Parameter nextLine: returns the next line of the input with its end, and `nil` when there are no more.
    package init(
        output: TerminalStream, error: TerminalStream, environment: [String: String] = [:],
        executable: String = Terminal.running,
        screen: (any KeyedScreen)? = nil, ending: StopSignal? = nil,
        nextLine: @escaping @Sendable () -> String? = { nil }
    ) {
        self.output = output
        self.error = error
        self.environment = environment
        self.executable = executable
        self.screen = screen
        self.ending = ending
        self.nextLine = nextLine
    }

    /// The streams and the environment of this process; for the beginning of a program alone.
    package static var standard: Terminal {
        Terminal(
            output: .standard(.output), error: .standard(.error), environment: ProcessEnvironment.all,
            screen: RawTerminal.available, nextLine: { Swift.readLine(strippingNewline: false) })
    }

    /// The name of the file that runs, also while another one takes its place.
    package static var running: String { "/proc/self/exe" }

    /// Discards all output, and has no input and no environment.
    package static var none: Terminal { Terminal(output: .discarding, error: .discarding) }

    /// True if the output is read on a terminal, so that colours help.
    package var isWatched: Bool { output.isWatched }

    /// The value of a variable of the environment; `nil` if it is not set or empty, which mean the same here.
    package func variable(_ name: String) -> String? {
        environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The directory for temporary files: `TMPDIR` if that is set, else `/tmp`.
    package var temporary: String { variable("TMPDIR") ?? "/tmp" }

    /// The variables as programs that are started take them.
    package var pairs: [String] { environment.map { "\($0.key)=\($0.value)" }.sorted() }

    /// Returns the next line of the input; `nil` after the last one.
    package func readLine(strippingNewline: Bool = true) -> String? {
        guard var line = nextLine() else { return nil }
        if strippingNewline, line.last?.isNewline ?? false { line.removeLast() }
        return line
    }

    /// Prints the result of a command; a result that cannot be printed is a failure.
    package func print(_ text: String) -> ExitCode {
        print(Array(text.utf8))
    }

    package func print(_ bytes: [UInt8]) -> ExitCode {
        output.write(bytes) == bytes.count ? .clean : .failed
    }

    /// Prints a remark on an action that succeeded.
    package func warn(_ message: String, hints: [String] = []) {
        report(["warning: \(message)"] + hints.map { "hint: \($0)" })
    }

    /// Prints lines of another program on standard error.
    package func report(_ lines: [String]) {
        _ = error.write(Array(lines.map { $0 + "\n" }.joined().utf8))
    }

    /// - Parameters:
    ///   - details: a line for each of several faults.
    ///   - reference: the text to quote in a report of the failure.
    package func complain(
        _ message: String, details: [String] = [], hints: [String] = [], reference: String? = nil
    ) {
        let text = Complaint.text(
            message, details: details, hints: hints, reference: reference, usesColor: error.isWatched)
        _ = error.write(Array(text.utf8))
    }
}

/// A stream of output: where bytes go, and whether a person is likely to read them.
package struct TerminalStream: Sendable {
    package let isWatched: Bool
    private let take: @Sendable ([UInt8]) -> Int

    /// - Parameter take: takes bytes, and returns how many of them it took.
    package init(isWatched: Bool = false, take: @escaping @Sendable ([UInt8]) -> Int) {
        self.isWatched = isWatched
        self.take = take
    }

    /// A stream of this process.
    static func standard(_ stream: StandardStream) -> TerminalStream {
        TerminalStream(isWatched: stream.isTerminal) { stream.write($0) }
    }

    static let discarding = TerminalStream { $0.count }

    /// Writes as much as it can and returns how many bytes that was.
    package func write(_ bytes: [UInt8]) -> Int { take(bytes) }
}

/// The text that a program prints on standard error when it fails.
package enum Complaint {
    /// One `error:` line, a line for each detail, a `hint:` line for each hint, and the reference for a report.
    ///
    /// - Parameter usesColor: whether a terminal shows the reference dim.
    package static func text(
        _ message: String, details: [String] = [], hints: [String] = [], reference: String? = nil,
        usesColor: Bool = false
    ) -> String {
        var lines = ["error: \(message)"] + details.map { "  \($0)" } + hints.map { "hint: \($0)" }
        if let reference {
            let line = "for reports: \(reference)"
            lines.append(usesColor ? "\u{1B}[2m\(line)\u{1B}[0m" : line)
        }
        return lines.map { $0 + "\n" }.joined()
    }
}

/// Text of unknown origin inside a message; `ShownText` is where its escapes are.
package enum QuotedText {
    /// The text in double quotes, cut short.
    package static func of(_ text: String) -> String { ShownText.quoted(text) }

    /// The text as it is if it is harmless to a terminal, else with escapes; without quotes.
    package static func plain(_ text: String) -> String { ShownText.plain(text) }
}

/// Rows under headings, each column as wide as it must be.
package enum TextTable {
    /// A longer cell is cut: one of them would pad all the others.
    private static let widest = 160

    package static func text(_ headings: [String], _ rows: [[String]]) -> String {
        let all = ([headings] + rows).map { $0.map(cut) }
        let widths = headings.indices.map { column in
            all.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
        }
        return all.map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: max(0, $1 - $0.count)) }
            return trimmed(cells.joined(separator: "  ")) + "\n"
        }.joined()
    }

    private static func cut(_ cell: String) -> String {
        // Bytes are counted first, because they are quickly counted.
        guard cell.utf8.count > widest, cell.count > widest else { return cell }
        return cell.prefix(widest - 1) + "…"
    }

    private static func trimmed(_ line: String) -> String {
        String(line.reversed().drop { $0 == " " }.reversed())
    }
}

/// The program's exit code, for the shell or script that started it.
package enum ExitCode: Int32, CaseIterable {
    case clean = 0
    case failed = 1
    /// Misuse or a bad configuration.
    case misuse = 2
    case damagedStore = 3
    /// A release was stored, but its channel still shows another one.
    case notShown = 4
    /// More devices than allowed have reported failures.
    case tooManyFailures = 5
    /// The time for a decision is over.
    case undecided = 6

    /// The meaning, for people.
    var meaning: String {
        switch self {
        case .clean: "it did what was asked"
        case .failed: "it could not, and says why on standard error"
        case .misuse: "the command line or the settings are wrong"
        case .damagedStore: "something in a store is damaged"
        case .notShown: "a release was stored, and its channel still shows another one"
        case .tooManyFailures: "a release fails on more devices than it may"
        case .undecided: "the time is over, and it is not known yet that a release works"
        }
    }
}

extension Terminal {
    /// Ends the program: a terminal in raw mode gets its mode back, and all output is written.
    package static func end(_ code: ExitCode) -> Never {
        RawTerminal().leave()
        ProcessExit.end(code.rawValue)
    }
}

/// The version of the programs and of the package.
package enum ProgramVersion {
    package static let text = "0.2.0"
}
