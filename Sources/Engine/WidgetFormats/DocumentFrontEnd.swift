internal import Nib
internal import Plist
package import WidgetCore
internal import WidgetDocuments

/// Makes a program of a bundle of data-driven documents.
package struct DocumentFrontEnd: FrontEnd {
    package static let name = "document"
    package static let endings = [".json", ".plist"]

    /// The folder whose files are components.
    private static let componentFolder = "components/"
    private static let manifest = "Info.plist"
    /// The key of the manifest for elements that cannot be shown.
    private static let policyKey = "WidgetDocumentPolicy"

    /// True if the manifest names a document, or if the bundle has one of the usual name and no storyboard.
    package static func recognises(_ files: BundleFiles) -> Bool {
        if keys(files)[DocumentWords.manifestKey] != nil { return true }
        return files.resource(DocumentWords.standardName) != nil
            && !files.paths.contains { $0.contains(".storyboardc/") }
    }

    package static func program(_ files: BundleFiles, _ options: ProgramOptions) throws(FormatError) -> Program {
        let keys = DocumentFrontEnd.keys(files)
        let named = keys[DocumentWords.manifestKey] ?? DocumentWords.standardName
        let first = options.entryPoint == FirstScreen.storyboard ? name(ofFile: named) : options.entryPoint
        var documents: [DocumentFile] = []
        var components: [DocumentFile] = []
        for path in files.paths where path.hasSuffix(".json") {
            guard path.hasSuffix(DocumentWords.ending) || path == named else {
                if path.hasPrefix(componentFolder), let bytes = files[path] {
                    let name = String(path.dropFirst(componentFolder.count).dropLast(".json".count))
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
        input.components = components
        input.policy =
            keys[policyKey].flatMap(ElementPolicy.init) ?? (options.isDevelopment ? .placeholder : .skip)
        do throws(DocumentError) {
            return try DocumentReader.program(input, images: files.images)
        } catch {
            throw .document(error)
        }
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
