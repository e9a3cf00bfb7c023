internal import WidgetBytes
internal import WidgetCore
internal import WidgetDocuments

/// Finds files that nothing reads because their names are nearly those of files that are read.
enum FileNameCheck {
    private static let services = ["Service.json", "StubService.json", "Service.dev.json"]
    private static let documents = [DocumentWords.themeFile, DocumentWords.standardName]
    private static let folders = ["components", "services"]
    private static let most = 50

    /// - Parameter used: files that something reads under their own names.
    static func diagnostics(_ files: BundleFiles, used: Set<String>, hasDocuments: Bool) -> [Finding] {
        let known = services + (hasDocuments ? documents : [])
        var found: [Finding] = []
        for path in files.paths where path.hasSuffix(".json") && found.count < most {
            let parts = path.split(separator: "/").map(String.init)
            guard let name = parts.last, !used.contains(name), !known.contains(name) else { continue }
            if parts.count == 1 || parts[0].hasSuffix(".lproj") {
                // A document of another name is one as well.
                if hasDocuments, path.hasSuffix(DocumentWords.ending) { continue }
                let meant =
                    NearestName.of(name, in: known, atMost: 1) ?? (hasDocuments ? document(name) : nil)
                if let meant, files.resource(meant) == nil { found.append(fault(path, meant)) }
            } else if parts.count == 2, hasDocuments, !folders.contains(parts[0]),
                let folder = NearestName.of(parts[0], in: folders, atMost: 1)
            {
                found.append(fault(path, "\(folder)/\(name)"))
            }
        }
        return found
    }

    /// The name that a file with nearly the ending of a document should have.
    private static func document(_ name: String) -> String? {
        let parts = name.split(separator: ".").map(String.init)
        guard parts.count == 3, NearestName.of("\(parts[1])", in: ["widgets"], atMost: 1) != nil else { return nil }
        return "\(parts[0])\(DocumentWords.ending)"
    }

    private static func fault(_ path: String, _ meant: String) -> Finding {
        Finding(
            .warning, .missingFile, "Nothing reads \(path.excerpt)", at: Place(file: path),
            hint: "did you mean \(meant.excerpt)?")
    }
}
