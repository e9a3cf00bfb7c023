package import WidgetCore
internal import WidgetDocuments
internal import WidgetFormats

/// The faults of a bundle's documents.
package struct DocumentFaults: Sendable {
    package let diagnostics: [Finding]

    private init(_ diagnostics: [Finding]) {
        self.diagnostics = diagnostics
    }

    /// True for a finding in a document, a component or the theme.
    package static func isAboutDocument(_ finding: Finding) -> Bool {
        guard let path = finding.place?.file else { return false }
        return path.hasSuffix(DocumentWords.ending) || path == DocumentWords.themeFile
            || path.hasPrefix(DocumentWords.componentFolder)
    }

    /// The fault for which a bundle of documents cannot be shown at all.
    ///
    /// - Returns: `nil` for an error that is not about documents.
    package init?(_ error: WidgetError) {
        guard case .program(.document(let fault)) = error else { return nil }
        let start = "the widget does not run"
        switch fault {
        case .missing:
            self.init([
                Finding(
                    .error, .badFile, "\(start): \(fault)", at: Place(file: "Info.plist"),
                    hint: "add the document, or name another one as \(DocumentWords.manifestKey)")
            ])
        case .unreadable(let cause), .element(let cause):
            self.init([
                Finding(
                    .error, .badFile, "\(start): \(cause.message) [\(cause.code.rawValue)]", at: cause.place,
                    hint: cause.hint)
            ])
        }
    }
}

extension WidgetError {
    /// The faults for which a bundle does not run, each with its file and, in files of lines, with line and column. The
    /// first one says why.
    package var faults: [Finding] {
        if let documents = DocumentFaults(self) { return documents.diagnostics }
        guard case .program(let error) = self else {
            return [Finding(.error, .badFile, "the widget does not run: \(self)")]
        }
        guard let cause = missingScreen else {
            return [Finding(.error, .badFile, "the widget does not run: \(error.cause)", at: error.place)]
        }
        return [
            Finding(
                .warning, .noInterface, "\(cause); a host has no screen to begin with and shows nothing",
                at: error.place, hint: hints.isEmpty ? nil : hints.joined(separator: ", and "))
        ]
    }

    /// The beginning of the sentence that a bundle has no screen to begin with; `nil` if something else keeps it from running.
    private var missingScreen: String? {
        guard case .program(let error) = self else { return nil }
        switch error {
        case .missingStoryboard, .noInitialViewController: return error.cause
        // Of other screens, the rest of the program does without.
        case .interface: return "its first screen cannot be read: \(error.cause)"
        case .model, .document: return nil
        }
    }

    /// Advice for a bundle without a screen to begin with; empty for others.
    package var hints: [String] {
        guard lacksFirstScreen else { return [] }
        var storyboard = "Main"
        if case .program(.noInitialViewController(let name)) = self { storyboard = name }
        return [
            "`initialViewController=\"ID\"` in the first line of \(storyboard).storyboard names the screen to begin with",
            "`--entry NAME` of `run` and `render` begins with another storyboard",
        ]
    }
}
