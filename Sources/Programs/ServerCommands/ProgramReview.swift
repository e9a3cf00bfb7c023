import RegistryServer
import WidgetBundles
import WidgetBytes
package import WidgetCells
import WidgetCore
package import WidgetFiles
import WidgetHosting
import WidgetIntake
import WidgetRegistry
import WidgetRender
import WidgetRunning

/// A look at the program of a bundle, without running any of it.
package struct ProgramReview: CellReviewer {
    /// A report has so many findings about screens. A program that has more has the same ones many times.
    static let most = 50

    package init() {}

    package func review(_ archive: consuming FileDescriptor, _ question: String, _ send: (ReviewPiece) -> Void) {
        guard let question = ReviewQuestion(question), let opened = try? CanonicalBundle(canonical: archive) else {
            return
        }
        ProgramReview.screens(of: opened, question) { for piece in $0.pieces { send(piece) } }
        for part in ReleaseStills.outlines(of: opened) {
            send(ReviewPiece(name: part.name, kind: part.mediaType, bytes: part.content))
        }
    }

    /// - Parameter tell: takes what was found so far, the cheapest first: drawing takes far more than reading.
    private static func screens(
        of opened: borrowing CanonicalBundle, _ question: ReviewQuestion, tell: (ReviewFindings) -> Void
    ) {
        do throws(WidgetError) {
            let pictures = try BundlePictures(of: opened)
            let program = try BundleReading.program(of: opened)
            let faults = DocumentFaults(of: program, in: opened).diagnostics
            tell(ReviewFindings(faults: faults.map(Finding.init)))
            let review = PageReview(program, upTo: most) { pictures.fault(of: $0) }
            let remarks = beyondDocuments(program, but: faults) + review.diagnostics
            tell(ReviewFindings(remarks: remarks.map(Finding.init)))
            tell(ReviewFindings(parts: stills(of: program, pictures, in: opened, question)))
        } catch {
            tell(findings(about: error, question))
        }
    }

    private static func stills(
        of program: Program, _ pictures: BundlePictures, in opened: borrowing CanonicalBundle,
        _ question: ReviewQuestion
    ) -> [ReleasePart] {
        // Read before: a closure cannot borrow the bundle.
        var others: [String: Program] = [:]
        for locale in question.plan.locales where locale != StillPlan.own {
            others[locale] = try? BundleReading.program(of: opened, locale: locale)
        }
        return ReleaseStills.parts(of: program, pictures, at: question.moment, question.plan, others)
    }

    /// The files of a program that cannot be read, of which it lacks a part and runs all the same, and the requests of
    /// schemes that are sent when a screen opens or with a name in place of a value.
    private static func beyondDocuments(_ program: Program, but known: [Diagnostic]) -> [Diagnostic] {
        let known = Set(known)
        let found = program.diagnostics.filter { diagnostic in
            let isUnreadable = diagnostic.severity == .error && diagnostic.code == .badFile
            return (isUnreadable || [.sentOnLoad, .unfilled].contains(diagnostic.code)) && !known.contains(diagnostic)
        }
        return Array(found.prefix(most))
    }

    /// A bundle of other things has no screens to look at, may be published, and its report says so already. A program
    /// that cannot be read is a finding.
    private static func findings(about error: WidgetError, _ question: ReviewQuestion) -> ReviewFindings {
        var facts = ReleaseFacts()
        if error.lacksFirstScreen || question.lacksInterface { return ReviewFindings(parts: [facts.part]) }
        facts.obstacles = error.faults.map(Finding.init)
        if error.isAboutDocuments { return ReviewFindings(faults: facts.obstacles, parts: [facts.part]) }
        let remarks = facts.obstacles.map { finding in
            var finding = finding
            finding.detail += "; `widget inspect` shows the same before a bundle is published"
            return finding
        }
        return ReviewFindings(remarks: remarks, parts: [facts.part])
    }
}

extension Finding {
    fileprivate init(_ diagnostic: Diagnostic) {
        let place = diagnostic.place
        self.init(
            code: diagnostic.code.rawValue, severity: .warning, path: place?.file ?? "", line: place?.line ?? 0,
            column: place?.column ?? 0, detail: diagnostic.message + (diagnostic.hint.map { "; \($0)" } ?? ""))
    }
}
