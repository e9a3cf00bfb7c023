/// What a program prints on standard error when it cannot do what it was asked.
package enum Complaint {
    /// One `error:` line, a line for each detail, a `hint:` line for each hint, and what a report should say.
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
