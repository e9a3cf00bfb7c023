internal import JSONText
internal import WidgetBytes
internal import WidgetCore
internal import WidgetPredicates

/// A value of a scheme, with its place.
struct SchemeValue: Sendable {
    var json: JSONValue
    var place: Place
    /// The lines of its file, for the places of its parts; `nil` in a compiled file.
    var lines: LineTable?

    var value: Value { Value(json) }

    /// The place of a part of the value.
    func place(of span: JSONSpan) -> Place {
        guard let position = lines?.position(of: span.offset) else { return place }
        return Place(file: place.file, line: position.line, column: position.column, path: place.path)
    }
}

extension SchemeValue {
    /// The place of a byte of a text. Texts with escapes, and those of compiled files, have their own place alone.
    func place(ofByte offset: Int) -> Place {
        guard let lines, let text = json.string, json.span.byteCount == text.utf8.count + 2 else { return place }
        let position = lines.position(of: json.span.offset + 1 + offset)
        return Place(file: place.file, line: position.line, column: position.column, path: place.path)
    }
}

/// A connection as it was written.
struct OutletDescription: Sendable {
    var name: String
    var targets: [String]
    var place: Place
}

/// The description of a mediator in a scheme or an interface.
struct MediatorDescription: Sendable {
    var id: String
    var type: String
    var alias: String?
    var attributes: [(name: String, value: SchemeValue)] = []
    var evals: [(name: String, value: SchemeValue)] = []
    var outlets: [OutletDescription] = []
    var place: Place
}

extension MediatorDescription {
    /// The last value of an attribute, because a scheme's comes after the interface's.
    func attribute(_ name: String) -> SchemeValue? { attributes.last { $0.name == name }?.value }

    func text(_ name: String) -> String? { attribute(name)?.json.string }

    func number(_ name: String) -> Double? {
        attribute(name).flatMap { value in
            value.json.double ?? value.json.boolean.map { $0 ? 1 : 0 } ?? value.json.string.flatMap { Double($0) }
        }
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
        return found.isEmpty ? nil : found.flatMap { $0.targets }
    }
}

/// The properties and bindings that a scheme adds to an element.
struct ElementDescription: Sendable {
    var id: String
    var attributes: [(name: String, value: SchemeValue)] = []
    var bindings: [SchemeValue] = []
    var outlets: [OutletDescription] = []
    var action: (target: String, selector: String)?
    var actionPlace: Place?
    /// The rules of a form's field.
    var validation: [(name: String, value: SchemeValue)] = []
    /// The document that the element shows.
    var document: DocumentDescription?
    /// The document that a tap shows as a screen.
    var documentAction: DocumentDescription?
    var place: Place
}

/// One screen's scheme.
struct SchemeFile: Sendable {
    private(set) var mediators: [MediatorDescription] = []
    private(set) var elements: [ElementDescription] = []
    /// The values of settings until they are set.
    private(set) var settings: [(name: String, value: SchemeValue)] = []
    private(set) var diagnostics: [Finding] = []
    private let path: String
    private let lines: LineTable
    private let limits: FormatLimits
    /// The number of attributes that may still be read; negative once the limit was exceeded.
    private var attributesLeft: Int

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
                Finding(
                    .error, .badFile, "\(error.reason)",
                    at: Place(file: path, line: error.line, column: error.column, path: "\(error.path)"))
            ]
            return
        }
        guard let scheme = root[identifier]?.object else {
            diagnostics = [missingScheme(identifier, root)]
            return
        }
        // Defaults have their own message.
        check(scheme.members.filter { $0.name != "defaults" }, against: .scheme, "")
        for member in members(scheme["objects"], "An object of a scheme") {
            if let object = member.value.object { readObject(member, object) }
        }
        for member in members(scheme["elements"], "An element") {
            if let object = member.value.object { readElement(member, object) }
        }
        readSettings(scheme["defaults"])
        guard diagnostics.count <= Program.diagnosticCount else { return }
        var remarks = SchemeRemarks(upTo: Program.diagnosticCount + 1 - diagnostics.count)
        for mediator in mediators { remarks.read(mediator) }
        for element in elements { remarks.read(element) }
        diagnostics += remarks.found
    }

    private func missingScheme(_ identifier: String, _ root: JSONValue) -> Finding {
        let others = [SchemeKeys.comment, SchemeKeys.schema.name]
        let members = (root.object?.members ?? []).filter { !others.contains($0.name) }
        let message = "The file has no scheme under the name \(identifier.excerpt)"
        guard
            let name = members.count == 1 ? members[0].name : NearestName.of(identifier, in: members.map({ $0.name })),
            let member = members.first(where: { $0.name == name })
        else {
            let names = NameList(members.map { $0.name.excerpt }).description
            return Finding(
                .warning, .schemeName, message, at: Place(file: path),
                hint: members.isEmpty ? "it has no members" : "it has \(names)")
        }
        return Finding(
            .warning, .schemeName, message, at: place(member.nameSpan, name),
            hint: "call \(name.excerpt) \(identifier.excerpt), as the screen is called")
    }

    // MARK: - Checks

    /// Reports members that a table does not have, and values of another kind than the table's.
    private mutating func check(_ members: [JSONObject.Member], against table: KeyTable, _ owner: String) {
        // More are not shown, and each takes its time.
        for member in members where diagnostics.count <= Program.diagnosticCount {
            let path = owner.isEmpty ? member.name : "\(owner).\(member.name.excerpt)"
            if let fault = table.fault(member.name, AuthoredShape(member.value), at: place(member.nameSpan, path)) {
                diagnostics.append(fault)
            }
        }
    }

    /// The members of an object of objects. Members that are not objects are reported.
    private mutating func members(_ json: JSONValue?, _ owner: String) -> [JSONObject.Member] {
        let members = json?.object?.members ?? []
        for member in members where member.value.object == nil && !member.value.isNull {
            if member.name == SchemeKeys.comment { continue }
            diagnostics.append(
                Finding(
                    .error, .badValue,
                    "\(owner) must be an object, and \(member.name.excerpt) is \(AuthoredShape(member.value).name)",
                    at: place(member.nameSpan, member.name)))
        }
        return members
    }

    private mutating func readSettings(_ json: JSONValue?) {
        // As for every member of a scheme, `null` and an array of nothing mean nothing.
        guard let json, !json.isNull, json.array?.isEmpty != true else { return }
        guard let members = json.object?.members else {
            diagnostics.append(
                Finding(
                    .error, .badValue, "The defaults of a scheme must be an object", at: place(json.span, "defaults"),
                    hint: "it has the name of each setting with its value"))
            return
        }
        for member in members where member.name != "***" {
            guard settings.count < limits.initialSettingCount else {
                diagnostics.append(
                    Finding(
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
        check(object.members, against: .object, member.name.excerpt)
        for entry in members(object["evals"], "An expression of evals") {
            check(
                entry.value.object?.members ?? [], against: .evaluation, "\(member.name.excerpt).\(entry.name.excerpt)")
        }
        mediator.attributes = values(object["attrs"], member.name.excerpt)
        mediator.evals = values(object["evals"], member.name.excerpt)
        mediator.outlets = outlets(object["outlets"], member.name.excerpt)
        mediators.append(mediator)
    }

    private mutating func readElement(_ member: JSONObject.Member, _ object: JSONObject) {
        var element = ElementDescription(id: member.name, place: place(member.nameSpan, member.name))
        check(object.members, against: .element, member.name.excerpt)
        element.attributes = values(object["attrs"], member.name.excerpt)
        for binding in object["bindings"]?.array ?? [] {
            element.bindings.append(SchemeValue(json: binding, place: place(binding.span, member.name), lines: lines))
        }
        element.outlets = outlets(object["outlets"], member.name.excerpt)
        readAction(object, &element)
        let key = SceneAssembly.validationKey
        element.validation = values(object[key], "\(element.id.excerpt).\(key)")
        element.document = document(of: object, "\(element.id.excerpt).\(SchemeKeys.document)")
        elements.append(element)
    }

    private mutating func readAction(_ object: JSONObject, _ element: inout ElementDescription) {
        guard let action = object["action"], let members = action.object?.members else { return }
        check(members, against: .elementAction, "\(element.id.excerpt).action")
        let place = place(action.span, "\(element.id.excerpt).action")
        element.actionPlace = place
        if let object = action.object, let document = document(of: object, "\(element.id.excerpt).action") {
            element.documentAction = document
            return
        }
        guard let target = action["target"]?.string, let selector = action["selector"]?.string else {
            let missing = action["target"] == nil ? "target" : action["selector"] == nil ? "selector" : nil
            guard let missing else { return }
            diagnostics.append(
                Finding(
                    .error, .badValue, "The action of \(element.id.excerpt) has no \(missing)", at: place,
                    hint: #"as in {"target": "@self", "selector": "dismissAction:"}"#))
            return
        }
        element.action = (target, selector)
    }

    /// The document that an object names, with the values of its parameters.
    private mutating func document(of object: JSONObject, _ owner: String) -> DocumentDescription? {
        guard let member = object.members.last(where: { $0.name == SchemeKeys.document }),
            let name = member.value.string, !name.isEmpty
        else { return nil }
        return DocumentDescription(
            name: name, values: values(object[SchemeKeys.documentValues], owner),
            isPresented: object[SchemeKeys.documentIsPresented]?.boolean ?? false,
            place: place(member.value.span, owner))
    }

    private mutating func values(_ json: JSONValue?, _ owner: String) -> [(name: String, value: SchemeValue)] {
        let members = json?.object?.members ?? []
        guard members.count <= attributesLeft else {
            if attributesLeft >= 0 {
                diagnostics.append(
                    Finding(
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
                SchemeValue(
                    json: member.value, place: place(member.nameSpan, "\(owner).\(member.name.excerpt)"),
                    lines: lines)
            )
        }
    }

    private mutating func outlets(_ json: JSONValue?, _ owner: String) -> [OutletDescription] {
        var outlets: [OutletDescription] = []
        for member in json?.object?.members ?? [] where member.name != SchemeKeys.comment {
            let place = place(member.nameSpan, "\(owner).\(member.name.excerpt)")
            let shape = AuthoredShape(member.value)
            if let fault = KeyTable.fault(member.name, .targets, shape, coerces: false, at: place) {
                diagnostics.append(fault)
            }
            let targets = member.value.string.map { [$0] } ?? member.value.array?.compactMap { $0.string }
            guard let targets else { continue }
            if targets.count < member.value.array?.count ?? 0 {
                diagnostics.append(
                    Finding(
                        .error, .badValue, "\(member.name.excerpt) leads to something that is not a name", at: place,
                        hint: "it takes \(AuthoredKind.targets.name)"))
            }
            outlets.append(OutletDescription(name: member.name, targets: targets, place: place))
        }
        return outlets
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
    static func binding(_ value: SchemeValue, _ diagnostics: inout [Finding]) -> Binding? {
        guard let object = value.json.object else {
            diagnostics.append(
                Finding(
                    .error, .badValue, "A binding must be an object, and this is \(AuthoredShape(value.json).name)",
                    at: value.place, hint: #"as in {"from": "content.title"}"#))
            return nil
        }
        for member in object.members where diagnostics.count <= Program.diagnosticCount {
            let place = value.place(of: member.nameSpan)
            if let fault = KeyTable.binding.fault(member.name, AuthoredShape(member.value), at: place) {
                diagnostics.append(fault)
            }
        }
        guard let expression = expression(object, value.place, &diagnostics) else { return nil }
        return Binding(
            target: object["to"]?.string ?? "wx_value", expression: expression,
            placeholder: object["placeholder"]?.string)
    }

    /// The expression of a description, without its target.
    static func expression(
        _ object: JSONObject, _ place: Place, _ diagnostics: inout [Finding]
    ) -> Expression? {
        var expression = Expression(.scope, place: place, source: source(of: object))
        if let from = object["from"]?.string, !from.isEmpty {
            do throws(PredicateError) {
                expression.start = try .compiled(CompiledExpression("%K", arguments: [.string(from)]))
            } catch {
                diagnostics.append(Finding(.error, .badPredicate, "`\(from)`: \(error.sentence)", at: place))
                return nil
            }
        }
        if let format = object["predicateFormat"]?.string {
            do throws(PredicateError) {
                expression.steps.append(choice(try CompiledPredicate(format), object))
            } catch {
                diagnostics.append(
                    Finding(
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
