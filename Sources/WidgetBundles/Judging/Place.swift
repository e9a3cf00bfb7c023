/// What the folders around a file, or its exact name, say about it.
struct Place: Equatable {
    var rule: StripRule
    var kind: ContentKind

    init(_ rule: StripRule, _ kind: ContentKind) {
        self.rule = rule
        self.kind = kind
    }

    /// Whether a path is something that desktops add to archives and folders.
    static func isNoise(_ components: [String]) -> Bool {
        components.contains { component in
            if component == "__MACOSX" || component.hasPrefix("._") { return true }
            switch component.lowercased() {
            case ".ds_store", "thumbs.db", "desktop.ini": return true
            default: return false
            }
        }
    }

    /// The place of a path inside the bundle folder, when it is one that is stripped.
    static func of(_ components: [String]) -> Place? {
        for folder in components.dropLast() {
            if let place = folderPlace(folder.lowercased()) { return place }
        }
        return components.last.flatMap { filePlace($0.lowercased()) }
    }

    private static func folderPlace(_ name: String) -> Place? {
        switch name {
        case "frameworks", "plugins", "xpcservices", "watch", "swiftsupport", "extensions", "appclips":
            return Place(.codeFolder, .other)
        case "_codesignature", "sc_info": return Place(.signature, .signature)
        case "meta-inf", "symbols": return Place(.packaging, .packaging)
        default: break
        }
        switch name.nameExtension {
        case "bundle", "app": return Place(.nestedBundle, .other)
        case "framework", "xcframework", "appex", "xpc", "plugin", "kext", "xctest", "swiftmodule":
            return Place(.codeFolder, .other)
        case "dsym": return Place(.executable, .debugSymbols)
        default: return nil
        }
    }

    private static func filePlace(_ name: String) -> Place? {
        switch name {
        case "coderesources": Place(.signature, .signature)
        case "embedded.mobileprovision": Place(.signature, .provisioning)
        case "pkginfo": Place(.packaging, .packaging)
        default: nil
        }
    }
}
