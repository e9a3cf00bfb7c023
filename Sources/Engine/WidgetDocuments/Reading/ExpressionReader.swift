internal import Bytes
internal import JSONText
internal import Predicates
internal import WidgetCore

/// The names that expressions at one place of a document know.
struct Lexicon: Sendable {
    /// The states, by the names that they have here; the value is the state's name in its scene.
    var states: [String: String] = [:]
    /// All names: states, parameters, items.
    var names: Set<String> = ["content", "defaults", "input", "argument", "title"]
    /// By their names, those of the document before those of the bundle.
    var components: [String: DocumentValue] = [:]
    /// The components and documents around this place.
    var expansions: [String] = []
    var elementDepth = 0
    /// The actions of a table or a section for rows that have none.
    var selection: DocumentValue?
    var isInTable = false
    var isInZStack = false
    /// The direction of the stack around this place.
    var axis = Axis.vertical

    mutating func add(_ name: String) {
        names.insert(name)
        // A name that hides a state is not that state.
        states[name] = nil
    }
}

/// Reads values that may be literals, key paths or expressions.
struct ExpressionReader {
    let words: Lexicon
    /// Faults that do not keep an element from being shown.
    private(set) var warnings: [Diagnostic] = []

    init(_ words: Lexicon) {
        self.words = words
    }

    /// A written value.
    enum Written {
        case literal(JSONValue)
        case path(String)
        case expression(Expression)
    }

    /// The literal, key path or expression of a value.
    mutating func written(_ value: DocumentValue) throws(ElementFault) -> Written {
        if let text = value.json.string, text.utf8.first == UInt8(ascii: "$") {
            let rest = String(text.dropFirst())
            // Two signs stand for one.
            if rest.utf8.first == UInt8(ascii: "$") { return .literal(JSONValue(.string(rest), span: value.json.span)) }
            check(rest, value)
            return .path(rest)
        }
        guard let object = value.json.object, object.count == 1, let text = object["$"] else {
            return .literal(value.json)
        }
        guard let source = text.string else {
            throw value.fault(.badPayload, "An expression is \(text.typeName.rawValue), and has to be a text")
        }
        return .expression(
            try expression(source, DocumentValue(text, value.path.appending(key: "$"), in: value.source)))
    }

    /// - Returns: the expression of a written value that is not converted.
    mutating func expression(_ written: Written, _ value: DocumentValue) throws(ElementFault) -> Expression {
        switch written {
        case .literal(let json): return .literal(Value(json), place: value.place)
        case .path(let path): return try keyPath(path, value)
        case .expression(let expression): return expression
        }
    }

    mutating func expression(of value: DocumentValue) throws(ElementFault) -> Expression {
        try expression(try written(value), value)
    }

    private func keyPath(_ path: String, _ value: DocumentValue) throws(ElementFault) -> Expression {
        do throws(PredicateError) {
            return try Expression(keyPath: path, place: value.place)
        } catch {
            throw value.fault(
                .badPredicate, "\(ShownText.quoted("$\(path)", limit: String.excerptByteCount)) is not a key path",
                hint: "`$$` begins a text with the sign")
        }
    }

    /// An expression, or else a condition.
    private mutating func expression(_ text: String, _ value: DocumentValue) throws(ElementFault) -> Expression {
        let place = value.place
        let first: PredicateError
        do throws(PredicateError) {
            let compiled = try CompiledExpression(text)
            return try checked(
                Expression(.compiled(compiled), place: place, source: text), compiled.tree, text, value)
        } catch {
            first = error
        }
        do throws(PredicateError) {
            let predicate = try CompiledPredicate(text)
            return try checked(
                Expression(.scope, [.truth(predicate)], place: place, source: text), predicate.tree, text, value)
        } catch {
            // The parser that came further knows better what was meant.
            let fault = error.offset > first.offset ? error : first
            throw value.fault(.badPredicate, "\(fault.sentence) in `\(text.excerpt)`", hint: fault.hint)
        }
    }

    // MARK: - Names

    /// Checks the names that an expression reads. A variable is a name with a sign too many.
    private mutating func checked(
        _ expression: Expression, _ tree: SyntaxTree, _ text: String, _ value: DocumentValue
    ) throws(PredicateError) -> Expression {
        var bound: Set<String> = []
        for node in tree.nodes {
            if case .subquery(_, let name, _) = node.kind { bound.insert(name) }
            if case .assignment(let name, _) = node.kind { bound.insert(name) }
        }
        for node in tree.nodes {
            if case .keyPath(base: nil, let path) = node.kind { check(path.text, value) }
            if case .variable(let name) = node.kind, !bound.contains(name) {
                throw PredicateError(
                    .variableMissing, at: node.span, "Names have no sign within an expression", found: "`$\(name)`",
                    hint: "write \(name)")
            }
        }
        return expression
    }

    /// Warns of a key path whose first name means nothing here.
    private mutating func check(_ path: String, _ value: DocumentValue) {
        let name = String(path.prefix { $0 != "." })
        guard !words.names.contains(name), !name.isEmpty, name != "SELF", name != "self" else { return }
        let known = words.names.sorted()
        let nearest = NearestName.of(name, in: known).map { "did you mean \($0)?" }
        warnings.append(
            Diagnostic(
                .warning, .unknownKey, "Nothing is called \(name.excerpt) here", at: value.place,
                hint: nearest ?? "there are \(NameList(known))"))
    }
}
