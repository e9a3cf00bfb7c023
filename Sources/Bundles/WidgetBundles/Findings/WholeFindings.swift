internal import WidgetFindings
internal import WidgetFiles
internal import WidgetNib
internal import WidgetZip

/// Findings about a bundle as a whole: hosts that run it would show nothing, or something else than its author sees.
enum WholeFindings {
    /// The limit on listed sources.
    private static let sourceCount = 20

    /// - Parameters:
    ///   - directory: the directory of the canonical archive.
    ///   - archive: the canonical archive.
    static func of(
        _ bundle: WidgetBundle, _ sorting: borrowing BundleSorting, in directory: ZipDirectory,
        of archive: borrowing FileDescriptor
    ) throws(BundleError) -> [Finding] {
        let sources = WholeFindings.sources(sorting)
        // A document is a first screen as well.
        let document = bundle.manifest.document ?? BundleManifest.standardDocument
        let isThere = bundle.files.contains { $0.path == document || $0.path.hasSuffix(".lproj/\(document)") }
        if isThere { return sources }
        let absence = try FirstScreen.absence(among: bundle.files.map { $0.path }) { path throws(BundleError) in
            let name = "\(bundle.folder)/\(path)"
            guard let entry = directory.entries.first(where: { $0.name.text == name }) else { return [] }
            return try BundleSorting.read(entry, limit: sorting.policy.limits.parsedByteCount, from: archive)
        }
        let interface = absence.map { absence in
            Finding(
                .warning, .noInterface, "\(absence.reason); a host has no screen to begin with and shows nothing",
                at: Place(file: absence.path), hint: sources.isEmpty ? nil : "build the bundle, then publish it")
        }
        return (interface.map { [$0] } ?? []) + sources
    }

    private static func sources(_ sorting: borrowing BundleSorting) -> [Finding] {
        var found: Set<String> = []
        for file in sorting.kept {
            if let source = BundleSources.source(file.location.split(separator: "/").map(String.init)) {
                found.insert(source)
            }
        }
        for file in sorting.stripped where file.rule != .noise {
            let components = file.path.split(separator: "/").map(String.init)
            if let source = BundleSources.source(sorting.layout.inside(components) ?? components) {
                found.insert(source)
            }
        }
        return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.prefix(sourceCount).map { path in
            Finding(
                .warning, .sources, "this is a source, and hosts read none", at: Place(file: path),
                hint: "publish the folder with `widget publish`, or `widget build` it first")
        }
    }
}
