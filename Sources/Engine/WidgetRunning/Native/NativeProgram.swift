internal import JSONText
package import WidgetContract
package import WidgetCore
package import WidgetDocuments

/// A widget that is written in Swift: its documents, and the code that they call.
package struct NativeProgram: Sendable {
    package let code: any NativeCode
    package private(set) var input: DocumentInput
    /// The pictures that it has; `nil` where they are not known.
    package let images: [String: ImageInfo]?

    package init(_ input: DocumentInput, images: [String: ImageInfo]? = nil, code: any NativeCode) {
        self.input = input
        self.input.allowsNative = true
        self.images = images
        self.code = code
    }

    /// A widget as it describes itself.
    package init(
        _ declaration: NativeDeclaration, services: [Service] = [], images: [String: ImageInfo]? = nil,
        code: any NativeCode
    ) {
        let documents = declaration.documents.map { NativeProgram.file($0) }
        var input = DocumentInput(
            identifier: declaration.identifier, documents: documents.sorted { $0.name < $1.name },
            first: declaration.first)
        input.services = services
        input.diagnostics = declaration.faults.map(Finding.init)
        self.init(input, images: images, code: code)
    }

    /// The program of its documents.
    package func program() throws(DocumentError) -> Program { try DocumentReader.program(input, images: images) }

    /// The same widget with documents added or replaced; `nil` if all of them are as before.
    func with(_ documents: [NativeNamedValue]) -> NativeProgram? {
        var changed = self
        var isChanged = false
        for document in documents {
            let file = NativeProgram.file(document)
            guard let place = changed.input.documents.firstIndex(where: { $0.name == file.name }) else {
                guard changed.input.documents.count < changed.input.limits.fileCount else {
                    let fault = Finding(
                        .error, .nativeFault,
                        "The program has more than \(changed.input.limits.fileCount) documents",
                        hint: "those that come later are not shown")
                    if !changed.input.diagnostics.contains(fault) {
                        changed.input.diagnostics.append(fault)
                        isChanged = true
                    }
                    continue
                }
                let next = changed.input.documents.firstIndex { $0.name > file.name }
                changed.input.documents.insert(file, at: next ?? changed.input.documents.endIndex)
                isChanged = true
                continue
            }
            guard changed.input.documents[place].bytes != file.bytes else { continue }
            changed.input.documents[place] = file
            isChanged = true
        }
        return isChanged ? changed : nil
    }

    private static func file(_ document: NativeNamedValue) -> DocumentFile {
        var writer = JSONWriter()
        writer.value(document.value)
        return DocumentFile(
            path: document.name + DocumentWords.ending, name: document.name, bytes: writer.finish())
    }
}

extension Finding {
    /// A text of native code for its author.
    package init(_ remark: NativeRemark) {
        self.init(
            remark.isError ? .error : .warning, .nativeFault, remark.message.excerpt,
            at: remark.file.map { Place(file: $0.excerpt, line: max(0, remark.line ?? 0), column: 1) },
            hint: remark.hint?.excerpt)
    }
}
