package import Files
package import WidgetBundles

/// A look at bundles that the rules of bundles have accepted, for findings that concern people more than hosts: text
/// that is hard to read, or a control without a name.
///
/// Its findings are added to the report. They never refuse a bundle, not even where publishing is strict: a strict
/// publisher refuses what hosts would be harmed by, and looks are a matter of taste and law.
package protocol BundleReview: Sendable {
    /// - Parameter archive: the canonical archive of the bundle.
    func findings(of taken: BundleIntake.Taken, in archive: borrowing FileDescriptor) -> [Finding]
}

/// No look at all, for registries that hold bundles and nothing else.
package struct NoReview: BundleReview {
    package init() {}

    package func findings(of taken: BundleIntake.Taken, in archive: borrowing FileDescriptor) -> [Finding] { [] }
}
