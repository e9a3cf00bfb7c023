import WidgetBundles
import WidgetConsole
import WidgetCore
import WidgetHosting
import WidgetIntake
import WidgetRunning

/// An error or a warning about a bundle, with the place where its author finds it.
struct BundleComplaint: Hashable {
    let severity: Diagnostic.Severity
    /// The place, the sentence and the code.
    let text: String
    let hints: [String]

    init(_ severity: Diagnostic.Severity, _ text: String, hints: [String] = []) {
        self.severity = severity
        self.text = text
        self.hints = hints
    }

    /// - Parameter subject: the bundle as the user named it, for a place that is not in a source of the author's.
    init(_ diagnostic: Diagnostic, in paths: AuthoredPaths, of subject: String) {
        var bare = paths.named(diagnostic)
        bare.hint = nil
        let start = paths.areOfSources && bare.place != nil ? "" : "\(subject): "
        self.init(
            diagnostic.severity, "\(start)\(bare.withoutSeverity)", hints: diagnostic.hint.map { [$0] } ?? [])
    }

    init(_ finding: Finding) {
        let (text, hints) = finding.spoken
        self.init(finding.severity == .error ? .error : .warning, text, hints: hints)
    }

    init(_ warning: BundleWarning) {
        self.init(.warning, "\(warning.sentence) [\(warning.code.rawValue)]")
    }

    /// Prints it to standard error.
    func show(on terminal: Terminal) {
        switch severity {
        case .error: terminal.complain(QuotedText.plain(text), hints: hints.map(QuotedText.plain))
        case .warning: terminal.warn(QuotedText.plain(text), hints: hints.map(QuotedText.plain))
        }
    }
}

/// All errors and warnings about a bundle, each once.
struct BundleComplaints {
    private(set) var errors: [BundleComplaint] = []
    private(set) var warnings: [BundleComplaint] = []
    private var known: Set<BundleComplaint> = []
    /// The faults of the program that are among them, to find them again in a registry's report.
    private var places: Set<FindingPlace> = []

    /// The most complaints that are printed one by one.
    private static let shownCount = 60

    init(_ complaints: some Sequence<BundleComplaint>) {
        for complaint in complaints where known.insert(complaint).inserted {
            switch complaint.severity {
            case .error: errors.append(complaint)
            case .warning: warnings.append(complaint)
            }
        }
    }

    /// The complaints about a bundle that was built: those of its report, and those of reading its program.
    ///
    /// - Parameter subject: the folder of sources, as the user named it.
    init(built taken: borrowing TakenBundle, from subject: String) {
        let program = ProgramOutline(taken)
        let report = program.shortened(taken.report)
        var all = report.findings.map { BundleComplaint($0) } + report.warnings.map { BundleComplaint($0) }
        let (paths, found) = (taken.paths, program.found)
        all += found.map { diagnostic in
            var diagnostic = diagnostic
            // A host may bring the class.
            if diagnostic.code == .unknownType { diagnostic.severity = .warning }
            return BundleComplaint(diagnostic, in: paths, of: subject)
        }
        if let refusal = program.unreportedRefusal(in: taken.report) {
            all.append(BundleComplaint(.error, "\(subject): \(refusal)"))
        }
        self.init(all)
        places = Set(found.compactMap(FindingPlace.init))
    }

    /// The complaints of reading the program of a bundle that was not built here, apart from those that its report has.
    /// All are warnings, because a registry takes the bundle, and a host may know more.
    ///
    /// - Parameter subject: the bundle, as the user named it.
    init(packed taken: borrowing TakenBundle, at subject: String) {
        let program = ProgramOutline(taken)
        let (paths, report) = (taken.paths, taken.report)
        let found = program.found.filter { diagnostic in
            !report.findings.contains { RepeatedFindings.contain($0, [diagnostic]) }
        }
        var all = found.map { diagnostic in
            var diagnostic = diagnostic
            diagnostic.severity = .warning
            return BundleComplaint(diagnostic, in: paths, of: subject)
        }
        if let refusal = program.unreportedRefusal(in: report) {
            all.append(BundleComplaint(.warning, "\(subject): \(refusal)"))
        }
        self.init(all)
        places = Set(found.compactMap(FindingPlace.init))
    }

    /// True if one of them is about the same fault of the program as a finding of a registry.
    func contain(_ finding: Finding) -> Bool { places.contains(FindingPlace(finding)) }

    var isEmpty: Bool { errors.isEmpty && warnings.isEmpty }

    /// The numbers of errors and warnings in words; empty without any.
    func counts(notes: Int) -> String {
        let parts = [(errors.count, "error"), (warnings.count, "warning"), (notes, "note")]
        return parts.filter { $0.0 > 0 }.map { "\($0) \($1)\($0 == 1 ? "" : "s")" }.joined(separator: ", ")
    }

    /// Prints them to standard error, errors first.
    func show(on terminal: Terminal) {
        let all = errors + warnings
        for complaint in all.prefix(BundleComplaints.shownCount) { complaint.show(on: terminal) }
        let rest = BundleComplaints(all.dropFirst(BundleComplaints.shownCount))
        guard !rest.isEmpty else { return }
        terminal.warn(
            "there are \(rest.counts(notes: 0)) more", hints: ["these were the first; mend them and try again"])
    }
}

/// The code of a fault and its place in the bundle.
private struct FindingPlace: Hashable {
    let code: String
    let path: String
    let line: Int
    let column: Int

    init(_ finding: Finding) {
        (code, path, line, column) = (finding.code, finding.path, finding.line, finding.column)
    }

    init?(_ diagnostic: Diagnostic) {
        guard let place = diagnostic.place else { return nil }
        (code, path, line, column) = (diagnostic.code.rawValue, place.file, place.line, place.column)
    }
}

extension AuthoredPaths {
    /// The place in the author's file. A place in a compiled interface keeps the interface's name, which has the ids of
    /// its objects.
    func named(_ place: Place) -> Place {
        var named = place
        named.file = source(of: place.file)
        if areOfSources, place.path.isEmpty, place.file.hasSuffix(".nib"), !named.file.hasSuffix(".nib") {
            named.path = String((place.file.split(separator: "/").last ?? "").dropLast(".nib".count))
        }
        return named
    }

    func named(_ diagnostic: Diagnostic) -> Diagnostic {
        var named = diagnostic
        named.place = diagnostic.place.map { self.named($0) }
        return named
    }
}

/// The findings of intake that reading the program repeats.
enum RepeatedFindings {
    /// The codes of diagnostics for the fault that a finding's code names.
    private static let codes: [String: Set<Diagnostic.Code>] = [
        "unknown-class": [.unknownType], "unknown-selector": [.unknownSelector],
        "unknown-transformer": [.unknownTransformer], "unknown-key": [.unknownKey],
        "unknown-object": [.unknownIdentifier, .unknownOutlet], "key-path": [.badPredicate],
    ]

    /// True if one of the diagnostics is about the same name in the same file. Its place is more exact.
    static func contain(_ finding: Finding, _ diagnostics: [Diagnostic]) -> Bool {
        let quoted = finding.detail.split(separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
        guard let codes = codes[finding.code], quoted.count == 3, !quoted[1].isEmpty else { return false }
        return diagnostics.contains { diagnostic in
            codes.contains(diagnostic.code) && diagnostic.place?.file == finding.path
                && diagnostic.message.contains(quoted[1])
        }
    }
}
