internal import WidgetBytes
internal import WidgetCore

/// Finds folders of languages that no reader has, and files in them that are never read.
enum LanguageFolders {
    private static let ending = ".lproj"
    private static let base = "Base"
    private static let most = 50

    static func diagnostics(_ files: BundleFiles) -> [Finding] {
        var found: [Finding] = []
        var folders: [String: [String]] = [:]
        for path in files.paths {
            let parts = path.split(separator: "/", maxSplits: 1)
            guard parts.count == 2, parts[0].hasSuffix(ending) else { continue }
            folders[String(parts[0].dropLast(ending.count)), default: []].append(String(parts[1]))
        }
        for (name, contents) in folders.sorted(by: { $0.key < $1.key }) where found.count < most {
            let place = Place(file: "\(name)\(ending)")
            if let fault = fault(of: name) {
                found.append(
                    Finding(
                        .warning, .unknownLocale,
                        "\(name.excerpt)\(ending) is of no language, so nothing in it is read",
                        at: place, hint: fault))
            }
            if name != base, let lone = lone(contents, in: name, folders, files) {
                found.append(
                    Finding(
                        .warning, .translation,
                        "\(lone.excerpt) is in \(name.excerpt)\(ending) alone, so readers of all languages see it",
                        at: Place(file: "\(name)\(ending)/\(lone)"),
                        hint: "put the one for all readers into \(base)\(ending)"))
            }
            let hidden = hidden(contents, files)
            if let first = hidden.first {
                let others = hidden.count > 1 ? ", like \(hidden.count - 1) other files of the folder" : ""
                found.append(
                    Finding(
                        .warning, .translation, "\(first.excerpt) is never read, because one lies at the top\(others)",
                        at: Place(file: "\(name)\(ending)/\(first)"),
                        hint: "move the one at the top into \(base)\(ending)"))
            }
        }
        return found
    }

    /// The first document or scheme of a folder that lies nowhere else, where others lie outside of the folders of languages.
    private static func lone(
        _ contents: [String], in folder: String, _ folders: [String: [String]], _ files: BundleFiles
    ) -> String? {
        let isShared = files.paths.contains { !$0.contains("/") && $0.hasSuffix(".json") } || folders[base] != nil
        guard isShared else { return nil }
        return contents.first { name in
            name.hasSuffix(".json") && !name.contains("/") && files[name] == nil
                && folders.allSatisfy { $0.key == folder || !$0.value.contains(name) }
        }
    }

    /// The files and compiled interfaces of a folder that have the names of others at the top of the bundle.
    private static func hidden(_ contents: [String], _ files: BundleFiles) -> [String] {
        var hidden: [String] = []
        for path in contents {
            let name = path.split(separator: "/").first.map(String.init) ?? path
            guard hidden.last != name else { continue }
            let isAtTop = name == path ? files[name] != nil : files.paths.contains { $0.hasPrefix("\(name)/") }
            if isAtTop { hidden.append(name) }
        }
        return hidden
    }

    /// The hint about a folder that is of no language; `nil` for one of a language, or for all.
    static func fault(of name: String) -> String? {
        guard name != base, let fault = LanguageName.fault(of: name) else { return nil }
        return fault.meant.map { "did you mean \($0)\(ending)?" }
            ?? "a folder has the code of a language, such as de\(ending) or pt-BR\(ending)"
    }
}
