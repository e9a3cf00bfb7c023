internal import WidgetBundles
internal import WidgetFindings
internal import WidgetRegistry

/// A reason to think twice before a bundle is published.
enum PublishDoubt: Sendable {
    case doesNotRun, showsNothing, hasErrors

    /// The weightiest reason that a report and the parts of a release give; `nil` without one.
    init?(_ report: BundleReport, _ parts: [ReleasePart]) {
        let facts = parts.first { $0.name == ReleaseFacts.partName }.flatMap { ReleaseFacts($0) }
        if let facts, !facts.obstacles.isEmpty {
            self = .doesNotRun
        } else if report.findings.contains(where: { $0.code == .noInterface })
            || facts.map({ $0.endOfReview == nil && $0.screens.isEmpty }) ?? false
        {
            self = .showsNothing
        } else if (facts?.errorCount ?? 0) > 0 || report.findings.contains(where: { $0.severity == .error }) {
            self = .hasErrors
        } else {
            return nil
        }
    }

    /// The name of the field by which a person confirms that it is meant.
    static let field = "although"

    var sentence: String {
        switch self {
        case .doesNotRun: "Hosts cannot run this bundle: the report says why. They would show nothing in its place."
        case .showsNothing: "This bundle has no screen to begin with: hosts would show nothing of it."
        case .hasErrors: "The program of this bundle has errors: hosts would leave out the parts that have them."
        }
    }

    /// The end of a button's name.
    var end: String {
        switch self {
        case .doesNotRun: "although it does not run"
        case .showsNothing: "although it shows nothing"
        case .hasErrors: "although it has errors"
        }
    }
}
