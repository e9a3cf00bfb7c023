internal import Bytes
internal import Logging

/// Standard output and standard error as a person meets them.
package enum Terminal {
    /// True if standard output is a terminal, so that colours help.
    package static var isWatched: Bool { StandardStream.output.isTerminal }

    /// Prints the result of a command; a result that cannot be printed is a failure.
    package static func print(_ text: String) -> ExitCode {
        print(Array(text.utf8))
    }

    package static func print(_ bytes: [UInt8]) -> ExitCode {
        StandardStream.output.write(bytes) == bytes.count ? .clean : .failed
    }

    /// Prints a remark on an action that succeeded.
    package static func warn(_ message: String, hints: [String] = []) {
        let lines = ["warning: \(message)"] + hints.map { "hint: \($0)" }
        _ = StandardStream.error.write(Array(lines.map { $0 + "\n" }.joined().utf8))
    }

    /// Prints lines of another program on standard error.
    package static func report(_ lines: [String]) {
        _ = StandardStream.error.write(Array(lines.map { $0 + "\n" }.joined().utf8))
    }

    /// - Parameters:
    ///   - details: a line for each of several faults.
    ///   - reference: the text to quote in a report of the failure.
    package static func complain(
        _ message: String, details: [String] = [], hints: [String] = [], reference: String? = nil
    ) {
        let text = Complaint.text(
            message, details: details, hints: hints, reference: reference, usesColor: StandardStream.error.isTerminal)
        _ = StandardStream.error.write(Array(text.utf8))
    }
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
package enum ExitCode: Int32 {
    case clean = 0
    case failed = 1
    /// Misuse or a bad configuration.
    case misuse = 2
    case damagedStore = 3
    /// A release was stored, but its channel still shows another one.
    case notShown = 4
}

/// The version of the programs and of the package.
package enum ProgramVersion {
    package static let text = "0.1.0"
}
