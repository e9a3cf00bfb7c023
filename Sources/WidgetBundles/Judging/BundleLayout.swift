internal import Zip

/// Where in an archive its one bundle is.
///
/// Four shapes lead to one top folder `Name.bundle/`: that folder itself, `Name.app/` as Xcode builds it,
/// `Payload/Name.app/` of an application archive, and the contents without a folder around them.
struct BundleLayout: Equatable {
    /// Components before the bundle's contents: none, one or two.
    let prefix: [String]
    /// The folder's name without its extension; `nil` when the information dictionary has to say it.
    let name: String?

    /// - Throws: ``BundleError`` unless there is exactly one bundle with nothing beside it.
    init(_ entries: [ZipEntry]) throws(BundleError) {
        let paths = entries.compactMap { entry -> Path? in
            let components = entry.name.components
            guard !Place.isNoise(components) else { return nil }
            return Path(
                components: entry.name.text.utf8.split(separator: 0x2F, maxSplits: 3).prefix(3).map { Substring($0) },
                text: entry.name.text, isDirectory: entry.isDirectory)
        }
        if paths.contains(where: { $0.components == ["Info.plist"] && !$0.isDirectory }) {
            try BundleLayout.requireContents(paths)
            prefix = []
            name = nil
        } else if paths.contains(where: { $0.components.first == "Payload" && $0.isFolder(0) }) {
            let app = try BundleLayout.theBundle(paths.filter { $0.components[0] == "Payload" }, depth: 1, [".app"])
            try BundleLayout.requirePackaging(paths)
            prefix = ["Payload", app.folder]
            name = app.name
        } else {
            let bundle = try BundleLayout.theBundle(paths, depth: 0, [".bundle", ".app"])
            prefix = [bundle.folder]
            name = bundle.name
        }
    }

    private struct Path {
        /// The first three: no shape of an archive is told by more.
        var components: [Substring]
        var text: String
        var isDirectory: Bool

        /// Whether the component of that index is a folder.
        func isFolder(_ index: Int) -> Bool { components.count > index + 1 || isDirectory && components.count > index }
    }

    /// The path inside the bundle folder; `nil` for what lies outside.
    func inside(_ components: [String]) -> [String]? {
        guard components.count > prefix.count, components.starts(with: prefix) else { return nil }
        return Array(components.dropFirst(prefix.count))
    }

    /// The one folder with such an extension, beside which nothing lies.
    private static func theBundle(
        _ paths: [Path], depth: Int, _ extensions: [String]
    ) throws(BundleError) -> (folder: String, name: String) {
        var found: Substring?
        var stranger: Path?
        for path in paths where path.components.count > depth {
            let component = path.components[depth]
            guard path.isFolder(depth), extensions.contains(where: component.hasSuffix) else {
                stranger = stranger ?? path
                continue
            }
            if let found, found != component {
                throw BundleError(.severalBundles(first: String(found), second: String(component)), path: path.text)
            }
            found = component
        }
        guard let found else { throw BundleError(.noBundle) }
        if let stranger { throw BundleError(.besideBundle, path: stranger.text) }
        let suffix = extensions.first(where: found.hasSuffix) ?? ""
        let name = String(found.dropLast(suffix.count))
        guard !name.isEmpty else { throw BundleError(.unnamedBundle, path: String(found)) }
        return (String(found), name)
    }

    /// A dictionary with nothing but bundles around it could be the contents of a bundle that holds others, or
    /// lie beside the bundle that is meant: there is no telling.
    private static func requireContents(_ paths: [Path]) throws(BundleError) {
        let others = paths.filter { $0.components != ["Info.plist"] }
        let areBundles = others.allSatisfy { path in
            path.isFolder(0) && [".bundle", ".app"].contains(where: path.components[0].hasSuffix)
        }
        let holdsPayload = others.contains { $0.components[0] == "Payload" && $0.isFolder(0) }
        if holdsPayload || !others.isEmpty && areBundles { throw BundleError(.besideBundle, path: "Info.plist") }
    }

    /// Beside `Payload` lie only what the tools that make application archives put there.
    private static func requirePackaging(_ paths: [Path]) throws(BundleError) {
        for path in paths {
            let top = path.components[0]
            let isKnown =
                top == "Payload"
                || path.isFolder(0) && ["SwiftSupport", "META-INF", "Symbols"].contains(top)
                || top.hasPrefix("iTunes")
            guard isKnown else { throw BundleError(.besideBundle, path: path.text) }
        }
    }
}
