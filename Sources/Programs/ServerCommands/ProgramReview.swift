import RegistryServer
import WidgetBundles
import WidgetBytes
package import WidgetCells
import WidgetCore
import WidgetEngine
package import WidgetFiles
import WidgetFindings
import WidgetHosting
import WidgetIntake
import WidgetRegistry
import WidgetRender
import WidgetRunning

/// A look at the program of a bundle, without running any of it.
package struct ProgramReview: CellReviewer {
    /// The most findings of reading a program, and of looking at its screens. A program that has more has the same ones many
    /// times.
    static let readingCount = 200
    static let looksCount = 50

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
            let found = ProgramReview.bounded(BundleFindings.ofReading(program))
            let remarks = found.filter(BundleFindings.isRemark)
            tell(ReviewFindings(faults: found.filter { !BundleFindings.isRemark($0) }))
            tell(ReviewFindings(remarks: remarks + BundleFindings.ofLooks(program, pictures, upTo: looksCount)))
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

    /// The findings, errors first, and the number of those that a report does not have.
    private static func bounded(_ found: [Finding]) -> [Finding] {
        let sorted = found.filter { $0.severity == .error } + found.filter { $0.severity == .warning }
        guard sorted.count > readingCount else { return sorted }
        return sorted.prefix(readingCount) + [
            Finding(
                .warning, .countBudget, "The program has \(sorted.count - readingCount) more faults",
                hint: "the others are the first")
        ]
    }

    /// A bundle of other things has no screens to look at, may be published, and its report says so already. A program
    /// that cannot be read is a finding.
    private static func findings(about error: WidgetError, _ question: ReviewQuestion) -> ReviewFindings {
        var facts = ReleaseFacts()
        if question.lacksInterface { return ReviewFindings(parts: [facts.part]) }
        let faults = error.faults
        if faults.contains(where: { $0.code == .noInterface }) {
            return ReviewFindings(faults: faults, parts: [facts.part])
        }
        facts.obstacles = faults
        if error.isAboutDocuments { return ReviewFindings(faults: facts.obstacles, parts: [facts.part]) }
        let remarks = facts.obstacles.map { finding in
            var finding = finding
            finding.hint =
                ([finding.hint].compactMap { $0 } + ["`widget inspect` shows the same before a bundle is published"])
                .joined(separator: "; ")
            return finding
        }
        return ReviewFindings(remarks: remarks, parts: [facts.part])
    }
}
