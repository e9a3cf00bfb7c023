import WidgetBundles
import WidgetConsole
import WidgetCore
import WidgetEngine
import WidgetFindings
import WidgetHosting
import WidgetIntake
import WidgetPackages
import WidgetRunning

/// A bundle with all that is said of it: by its intake, by reading its program, and by a look at its screens. A registry finds
/// the same.
struct JudgedBundle {
    /// `nil` for a bundle that does not run.
    let program: Program?
    let refusal: String?
    /// The author's names for the files.
    let paths: AuthoredPaths
    private let intake: BundleReport
    /// The findings about the program, in the paths of the bundle.
    private let found: [Finding]

    /// - Parameter code: the program that the documents are from; `nil` for a bundle.
    init(_ taken: borrowing TakenBundle, calling code: ChildCode? = nil) {
        (paths, intake) = (taken.paths, taken.report)
        do throws(WidgetError) {
            let read = try BundleReading.read(taken, code).program
            (program, refusal) = (read, nil)
            let answers = code.map { NativeAnswers.findings(of: read, asking: $0) } ?? []
            found =
                BundleFindings.ofReading(read) + answers
                + BundleFindings.ofLooks(read, try? BundlePictures(of: taken.opened))
        } catch {
            (program, refusal) = (nil, "\(error)")
            found = intake.findings.contains { $0.code == .noInterface } ? [] : error.faults
        }
    }

    /// The report on the bundle with all findings and with the author's names of files.
    var report: BundleReport {
        var report = intake
        report.findings = findings
        report.warnings = report.warnings.map(paths.named)
        return report
    }

    /// All findings, with the author's names of files.
    var findings: [Finding] { paths.named(intake.findings + found) }

    /// - Parameter subject: the folder of sources, as the user named it.
    func complaints(of subject: String) -> BundleComplaints {
        let warnings = intake.warnings.map { warning in
            Finding(
                .warning, Finding.Code(rawValue: warning.code.rawValue), warning.detail, at: Place(file: warning.path))
        }
        return BundleComplaints(BundleComplaint.of(intake.findings + warnings + found, in: paths, of: subject))
    }

    /// The complaints about the program alone, for a bundle whose report is shown beside them.
    func complaintsOfProgram(of subject: String) -> BundleComplaints {
        BundleComplaints(BundleComplaint.of(found, in: paths, of: subject))
    }

    /// True for a warning that counts where publishing is strict. Looks are a matter of taste.
    var hasStrictWarning: Bool {
        !intake.warnings.isEmpty
            || (intake.findings + found).contains {
                $0.severity == .warning && !Finding.Code.aboutLooks.contains($0.code)
            }
    }

    /// True if a finding of a registry is one about the program: its sentence may be that of another version.
    func contains(_ finding: Finding) -> Bool {
        found.contains { $0.code == finding.code && FindingSpot($0) == FindingSpot(finding) }
    }
}

/// A place in a bundle without the path of keys, which registries of before do not send.
private struct FindingSpot: Equatable {
    let file: String
    let line: Int
    let column: Int

    init(_ finding: Finding) {
        (file, line, column) = (finding.place?.file ?? "", finding.place?.line ?? 0, finding.place?.column ?? 0)
    }
}
