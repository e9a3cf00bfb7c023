internal import JSONText
internal import WidgetBytes
internal import WidgetCore
internal import WidgetDocuments
internal import WidgetPlist

/// The section of `Info.plist` in which a bundle of the framework makes statements about itself.
enum TermsSection {
    private static let manifest = "Info.plist"
    /// Containers within each other; the terms need four.
    private static let depth = 16

    static func read(_ files: BundleFiles, _ diagnostics: inout [Finding]) -> DeclaredTerms {
        // A manifest that cannot be read is refused before a program is made of the bundle.
        guard let bytes = files[manifest], let file = try? PlistFile(parsing: bytes.span),
            let section = file.table.member(TermWords.section, of: file.table.top)
        else { return DeclaredTerms() }
        guard let value = json(section, file, depth) else {
            diagnostics.append(
                Finding(
                    .error, .depthBudget, "Values lie more than \(depth) deep in each other",
                    at: Place(file: manifest, path: TermWords.section), hint: "the section is not read"))
            return DeclaredTerms()
        }
        let lines = file.offset(of: section) == nil ? nil : LineTable(bytes)
        let read = DeclaredTerms.reading(value, file: manifest, lines: lines)
        diagnostics += read.diagnostics
        return read.declared
    }

    /// The value of an entry with its place; `nil` if others lie too deep in it. A key that is repeated has its last
    /// value.
    private static func json(_ entry: Int, _ file: PlistFile, _ depth: Int) -> JSONValue? {
        guard depth > 0 else { return nil }
        let offset = file.offset(of: entry) ?? 0
        let span = JSONSpan(from: offset, to: offset)
        switch file.table.entries[entry] {
        case .scalar(let scalar): return JSONValue(kind(scalar), span: span)
        case .array(let list):
            var elements: [JSONValue] = []
            for number in file.table.values(list) {
                guard let element = json(Int(bounded: number), file, depth - 1) else { return nil }
                elements.append(element)
            }
            return JSONValue(.array(elements), span: span)
        case .dictionary(let list):
            var members: [String: JSONValue] = [:]
            var names: [String] = []
            for (key, number) in zip(file.table.keys(list), file.table.values(list)) {
                guard let name = file.table.scalar(Int(bounded: key))?.string,
                    let value = json(Int(bounded: number), file, depth - 1)
                else { return nil }
                if members.updateValue(value, forKey: name) == nil { names.append(name) }
            }
            let object = JSONObject(names.compactMap { name in members[name].map { JSONObject.Member(name, $0) } })
            return object.map { JSONValue(.object($0), span: span) }
        }
    }

    private static func kind(_ scalar: PlistValue) -> JSONValue.Kind {
        switch scalar {
        case .string(let text): .string(text)
        case .boolean(let flag): .boolean(flag)
        case .integer(let number): .number(JSONNumber(number))
        case .real(let number): JSONNumber(number).map { .number($0) } ?? .string("\(number)")
        // No term is a date or data; their types are faults where they are read.
        case .largeInteger, .data, .date, .uid, .array, .dictionary: .null
        }
    }
}
