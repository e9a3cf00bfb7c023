internal import JSONText
internal import WidgetBytes
internal import WidgetCore

/// A document or a component that was parsed, with the places of its values.
struct DocumentSource: Sendable {
    let path: String
    let name: String
    let root: JSONValue
    /// The names of its elements.
    let ids: Set<String>
    /// `nil` for a file without lines.
    private let lines: LineTable?

    init(_ root: JSONValue, path: String, name: String, lines: LineTable?) {
        (self.root, self.path, self.name, self.lines) = (root, path, name, lines)
        ids = []
    }

    init(_ file: DocumentFile, _ limits: DocumentLimits) throws(JSONError) {
        let document = try JSONDocument(
            parsing: file.bytes,
            limits: JSONLimits(
                byteCount: limits.byteCount, depth: limits.valueDepth, valueCount: limits.valueCount),
            root: .container)
        path = file.path
        name = file.name
        root = document.root
        lines = document.lines
        var ids: Set<String> = []
        var pending = [document.root]
        while let value = pending.popLast() {
            pending += value.array ?? []
            guard let object = value.object else { continue }
            if object["kind"] != nil, let id = object["id"]?.string { ids.insert(id) }
            pending += object.members.map { $0.value }
        }
        self.ids = ids
    }

    func place(_ value: JSONValue, _ keys: ValuePath) -> Place {
        guard let position = lines?.position(of: value.span.offset) else {
            return Place(file: path, path: keys.description)
        }
        return Place(file: path, line: position.line, column: position.column, path: keys.description)
    }
}

/// A value of a document with its path.
struct DocumentValue: Sendable {
    let json: JSONValue
    let path: ValuePath
    let source: DocumentSource

    init(_ json: JSONValue, _ path: ValuePath, in source: DocumentSource) {
        self.json = json
        self.path = path
        self.source = source
    }

    var place: Place { source.place(json, path) }

    /// The member of that name; `nil` for one that is absent or null.
    subscript(_ name: String) -> DocumentValue? {
        guard let member = json[name], !member.isNull else { return nil }
        return DocumentValue(member, path.appending(key: name), in: source)
    }

    var members: [(name: String, value: DocumentValue)] {
        (json.object?.members ?? []).map {
            ($0.name, DocumentValue($0.value, path.appending(key: $0.name), in: source))
        }
    }

    var elements: [DocumentValue] {
        (json.array ?? []).enumerated().map { DocumentValue($1, path.appending(index: $0), in: source) }
    }

    /// The elements of an array; another value counts as its one element.
    var asList: [DocumentValue] { json.array == nil ? [self] : elements }

    func fault(_ code: Finding.Code, _ message: String, hint: String? = nil) -> ElementFault {
        ElementFault(Finding(.error, code, message, at: place, hint: hint))
    }
}

/// The reason that an element cannot be shown.
package struct ElementFault: Error {
    var diagnostic: Finding

    init(_ diagnostic: Finding) {
        self.diagnostic = diagnostic
    }
}
