internal import Bytes

/// What an author writes and `widget build` compiles. Hosts read the compiled form alone.
package enum BundleSources {
    private static let files: Set<String> = ["storyboard", "xib"]
    private static let folders: Set<String> = ["xcdatamodeld", "xcdatamodel", "xcassets"]
    private static let compiled: Set<String> = ["storyboardc", "nib", "momd", "mom", "car"]

    /// The source that a path names or lies in, such as `Images.xcassets`; `nil` for a path that is in none.
    package static func source(_ components: [String]) -> String? {
        for (index, component) in components.enumerated() {
            guard let suffix = component.nameExtension else { continue }
            let isLast = index == components.count - 1
            if isLast ? files.contains(suffix) : folders.contains(suffix) {
                return components[...index].joined(separator: "/")
            }
        }
        return nil
    }

    /// Whether a folder with these files is to be built: it has sources, and nothing that was built of any. Bundles in the
    /// folder do not count.
    package static func areSources(_ paths: [[String]]) -> Bool {
        var hasSources = false
        for path in paths where !path.dropLast().contains(where: isBundle) {
            if source(path) != nil {
                hasSources = true
            } else if path.contains(where: { $0.nameExtension.map(compiled.contains) ?? false }) {
                return false
            }
        }
        return hasSources
    }

    private static func isBundle(_ component: String) -> Bool {
        component.nameExtension.map { ["bundle", "app"].contains($0) } ?? false
    }
}
