package import WidgetBundles
internal import WidgetBytes
package import WidgetCore
internal import WidgetDocuments
internal import WidgetFormats

/// The faults of a bundle's documents, for those who judge a bundle without showing it.
///
/// Interfaces and schemes are judged when a bundle is taken in. Documents are judged here, by the reader that shows them.
package struct DocumentFaults: Sendable {
    /// The faults that cost an element first, each in the order of the files.
    package let diagnostics: [Diagnostic]

    /// The most faults. A bundle that has more of them has the same ones many times.
    package static let most = 200

    private init(_ diagnostics: [Diagnostic]) {
        self.diagnostics = diagnostics
    }

    /// - Parameter program: the program that was read from the bundle.
    package init(of program: Program, in opened: borrowing CanonicalBundle) {
        let named = opened.manifest.document ?? DocumentWords.standardName
        let found = program.diagnostics.filter { diagnostic in
            guard let path = diagnostic.place?.file else { return false }
            return path.hasSuffix(DocumentWords.ending) || path == named || path.hasSuffix("/\(named)")
                || path.hasPrefix(DocumentWords.componentFolder) || path == DocumentWords.themeFile
        }
        let sorted = found.filter { $0.severity == .error } + found.filter { $0.severity == .warning }
        guard sorted.count > DocumentFaults.most else {
            self.init(sorted)
            return
        }
        let rest = Diagnostic(
            .warning, .countBudget, "The documents have \(sorted.count - DocumentFaults.most) more faults",
            at: Place(file: named), hint: "these are the first")
        self.init(Array(sorted.prefix(DocumentFaults.most)) + [rest])
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
                Diagnostic(
                    .error, .badFile, "\(start): \(fault)", at: Place(file: "Info.plist"),
                    hint: "add the document, or name another one as \(DocumentWords.manifestKey)")
            ])
        case .unreadable(let cause), .element(let cause):
            self.init([
                Diagnostic(
                    .error, .badFile, "\(start): \(cause.message) [\(cause.code.rawValue)]", at: cause.place,
                    hint: cause.hint)
            ])
        }
    }
}

extension WidgetError {
    /// The faults for which a bundle does not run, each with its file and, in files of lines, with line and column. The
    /// first one says why.
    package var faults: [Diagnostic] {
        if let documents = DocumentFaults(self) { return documents.diagnostics }
        guard case .program(let error) = self else {
            return [Diagnostic(.error, .badFile, "the widget does not run: \(self)")]
        }
        return [Diagnostic(.error, .badFile, "the widget does not run: \(error.cause)", at: error.place)]
    }
}
