import Bytes
import Files
import RegistryServer
import WidgetBundles
import WidgetCore
import WidgetIntake
import WidgetRender
import WidgetRunning

/// Reads the program of a published bundle and looks at its screens, without running any of it.
struct ScreenReview: BundleReview {
    /// A report has so many findings about screens. A program that has more has the same ones many times.
    static let most = 50

    func findings(of taken: BundleIntake.Taken, in archive: borrowing FileDescriptor) -> [Finding] {
        do throws(WidgetError) {
            let file = try rethrowing(try archive.duplicate(), as: { WidgetError.source(.file($0)) })
            let program = try BundleReading.program(of: TakenBundle(taken, archive: file))
            return PageReview(program, upTo: ScreenReview.most).diagnostics.map(Finding.init)
        } catch {
            // A bundle of other things has no screens to look at, and may be published.
            return []
        }
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
