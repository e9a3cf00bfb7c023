internal import WidgetZip

/// The place of an archive's one bundle.
///
/// Five shapes lead to one top folder `Name.bundle/`: that folder itself, `Name.app/` as Xcode builds it,
/// `Payload/Name.app/` of an application archive, `Any.xcarchive/Products/Applications/Name.app/` of an archive of
/// Xcode, and the contents without a folder around them.
struct BundleLayout: Equatable {
    /// The components before the bundle's contents: none, one, two or four.
    let prefix: [String]
    /// The folder's name without its extension; `nil` when the information dictionary has to give it.
    let name: String?

    /// - Throws: ``BundleError`` unless there is exactly one bundle with nothing beside it.
    init(_ entries: [ZipEntry]) throws(BundleError) {
        let paths = entries.compactMap { entry -> Path? in
            let components = entry.name.components
            guard !FilePlace.isNoise(components) else { return nil }
            return Path(
                components: entry.name.text.utf8.split(separator: 0x2F, maxSplits: 5).prefix(5).map { Substring($0) },
                text: entry.name.text, isDirectory: entry.isDirectory)
        }
        if let archive = paths.first?.components.first, archive.hasSuffix(BundleLayout.archiveExtension),
            paths.contains(where: { $0.components.first == archive && $0.isFolder(0) })
        {
            let app = try BundleLayout.onlyApplication(of: archive, paths)
            prefix = [String(archive), "Products", "Applications", app.folder]
            name = app.name
        } else if paths.contains(where: { $0.components == ["Info.plist"] && !$0.isDirectory }) {
            try BundleLayout.requireContents(paths)
            prefix = []
            name = nil
        } else if paths.contains(where: { $0.components.first == "Payload" && $0.isFolder(0) }) {
            let app = try BundleLayout.onlyBundle(paths.filter { $0.components[0] == "Payload" }, depth: 1, [".app"])
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
                bundle = try BundleLayout.onlyBundle(paths, depth: 0, [".bundle", ".app"])
            } catch {
                throw error.with { $0.hint = BundleLayout.hint(paths) }
            }
            prefix = [bundle.folder]
            name = bundle.name
        }
    }

    private static let archiveExtension = ".xcarchive"

    /// True if the bundle is an application in an archive of Xcode.
    var isOfXcodeArchive: Bool { prefix.count == 4 }

    private struct Path {
        /// The first five components, which suffice to recognise every shape.
        var components: [Substring]
        var text: String
        var isDirectory: Bool

        /// Returns true if the component of that index is a folder.
        func isFolder(_ index: Int) -> Bool { components.count > index + 1 || isDirectory && components.count > index }
    }

    /// Returns the path inside the bundle folder; `nil` for a path outside.
    func inside(_ components: [String]) -> [String]? {
        guard components.count > prefix.count, components.starts(with: prefix) else { return nil }
        return Array(components.dropFirst(prefix.count))
    }

    /// Returns the one folder with such an extension, provided that nothing is beside it.
    private static func onlyBundle(
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

    /// Returns the one application in an archive of Xcode, whose other folders describe it.
    private static func onlyApplication(
        of archive: Substring, _ paths: [Path]
    ) throws(BundleError) -> (folder: String, name: String) {
        if let stranger = paths.first(where: { $0.components.first != archive }) {
            throw BundleError(.besideBundle, path: stranger.text)
        }
        let products = paths.filter { $0.components.dropFirst().starts(with: ["Products", "Applications"]) }
        do throws(BundleError) {
            return try onlyBundle(products, depth: 3, [".app"])
        } catch {
            guard error.reason == .noBundle else { throw error }
            throw error.with {
                $0.hint = "\(archive) has no application in Products/Applications; zip the bundle itself"
            }
        }
    }

    /// Returns advice based on what the publisher seems to mean, when no folder is a bundle.
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

    /// - Parameter entries: all entries of the archive.
    func missingInfoPlist(at path: String, _ entries: [ZipEntry]) -> BundleError {
        let names = entries.filter { !FilePlace.isNoise($0.name.components) }.compactMap {
            inside($0.name.components)?.first
        }
        return BundleLayout.missingInfoPlist(at: path, beside: names)
    }

    /// - Parameter names: the names in the place of the dictionary.
    private static func missingInfoPlist(at path: String, beside names: [String]) -> BundleError {
        BundleError(.infoPlistMissing, path: path).with { error in
            error.neighbour = names.min()
            if let other = names.first(where: { $0.lowercased() == "info.plist" }) {
                error.hint = "Rename \(other) to Info.plist and pack it again."
            }
        }
    }

    /// Refuses a dictionary with only bundles around it. It could belong to the contents of a bundle that holds others,
    /// or be beside the intended bundle, and nothing decides which.
    private static func requireContents(_ paths: [Path]) throws(BundleError) {
        let others = paths.filter { $0.components != ["Info.plist"] }
        let areBundles = others.allSatisfy { path in
            path.isFolder(0) && [".bundle", ".app"].contains(where: path.components[0].hasSuffix)
        }
        let holdsPayload = others.contains { $0.components[0] == "Payload" && $0.isFolder(0) }
        // The contents of an archive of Xcode, without its folder: its dictionary describes the application.
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

    /// Allows beside `Payload` only the files of tools that make application archives.
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

/// The rule and kind that follow from the folders around a file, or from its exact name.
struct FilePlace: Equatable {
    var rule: StripRule
    var kind: ContentKind

    init(_ rule: StripRule, _ kind: ContentKind) {
        self.rule = rule
        self.kind = kind
    }

    /// Returns true for files that desktops add to archives and folders.
    static func isNoise(_ components: [String]) -> Bool {
        components.contains { component in
            if component == "__MACOSX" || component.hasPrefix("._") { return true }
            switch component.lowercased() {
            case ".ds_store", "thumbs.db", "desktop.ini": return true
            default: return false
            }
        }
    }

    /// Returns the place of a path inside the bundle folder; `nil` unless the place alone makes it stripped.
    static func of(_ components: [String]) -> FilePlace? {
        for folder in components.dropLast() {
            if let place = folderPlace(folder.lowercased()) { return place }
        }
        return components.last.flatMap { filePlace($0.lowercased()) }
    }

    private static func folderPlace(_ name: String) -> FilePlace? {
        switch name {
        case "frameworks", "plugins", "xpcservices", "watch", "swiftsupport", "extensions", "appclips":
            return FilePlace(.codeFolder, .other)
        case "_codesignature", "sc_info": return FilePlace(.signature, .signature)
        case "meta-inf", "symbols": return FilePlace(.packaging, .packaging)
        default: break
        }
        switch name.nameExtension {
        case "bundle", "app": return FilePlace(.nestedBundle, .other)
        case "framework", "xcframework", "appex", "xpc", "plugin", "kext", "xctest", "swiftmodule":
            return FilePlace(.codeFolder, .other)
        case "dsym": return FilePlace(.executable, .debugSymbols)
        default: return nil
        }
    }

    private static func filePlace(_ name: String) -> FilePlace? {
        switch name {
        case "coderesources": FilePlace(.signature, .signature)
        case "embedded.mobileprovision": FilePlace(.signature, .provisioning)
        case "pkginfo": FilePlace(.packaging, .packaging)
        default: nil
        }
    }
}
