/// The files that an author writes and `widget build` compiles. Hosts read only the compiled form.
package enum BundleSources {
    private static let files: Set<String> = ["storyboard", "xib", "screens"]
    private static let folders: Set<String> = ["xcdatamodeld", "xcdatamodel", "xcassets"]
    private static let compiled: Set<String> = ["storyboardc", "nib", "momd", "mom", "omo", "car"]
    /// Names that only a built application has.
    private static let built: Set<String> = [
        "_CodeSignature", "SC_Info", "CodeResources", "PkgInfo", "embedded.mobileprovision",
    ]
    /// The end of the names of documents: they need no compiling, but what lies beside them is not all for the bundle.
    private static let document = ".widgets.json"
    /// Keys that Xcode adds to the property list of all that it builds.
    private static let builtKeys = ["BuildMachineOSBuild", "DTPlatformBuild", "DTSDKBuild"]

    /// Returns the source that a path names or is inside of, such as `Images.xcassets`; `nil` for other paths.
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

    /// Returns true if a folder with these files is to be built: it has sources or documents, no compiled form of any,
    /// and nothing that only a built application has. Bundles in the folder do not count.
    package static func areSources(_ paths: [[String]]) -> Bool {
        var hasSources = false
        for path in paths where !path.dropLast().contains(where: isBundle) {
            if source(path) != nil || path.count == 1 && path[0].hasSuffix(document) {
                hasSources = true
            } else if path.contains(where: { built.contains($0) || $0.nameExtension.map(compiled.contains) ?? false }) {
                return false
            }
        }
        return hasSources
    }

    /// Returns true if a property list is that of a built application, even if a source was left in its folder.
    package static func isBuilt(manifest: [UInt8]) -> Bool {
        let text = String(decoding: manifest, as: UTF8.self)
        return builtKeys.contains { text.contains($0) }
    }

    private static func isBundle(_ component: String) -> Bool {
        component.nameExtension.map { ["bundle", "app"].contains($0) } ?? false
    }
}
