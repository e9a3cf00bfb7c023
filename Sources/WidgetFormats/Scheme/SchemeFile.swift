internal import Bytes
internal import JSONText
internal import Predicates
internal import WidgetCore

/// A value of a scheme, and where it stands.
struct SchemeValue: Sendable {
    var json: JSONValue
    var place: Place

    var value: Value { Value(json) }
}

/// A mediator as it was described, in a scheme or in an interface.
struct MediatorDescription: Sendable {
    var id: String
    var type: String
    var alias: String?
    var attributes: [(name: String, value: SchemeValue)] = []
    var evals: [(name: String, value: SchemeValue)] = []
    var outlets: [(name: String, targets: [String])] = []
    var place: Place
}

extension MediatorDescription {
    /// The last word counts: a scheme's comes after the interface's.
    func attribute(_ name: String) -> SchemeValue? { attributes.last { $0.name == name }?.value }

    func text(_ name: String) -> String? { attribute(name)?.json.string }

    func number(_ name: String) -> Double? {
        attribute(name).flatMap { $0.json.double ?? $0.json.string.flatMap { Double($0) } }
    }

    func flag(_ name: String) -> Bool? {
        attribute(name).flatMap { $0.json.isNull ? nil : $0.value.truth }
    }

    /// An array of texts, or one text with bars between them.
    func texts(_ name: String, upTo count: Int = .max) -> [String]? {
        if let array = attribute(name)?.json.array { return array.prefix(count).map { Value($0).shown } }
        return text(name).map {
            $0.utf8.split(separator: UInt8(ascii: "|"), maxSplits: count, omittingEmptySubsequences: false)
                .prefix(count).map { String(Substring($0)) }
        }
    }

    func outlet(_ name: String) -> String? { outlets.last { $0.name == name }?.targets.last }

    func outletList(_ name: String) -> [String]? {
        let found = outlets.filter { $0.name == name }
        return found.isEmpty ? nil : found.flatMap(\.targets)
    }
}

/// What a scheme adds to an element.
struct ElementDescription: Sendable {
    var id: String
    var attributes: [(name: String, value: SchemeValue)] = []
    var bindings: [SchemeValue] = []
    var outlets: [(name: String, targets: [String])] = []
    var action: (target: String, selector: String)?
    var place: Place
}

/// One screen's scheme.
struct SchemeFile: Sendable {
    private(set) var mediators: [MediatorDescription] = []
    private(set) var elements: [ElementDescription] = []
    private(set) var diagnostics: [Diagnostic] = []
    private let path: String
    private let lines: LineTable
    private let limits: FormatLimits
    /// Attributes that may still be read; below nothing once that was too few.
    private var attributesLeft: Int

    private static let objectKeys: Set<String> = ["type", "alias", "attrs", "evals", "outlets", "***"]
    private static let elementKeys: Set<String> = ["attrs", "bindings", "outlets", "action", "***"]

    /// - Parameter identifier: of the screen; other members of the file are comments.
    init(_ bytes: [UInt8], path: String, identifier: String, _ limits: FormatLimits = FormatLimits()) {
        self.path = path
        self.limits = limits
        attributesLeft = limits.attributeCount
        lines = LineTable(bytes)
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONValue(parsing: bytes)
        } catch {
            diagnostics = [
                Diagnostic(
                    .error, .badFile, "\(error.reason)",
                    at: Place(file: path, line: error.line, column: error.column, path: "\(error.path)"))
            ]
            return
        }
        guard let scheme = root[identifier]?.object else {
            diagnostics = [
                Diagnostic(
                    .warning, .badFile, "The file has no scheme under the name \(identifier)", at: Place(file: path),
                    hint: "it has \(root.object?.members.map(\.name).joined(separator: ", ") ?? "no names")")
            ]
            return
        }
        for member in scheme["objects"]?.object?.members ?? [] {
            if let object = member.value.object { readObject(member, object) }
        }
        for member in scheme["elements"]?.object?.members ?? [] {
            if let object = member.value.object { readElement(member, object) }
        }
    }

    private func place(_ span: JSONSpan, _ name: String) -> Place {
        let position = lines.position(of: span.offset)
        return Place(file: path, line: position.line, column: position.column, path: name.excerpt)
    }

    private mutating func readObject(_ member: JSONObject.Member, _ object: JSONObject) {
        var mediator = MediatorDescription(
            id: member.name, type: object["type"]?.string ?? "", alias: object["alias"]?.string,
            place: place(member.nameSpan, member.name))
        for entry in object.members where !SchemeFile.objectKeys.contains(entry.name) {
            diagnostics.append(
                Diagnostic(
                    .error, .unknownKey, "An object cannot have \(entry.name)",
                    at: place(entry.nameSpan, "\(member.name.excerpt).\(entry.name.excerpt)"),
                    hint: "it can have type, alias, attrs, evals and outlets"))
        }
        mediator.attributes = values(object["attrs"], member.name.excerpt)
        mediator.evals = values(object["evals"], member.name.excerpt)
        mediator.outlets = outlets(object["outlets"])
        mediators.append(mediator)
    }

    private mutating func readElement(_ member: JSONObject.Member, _ object: JSONObject) {
        var element = ElementDescription(id: member.name, place: place(member.nameSpan, member.name))
        for entry in object.members where !SchemeFile.elementKeys.contains(entry.name) {
            diagnostics.append(
                Diagnostic(
                    .warning, .unknownKey, "An element has no use for \(entry.name)",
                    at: place(entry.nameSpan, "\(member.name.excerpt).\(entry.name.excerpt)"),
                    hint: "it can have attrs, bindings, outlets and action"))
        }
        element.attributes = values(object["attrs"], member.name.excerpt)
        for binding in object["bindings"]?.array ?? [] {
            element.bindings.append(SchemeValue(json: binding, place: place(binding.span, member.name)))
        }
        element.outlets = outlets(object["outlets"])
        if let action = object["action"], let target = action["target"]?.string,
            let selector = action["selector"]?.string
        {
            element.action = (target, selector)
        }
        elements.append(element)
    }

    private mutating func values(_ json: JSONValue?, _ owner: String) -> [(name: String, value: SchemeValue)] {
        let members = json?.object?.members ?? []
        guard members.count <= attributesLeft else {
            if attributesLeft >= 0 {
                diagnostics.append(
                    Diagnostic(
                        .error, .nodeBudget, "The scheme has more than \(limits.attributeCount) attributes",
                        at: Place(file: path, path: owner), hint: "those from here on are left out"))
            }
            attributesLeft = -1
            return []
        }
        attributesLeft -= members.count
        return members.filter { $0.name != "***" }.map { member in
            (
                member.name,
                SchemeValue(json: member.value, place: place(member.nameSpan, "\(owner).\(member.name.excerpt)"))
            )
        }
    }

    private func outlets(_ json: JSONValue?) -> [(name: String, targets: [String])] {
        (json?.object?.members ?? []).compactMap { member in
            if let target = member.value.string { return (member.name, [target]) }
            return member.value.array.map { (member.name, $0.compactMap(\.string)) }
        }
    }
}
