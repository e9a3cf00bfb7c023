package import WidgetCore
internal import WidgetDocuments
internal import WidgetNib

/// Makes one program of the storyboards and the documents of a bundle that has both.
package struct MixedFrontEnd: FrontEnd {
    package static let name = "WidgetKit scheme with documents"
    package static let endings = DocumentFrontEnd.endings + WidgetKitReader.endings

    /// True if a bundle has a compiled storyboard, and a document or the name of one in its manifest.
    package static func recognises(_ files: BundleFiles) -> Bool {
        guard WidgetKitReader.recognises(files) else { return false }
        return DocumentFrontEnd.named(in: files) != nil || files.paths.contains(where: DocumentFrontEnd.isDocument)
    }

    package static func program(_ files: BundleFiles, _ options: ProgramOptions) throws(FormatError) -> Program {
        let first = firstDocument(of: files, options)
        let input = DocumentFrontEnd.input(files, options, first: first)
        let other: OtherProgram
        do throws(FormatError) {
            other = try WidgetKitReader.program(
                files, storyboardOptions(files, options, isFirst: first == nil),
                documents: Set(input.documents.map { $0.name }), isFirst: first == nil)
        } catch {
            guard first != nil else { throw error }
            // The documents are shown without the storyboards that they may lead to.
            let program = Program(
                identifier: options.identifier, scenes: [], entries: [:], initial: "", images: files.images,
                diagnostics: [Finding(.error, .badFile, "\(error)", hint: "documents cannot lead to its screens")])
            other = OtherProgram(program, screens: [:])
        }
        do throws(DocumentError) {
            return try DocumentReader.program(input, joining: other)
        } catch {
            throw .document(error)
        }
    }

    /// The document that the bundle begins with; `nil` if it begins with its storyboard.
    ///
    /// The manifest decides. Without it a storyboard of the usual name comes before a document of the usual name.
    private static func firstDocument(of files: BundleFiles, _ options: ProgramOptions) -> String? {
        let name = DocumentFrontEnd.first(of: files, options)
        if DocumentFrontEnd.named(in: files) != nil, options.entryPoint == FirstScreen.storyboard { return name }
        if files.folder("\(options.entryPoint).storyboardc") != nil { return nil }
        return files.resource("\(name)\(DocumentWords.ending)") == nil ? nil : name
    }

    /// The options with the storyboard that documents lead to: the usual one, or else the first by its name.
    private static func storyboardOptions(
        _ files: BundleFiles, _ options: ProgramOptions, isFirst: Bool
    ) -> ProgramOptions {
        guard !isFirst, files.folder("\(options.entryPoint).storyboardc") == nil else { return options }
        var options = options
        let suffix = ".storyboardc"
        let names = files.paths.compactMap { path in
            path.split(separator: "/").first { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }
        }
        options.entryPoint =
            names.contains(FirstScreen.storyboard) ? FirstScreen.storyboard : names.min() ?? options.entryPoint
        return options
    }
}
