package import WidgetCore
internal import WidgetRender
package import WidgetRunning

/// The one judgement of what the program of a bundle means. Commands, registries and pages show the same findings of it, beside
/// those of the rules for bundles.
package enum BundleFindings {
    /// The findings of reading a program, and those of the pictures that it names and its bundle does not have.
    package static func ofReading(_ program: Program) -> [Finding] {
        var found = program.diagnostics
        guard let images = program.images else { return found }
        var known = Set(found)
        for scene in program.scenes.values.sorted(by: { $0.name < $1.name }) {
            for node in scene.nodes where node.kind == .image || node.kind == .button {
                for name in [PropertyName.image, .placeholderImage] {
                    guard found.count <= Program.diagnosticCount, let picture = node[name]?.literal?.string,
                        let fault = Finding.missingPicture(
                            picture, among: images, at: node[name]?.place ?? node.place),
                        known.insert(fault).inserted
                    else { continue }
                    found.append(fault)
                }
            }
        }
        return found
    }

    /// The findings of a look at the screens of a program, without running it.
    ///
    /// - Parameter most: the most findings.
    package static func ofLooks(
        _ program: Program, _ pictures: BundlePictures?, upTo most: Int = Program.diagnosticCount
    ) -> [Finding] {
        PageReview(program, upTo: most) { pictures?.fault(of: $0) }.diagnostics
    }

    /// True for a finding that refuses no bundle, not even where publishing is strict: those about looks, and of schemes and
    /// interfaces all but declarations that a host may not understand.
    package static func isRemark(_ finding: Finding) -> Bool {
        if Finding.Code.aboutLooks.contains(finding.code) { return true }
        return !DocumentFaults.isAboutDocument(finding) && !Finding.Code.declarations.contains(finding.code)
    }
}
