internal import Bytes
internal import JSONText
internal import Predicates
internal import WidgetCore

/// A value of a scheme, with its place.
struct SchemeValue: Sendable {
    var json: JSONValue
    var place: Place

    var value: Value { Value(json) }
}

/// The description of a mediator in a scheme or an interface.
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
    /// The last value of an attribute, because a scheme's comes after the interface's.
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

/// The properties and bindings that a scheme adds to an element.
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
    /// The values of settings until they are set.
    private(set) var settings: [(name: String, value: SchemeValue)] = []
    private(set) var diagnostics: [Diagnostic] = []
    private let path: String
    private let lines: LineTable
    private let limits: FormatLimits
    /// The number of attributes that may still be read; negative once the limit was exceeded.
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
        readSettings(scheme["defaults"])
    }

    private mutating func readSettings(_ json: JSONValue?) {
        guard let json else { return }
        guard let members = json.object?.members else {
            diagnostics.append(
                Diagnostic(
                    .error, .badValue, "The defaults of a scheme must be an object", at: place(json.span, "defaults"),
                    hint: "it has the name of each setting with its value"))
            return
        }
        for member in members where member.name != "***" {
            guard settings.count < limits.initialSettingCount else {
                diagnostics.append(
                    Diagnostic(
                        .error, .countBudget, "A scheme has more than \(limits.initialSettingCount) settings",
                        at: place(member.nameSpan, "defaults"), hint: "the first ones count"))
                return
            }
            settings.append(
                (member.name, SchemeValue(json: member.value, place: place(member.nameSpan, "defaults.\(member.name)")))
            )
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

/// The description of a binding: its target, and the expression of its value.
struct Binding: Sendable {
    var target: String
    var expression: Expression
    /// Shown while the picture is missing.
    var placeholder: String?
}

/// Reads bindings and evaluations, which have the same description with and without a target.
enum BindingReader {
    private static let keys: Set<String> = [
        "to", "from", "predicateFormat", "ifTrue", "ifFalse", "transformer", "format", "placeholder", "***",
    ]

    static func binding(_ value: SchemeValue, _ diagnostics: inout [Diagnostic]) -> Binding? {
        guard let object = value.json.object else {
            diagnostics.append(Diagnostic(.error, .badValue, "A binding must be an object", at: value.place))
            return nil
        }
        for member in object.members where !keys.contains(member.name) {
            diagnostics.append(
                Diagnostic(
                    .warning, .unknownKey, "A binding has no use for \(member.name)", at: value.place,
                    hint: "it can have \(keys.subtracting(["***"]).sorted().joined(separator: ", "))"))
        }
        guard let expression = expression(object, value.place, &diagnostics) else { return nil }
        return Binding(
            target: object["to"]?.string ?? "wx_value", expression: expression,
            placeholder: object["placeholder"]?.string)
    }

    /// The expression of a description, without its target.
    static func expression(
        _ object: JSONObject, _ place: Place, _ diagnostics: inout [Diagnostic]
    ) -> Expression? {
        var expression = Expression(.scope, place: place, source: source(of: object))
        if let from = object["from"]?.string, !from.isEmpty {
            do throws(PredicateError) {
                expression.start = try .compiled(CompiledExpression("%K", arguments: [.string(from)]))
            } catch {
                diagnostics.append(Diagnostic(.error, .badPredicate, "`\(from)`: \(error.sentence)", at: place))
                return nil
            }
        }
        if let format = object["predicateFormat"]?.string {
            do throws(PredicateError) {
                expression.steps.append(choice(try CompiledPredicate(format), object))
            } catch {
                diagnostics.append(
                    Diagnostic(
                        .error, .badPredicate, "`\(format)`: \(error)", at: place, hint: error.hint))
                return nil
            }
        }
        if let name = object["transformer"]?.string { expression.steps.append(.transformer(name)) }
        if let format = object["format"]?.string { expression.steps.append(.format(Template(format, .format))) }
        if let placeholder = object["placeholder"], !placeholder.isNull {
            expression.steps.append(.placeholder(Value(placeholder)))
        }
        return expression
    }

    /// A choice by a predicate. A missing branch leaves the value as it is; without both, the result is the truth
    /// value.
    private static func choice(_ predicate: CompiledPredicate, _ object: JSONObject) -> Expression.Step {
        let (whenTrue, whenFalse) = (object["ifTrue"], object["ifFalse"])
        if whenTrue == nil, whenFalse == nil { return .truth(predicate) }
        return .choice(predicate, whenTrue: whenTrue.map(picked), whenFalse: whenFalse.map(picked))
    }

    private static func picked(_ json: JSONValue) -> Expression.Choice {
        guard let text = json.string else { return .value(Value(json)) }
        let template = Template(text, .keyPaths)
        return template.hasTokens ? .template(template) : .value(.string(text))
    }

    /// The description as it was written, shortened, for explanations.
    private static func source(of object: JSONObject) -> String {
        var parts: [String] = []
        if let from = object["from"]?.string { parts.append(from) }
        if let predicate = object["predicateFormat"]?.string { parts.append("[\(predicate)]") }
        if let name = object["transformer"]?.string { parts.append("| \(name)") }
        if let format = object["format"]?.string { parts.append("\"\(format)\"") }
        return parts.isEmpty ? "the scope" : parts.joined(separator: " ").excerpt
    }
}
