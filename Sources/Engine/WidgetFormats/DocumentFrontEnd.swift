package import WidgetCore
package import WidgetDocuments
internal import WidgetNib
internal import WidgetPlist

/// Makes a program of a bundle of data-driven documents.
package struct DocumentFrontEnd: FrontEnd {
    package static let name = "document"
    package static let endings = [".json", ".plist"]

    private static let manifest = "Info.plist"
    /// The key of the manifest for elements that cannot be shown.
    private static let policyKey = "WidgetDocumentPolicy"

    /// True if the manifest names a document, or if the bundle has one and no storyboard.
    package static func recognises(_ files: BundleFiles) -> Bool {
        if keys(files)[DocumentWords.manifestKey] != nil { return true }
        return files.paths.contains { $0.hasSuffix(DocumentWords.ending) }
            && !files.paths.contains { $0.contains(".storyboardc/") }
    }

    package static func program(_ files: BundleFiles, _ options: ProgramOptions) throws(FormatError) -> Program {
        var input = DocumentFrontEnd.input(files, options, first: first(of: files, options))
        input.diagnostics += TranslationCheck.diagnostics(files, nil)
        input.diagnostics += FileNameCheck.diagnostics(files, used: [], hasDocuments: true)
        do throws(DocumentError) {
            return try DocumentReader.program(input, images: files.images)
        } catch {
            throw .document(error)
        }
    }

    /// The documents and all that belongs to them, of a bundle that is made of nothing else.
    package static func input(_ files: BundleFiles, _ options: ProgramOptions) -> DocumentInput {
        input(files, options, first: first(of: files, options))
    }

    /// The name of the document to begin with: that of the options, of the manifest, or the usual one.
    static func first(of files: BundleFiles, _ options: ProgramOptions) -> String {
        guard options.entryPoint == FirstScreen.storyboard else { return options.entryPoint }
        return named(in: files).map(name(ofFile:)) ?? name(ofFile: DocumentWords.standardName)
    }

    /// The first document of the manifest.
    static func named(in files: BundleFiles) -> String? { keys(files)[DocumentWords.manifestKey] }

    /// True for a file that is a document by its name.
    static func isDocument(_ path: String) -> Bool { path.hasSuffix(DocumentWords.ending) }

    /// The documents and components of a bundle.
    ///
    /// - Parameter first: the name of the document to begin with; `nil` if none is.
    static func input(_ files: BundleFiles, _ options: ProgramOptions, first: String?) -> DocumentInput {
        let keys = DocumentFrontEnd.keys(files)
        let named = keys[DocumentWords.manifestKey] ?? DocumentWords.standardName
        var documents: [DocumentFile] = []
        var components: [DocumentFile] = []
        for path in files.paths where path.hasSuffix(".json") {
            guard isDocument(path) || path == named else {
                if path.hasPrefix(DocumentWords.componentFolder), let bytes = files[path] {
                    let name = String(path.dropFirst(DocumentWords.componentFolder.count).dropLast(".json".count))
                    components.append(DocumentFile(path: path, name: name, bytes: bytes))
                }
                continue
            }
            // A document in the reader's language comes before the one for all.
            let resource = String(path.split(separator: "/").last ?? "")
            guard let (found, bytes) = files.resource(resource), found == path else { continue }
            documents.append(DocumentFile(path: path, name: name(ofFile: resource), bytes: bytes))
        }
        var input = DocumentInput(identifier: options.identifier, documents: documents, first: first)
        input.name = options.name
        let services = DocumentServices(files, options)
        input.components = components
        input.theme = files[DocumentWords.themeFile].map {
            DocumentFile(path: DocumentWords.themeFile, name: "theme", bytes: $0)
        }
        input.services = services.services
        input.diagnostics = services.diagnostics
        input.policy =
            keys[policyKey].flatMap(ElementPolicy.init) ?? (options.isDevelopment ? .placeholder : .skip)
        return input
    }

    /// The name of a document, by which others push it.
    private static func name(ofFile file: String) -> String {
        for ending in [DocumentWords.ending, ".json"] where file.hasSuffix(ending) {
            return String(file.dropLast(ending.count))
        }
        return file
    }

    /// The texts of the manifest.
    private static func keys(_ files: BundleFiles) -> [String: String] {
        // A manifest that cannot be read is refused before a program is made of the bundle.
        guard let bytes = files[manifest], let dictionary = (try? PlistValue(parsing: bytes))?.dictionary else {
            return [:]
        }
        var keys: [String: String] = [:]
        for (key, value) in zip(dictionary.keys, dictionary.values) { keys[key] = value.string }
        return keys
    }
}
