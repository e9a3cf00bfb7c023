internal import WidgetBundles
internal import WidgetBytes
internal import WidgetCore

/// The output of a command, and the code that it ends with.
package struct EngineOutput: Sendable {
    package var output = ""
    package var errors = ""
    package var code = 0
    /// Files to write into the folder that was named, with sheets and pictures before pages.
    package var files: [(name: String, bytes: [UInt8])] = []

    mutating func warn(_ message: String, hints: [String] = []) {
        errors += (["warning: \(message)"] + hints.map { "hint: \($0)" }).map { $0 + "\n" }.joined()
    }

    mutating func complain(_ message: String, details: [String] = [], hints: [String] = []) {
        errors += (["error: \(message)"] + details.map { "  \($0)" } + hints.map { "hint: \($0)" })
            .map { $0 + "\n" }.joined()
    }

    /// The most diagnostics that are printed one by one.
    private static let shownCount = 60

    /// Prints the diagnostics of a view, each once, errors first.
    ///
    /// - Parameter subject: the bundle as the user named it.
    mutating func complain(of diagnostics: [Diagnostic], in subject: String) {
        var known: Set<Diagnostic> = []
        let all = diagnostics.filter { known.insert($0).inserted }
        let (errors, warnings) = (all.filter { $0.severity == .error }, all.filter { $0.severity == .warning })
        for diagnostic in (errors + warnings).prefix(EngineOutput.shownCount) {
            var bare = diagnostic
            bare.hint = nil
            let text = ShownText.plain("\(subject): \(bare.withoutSeverity)")
            let hints = diagnostic.hint.map { [ShownText.plain($0)] } ?? []
            if diagnostic.severity == .error { complain(text, hints: hints) } else { warn(text, hints: hints) }
        }
        guard all.count > EngineOutput.shownCount else { return }
        let left = max(errors.count - EngineOutput.shownCount, 0)
        let counts = [(left, "error"), (all.count - EngineOutput.shownCount - left, "warning")]
        let words = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
        warn(
            "there are \(words.joined(separator: ", ")) more",
            hints: ["these were the first; mend them and try again"])
    }

    /// Says why a bundle is refused.
    mutating func refuse(_ error: BundleError, _ subject: String) {
        code = 1
        guard case .policy(let findings) = error.reason else {
            var hints: [String] = []
            if case .archive = error.reason {
                hints = ["`widget structure \(subject)` shows how far the archive can be read"]
            }
            return complain(ShownText.plain("\(subject): \(error)"), hints: hints)
        }
        let found = findings.map { $0.spoken }
        if found.count == 1, let only = found.first {
            return complain(
                ShownText.plain("\(subject): \(only.text)"), hints: only.hints.map { ShownText.plain($0) })
        }
        var seen: Set<String> = []
        let hints = found.flatMap { $0.hints }.filter { seen.insert($0).inserted }
        complain(
            ShownText.plain("\(subject): \(error.sentence)"), details: found.map { ShownText.plain($0.text) },
            hints: hints.map { ShownText.plain($0) })
    }
}
