import Bytes
import Files
import RegistryServer
import WidgetBundles
import WidgetCore
import WidgetIntake
import WidgetRender
import WidgetRunning

/// Reads the program of a published bundle, judges its documents, looks at its screens and draws stills of them, without
/// running any of it.
struct ScreenReview: BundleReview {
    /// A report has so many findings about screens. A program that has more has the same ones many times.
    static let most = 50

    func findings(of taken: BundleIntake.Taken, in archive: borrowing FileDescriptor) -> ReviewFindings {
        do throws(WidgetError) {
            let file = try rethrowing(try archive.duplicate(), as: { WidgetError.source(.file($0)) })
            let bundle = TakenBundle(taken, archive: file)
            let pictures = try BundlePictures(of: bundle.opened)
            let program = try BundleReading.program(of: bundle.opened)
            let review = PageReview(program, upTo: ScreenReview.most) { pictures.fault(of: $0) }
            return ReviewFindings(
                faults: DocumentFaults(of: program, in: bundle.opened).diagnostics.map(Finding.init),
                remarks: review.diagnostics.map(Finding.init),
                parts: ReleaseStills(program, pictures).parts() + ReleaseStills.outlines(of: bundle))
        } catch {
            return ScreenReview.findings(about: error, reported: taken.report.findings)
        }
    }

    /// A bundle of other things has no screens to look at, may be published, and its report says so already. A program
    /// that cannot be read is a finding.
    private static func findings(about error: WidgetError, reported: [Finding]) -> ReviewFindings {
        var facts = ReleaseFacts()
        if error.lacksFirstScreen || reported.contains(where: { $0.code == Finding.noInterfaceCode }) {
            return ReviewFindings(parts: [facts.part])
        }
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
