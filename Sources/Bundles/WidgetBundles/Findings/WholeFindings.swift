internal import WidgetFindings

/// Findings about a bundle as a whole, by the names of its files: hosts that run it would show nothing, or something else than
/// its author sees.
enum WholeFindings {
    /// The limit on listed sources.
    private static let sourceCount = 20

    static func of(_ bundle: WidgetBundle, _ sorting: borrowing BundleSorting) -> [Finding] {
        let sources = WholeFindings.sources(sorting)
        let document = bundle.manifest.document ?? BundleManifest.standardDocument
        let hasScreen = bundle.files.contains { file in
            let path = file.path
            // A document is a first screen as well.
            if path == document || path.hasSuffix(".lproj/\(document)") { return true }
            return path.hasPrefix("\(storyboard)/") || path.contains(".lproj/\(storyboard)/")
        }
        if hasScreen { return sources }
        let interface = Finding(
            .warning, .noInterface,
            "the bundle has no \(storyboard), neither at its top nor in a language's folder; a host has no screen to begin with and shows nothing",
            at: Place(file: storyboard), hint: sources.isEmpty ? nil : "build the bundle, then publish it")
        return [interface] + sources
    }

    /// The first screen's, where a bundle has no document.
    private static let storyboard = "Main.storyboardc"

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
