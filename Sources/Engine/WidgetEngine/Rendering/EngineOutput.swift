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

    /// The most lines of findings.
    private static let shownCount = 60

    /// Prints the findings of a view, one line for each kind and file, errors first.
    ///
    /// - Parameter subject: the bundle as the user named it.
    mutating func complain(of findings: [Finding], in subject: String) {
        let lines = FindingLine.of(findings)
        for line in lines.prefix(EngineOutput.shownCount) {
            let text = ShownText.plain("\(subject): \(line.text)")
            let hints = line.hints.map { ShownText.plain($0) }
            if line.severity == .error { complain(text, hints: hints) } else { warn(text, hints: hints) }
        }
        let rest = lines.dropFirst(EngineOutput.shownCount).flatMap { $0.all }
        guard !rest.isEmpty else { return }
        warn(
            "there are \(FindingLine.counts(of: rest)) more", hints: ["these were the first; mend them and try again"])
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
        let found = FindingLine.of(findings)
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
