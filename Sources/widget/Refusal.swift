import Console
import JSONText
import WidgetBundles

/// A bundle that was refused, as the program shows it.
enum Refusal {
    /// One `error:` line, what is wrong in detail, and where to learn more; as JSON on the output instead.
    static func show(_ error: BundleError, source: String, asJSON: Bool) -> ExitCode {
        if asJSON, error.isRefusal { return printJSON(error) }
        Terminal.complain(QuotedText.plain("\(source): \(error)"), hints: hints(error, source: source))
        return .failed
    }

    private static func hints(_ error: BundleError, source: String) -> [String] {
        switch error.reason {
        case .archive: ["`widget structure \(source)` shows how far the archive can be read"]
        case .policy(let findings): ReportText.lines(for: findings)
        default: []
        }
    }

    private static func printJSON(_ error: BundleError) -> ExitCode {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("verdict", "reject")
            writer.member("code", error.code.rawValue)
            writer.member("detail", error.sentence)
            if let path = error.path { writer.member("path", path) }
            if let offset = error.offset { writer.member("offset", offset) }
            if let line = error.line { writer.member("line", line) }
            if let column = error.column { writer.member("column", column) }
            if case .policy(let findings) = error.reason {
                writer.key("findings")
                writer.array { writer in
                    for finding in findings { finding.write(to: &writer) }
                }
            }
        }
        let printed = Terminal.print(document: writer.finish())
        return printed == .clean ? .failed : printed
    }
}
