internal import Zip

/// Where in an archive its one bundle is.
///
/// Five shapes lead to one top folder `Name.bundle/`: that folder itself, `Name.app/` as Xcode builds it,
/// `Payload/Name.app/` of an application archive, `Any.xcarchive/Products/Applications/Name.app/` of an archive of Xcode,
/// and the contents without a folder around them.
struct BundleLayout: Equatable {
    /// Components before the bundle's contents: none, one, two or four.
    let prefix: [String]
    /// The folder's name without its extension; `nil` when the information dictionary has to say it.
    let name: String?

    /// - Throws: ``BundleError`` unless there is exactly one bundle with nothing beside it.
    init(_ entries: [ZipEntry]) throws(BundleError) {
        let paths = entries.compactMap { entry -> Path? in
            let components = entry.name.components
            guard !Place.isNoise(components) else { return nil }
            return Path(
                components: entry.name.text.utf8.split(separator: 0x2F, maxSplits: 5).prefix(5).map { Substring($0) },
                text: entry.name.text, isDirectory: entry.isDirectory)
        }
        if let archive = paths.first?.components.first, archive.hasSuffix(BundleLayout.archiveExtension),
            paths.contains(where: { $0.components.first == archive && $0.isFolder(0) })
        {
            let app = try BundleLayout.theApplication(of: archive, paths)
            prefix = [String(archive), "Products", "Applications", app.folder]
            name = app.name
        } else if paths.contains(where: { $0.components == ["Info.plist"] && !$0.isDirectory }) {
            try BundleLayout.requireContents(paths)
            prefix = []
            name = nil
        } else if paths.contains(where: { $0.components.first == "Payload" && $0.isFolder(0) }) {
            let app = try BundleLayout.theBundle(paths.filter { $0.components[0] == "Payload" }, depth: 1, [".app"])
            try BundleLayout.requirePackaging(paths)
            prefix = ["Payload", app.folder]
            name = app.name
        } else {
            if paths.allSatisfy({ !$0.isFolder(0) }), let file = paths.first?.components.first,
                ![".bundle", ".app"].contains(where: file.hasSuffix)
            {
                throw BundleLayout.missingInfoPlist(at: "Info.plist", beside: paths.map { String($0.components[0]) })
            }
            let bundle: (folder: String, name: String)
            do throws(BundleError) {
                bundle = try BundleLayout.theBundle(paths, depth: 0, [".bundle", ".app"])
            } catch {
                throw error.with { $0.hint = BundleLayout.hint(paths) }
            }
            prefix = [bundle.folder]
            name = bundle.name
        }
    }

    private static let archiveExtension = ".xcarchive"

    /// Whether the bundle is an application of an archive that Xcode has made.
    var isOfXcodeArchive: Bool { prefix.count == 4 }

    private struct Path {
        /// The first five: no shape of an archive is told by more.
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

    /// The one application in an archive of Xcode, whose other folders are about it.
    private static func theApplication(
        of archive: Substring, _ paths: [Path]
    ) throws(BundleError) -> (folder: String, name: String) {
        if let stranger = paths.first(where: { $0.components.first != archive }) {
            throw BundleError(.besideBundle, path: stranger.text)
        }
        let products = paths.filter { $0.components.dropFirst().starts(with: ["Products", "Applications"]) }
        do throws(BundleError) {
            return try theBundle(products, depth: 3, [".app"])
        } catch {
            guard error.reason == .noBundle else { throw error }
            throw error.with {
                $0.hint = "\(archive) has no application in Products/Applications; zip the bundle itself"
            }
        }
    }

    /// What seems to be meant where no folder is a bundle.
    private static func hint(_ paths: [Path]) -> String? {
        if paths.isEmpty { return "the archive is empty" }
        let held = paths.first { $0.components.count > 1 && $0.components.last == "Info.plist" && !$0.isDirectory }
        guard let held else { return nil }
        let folder = held.components.dropLast()
        guard let name = folder.last, ![".bundle", ".app"].contains(where: name.hasSuffix) else {
            return "zip \(folder.joined(separator: "/")) alone"
        }
        return "\(name) has an Info.plist, so it has to be called \(name).bundle"
    }

    /// - Parameter entries: all there are.
    func missingInfoPlist(at path: String, _ entries: [ZipEntry]) -> BundleError {
        let names = entries.filter { !Place.isNoise($0.name.components) }.compactMap {
            inside($0.name.components)?.first
        }
        return BundleLayout.missingInfoPlist(at: path, beside: names)
    }

    /// - Parameter names: of what lies where the dictionary should.
    private static func missingInfoPlist(at path: String, beside names: [String]) -> BundleError {
        BundleError(.infoPlistMissing, path: path).with { error in
            error.neighbour = names.min()
            if let other = names.first(where: { $0.lowercased() == "info.plist" }) {
                error.hint = "Rename \(other) to Info.plist and pack it again."
            }
        }
    }

    /// A dictionary with nothing but bundles around it could be the contents of a bundle that holds others, or
    /// lie beside the bundle that is meant: there is no telling.
    private static func requireContents(_ paths: [Path]) throws(BundleError) {
        let others = paths.filter { $0.components != ["Info.plist"] }
        let areBundles = others.allSatisfy { path in
            path.isFolder(0) && [".bundle", ".app"].contains(where: path.components[0].hasSuffix)
        }
        let holdsPayload = others.contains { $0.components[0] == "Payload" && $0.isFolder(0) }
        // What lies in an archive of Xcode, without its folder: its dictionary is about the application.
        let products = others.first {
            $0.components.starts(with: ["Products", "Applications"]) && $0.components.count > 3
                && $0.components[2].hasSuffix(".app")
        }
        if let products {
            throw BundleError(.besideBundle, path: "Info.plist").with {
                $0.hint =
                    "this is the inside of an .xcarchive, zip \(products.components.prefix(3).joined(separator: "/"))"
            }
        }
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
