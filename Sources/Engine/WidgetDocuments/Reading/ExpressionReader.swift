internal import JSONText
internal import WidgetBytes
internal import WidgetCore
internal import WidgetPredicates

/// The names that expressions at one place of a document know.
struct Lexicon: Sendable {
    /// The states and parts of states, by the names that they have here; the value is the path in the scene.
    var states: [String: StatePath] = [:]
    /// The sources, by the names that they have here; the value is the source's name in its scene.
    var sources: [String: String] = [:]
    /// All names: states, parameters, sources, items.
    var names: Set<String> = ["content", "defaults", "environment", "input", "argument", "title"]
    /// The declared keys of the cache.
    var cached: Set<String> = []
    /// By their names, those of the document before those of the bundle.
    var components: [String: DocumentValue] = [:]
    /// The files of the components and documents around this place, whose elements expressions may name.
    var files: [DocumentSource] = []
    /// The components and documents around this place.
    var expansions: [String] = []
    var elementDepth = 0
    /// The actions of a table or a section for rows that have none.
    var selection: DocumentValue?
    var isInTable = false
    /// The element around the component or hosted document, with its names.
    var outer: OuterElement?
    var isInZStack = false
    var theme = Theme.standard
    /// The form around this place.
    var form: FormPlace?
    /// True within the items of a list, of which there may be any number.
    var isRepeated = false
    /// The direction of the stack around this place.
    var axis = Axis.vertical

    /// The names that one step of reading copies.
    static let copiedCount = 8

    mutating func add(_ name: String) {
        names.insert(name)
        // A name that hides a state is not that state.
        states[name] = nil
        sources[name] = nil
    }
}

/// The element whose place a component or a hosted document has taken.
final class OuterElement: Sendable {
    let element: DocumentValue
    let words: Lexicon
    /// The node around the parts, which knows the names of the element.
    let node: NodeID

    init(_ element: DocumentValue, _ words: Lexicon, _ node: NodeID) {
        self.element = element
        self.words = words
        self.node = node
    }
}

extension Lexicon {
    /// The key of a source that is its status instead of a member of its value.
    static let status = "status"

    /// The name of a source's status in its scene, which no author can write.
    static func statusName(_ source: String) -> String { "\(source)$\(status)" }

    /// An expression with the names that its scene has for what is meant here.
    func resolved(_ tree: SyntaxTree) -> SyntaxTree {
        if sources.isEmpty { return tree }
        var tree = tree
        tree.replaceKeyPaths { path in
            guard path.components.count > 1, case .key(let first) = path.components[0],
                path.components[1] == .key(Lexicon.status), let source = sources[first]
            else { return path }
            return KeyPath([.key(Lexicon.statusName(source))] + path.components.dropFirst(2))
        }
        return tree
    }
}

/// Reads values that may be literals, key paths or expressions.
struct ExpressionReader {
    let words: Lexicon
    /// Faults that do not keep an element from being shown.
    private(set) var warnings: [Finding] = []
    /// The work that is left for hints; `nil` where no more warnings are shown.
    private(set) var work: ReadingWork?
    /// The cases that were read.
    private(set) var caseCount = 0
    private let limits: DocumentLimits
    private var matchDepth = 0

    /// Warnings of one value.
    private static let warningCount = 20

    init(_ words: Lexicon, _ limits: DocumentLimits, _ work: ReadingWork?) {
        self.words = words
        self.limits = limits
        self.work = work
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
        if let match = MatchWords(value) { return .expression(try expression(of: match, value)) }
        guard let object = value.json.object, object.count == 1, let text = object["$"] else {
            return .literal(value.json)
        }
        if text.array != nil {
            return .expression(try joined(DocumentValue(text, value.path.appending(key: "$"), in: value.source)))
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

    /// The expression that chooses one of several.
    private mutating func expression(of match: MatchWords, _ value: DocumentValue) throws(ElementFault) -> Expression {
        guard matchDepth < limits.matchDepth else {
            throw value.fault(.depthBudget, "Matches lie more than \(limits.matchDepth) deep in each other")
        }
        guard match.cases.members.count <= limits.caseCount else {
            throw match.cases.fault(.countBudget, "A match has more than \(limits.caseCount) cases")
        }
        matchDepth += 1
        defer { matchDepth -= 1 }
        let subject = try expression(of: match.subject)
        var cases: [String: Expression] = [:]
        for (name, result) in match.cases.members {
            caseCount += 1
            cases[name] = try expression(of: result)
        }
        let otherwise = try match.otherwise.map { value throws(ElementFault) in try expression(of: value) }
        let source = subject.source.isEmpty ? "" : "match \(subject.source)"
        return Expression(.match(CaseTable(subject, cases, otherwise: otherwise)), place: value.place, source: source)
    }

    private func keyPath(_ path: String, _ value: DocumentValue) throws(ElementFault) -> Expression {
        do throws(PredicateError) {
            let compiled = try CompiledExpression(words.resolved(.expression("%K", arguments: [.string(path)])))
            return Expression(.compiled(compiled), place: value.place, source: path)
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
            let tree = try SyntaxTree.expression(text)
            let compiled = try CompiledExpression(words.resolved(tree))
            return try checked(Expression(.compiled(compiled), place: place, source: text), tree, text, value)
        } catch {
            first = error
        }
        do throws(PredicateError) {
            let tree = try SyntaxTree.predicate(text)
            let predicate = try CompiledPredicate(words.resolved(tree))
            return try checked(
                Expression(.scope, [.truth(predicate)], place: place, source: text), tree, text, value)
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
        if name == "cache", let warning = words.undeclaredKey(in: path, at: value.place) { warnings.append(warning) }
        if words.sources[name] != nil { return checkStatus(path, value) }
        guard work != nil, !words.names.contains(name), !name.isEmpty, name != "SELF", name != "self",
            warnings.count < ExpressionReader.warningCount
        else { return }
        // The element of that name, such as a field with its text.
        guard !value.source.ids.contains(name), !words.files.contains(where: { $0.ids.contains(name) }) else {
            return
        }
        guard work?.takeHint() ?? false else {
            warnings.append(
                Finding(.warning, .unknownKey, "Nothing is called \(name.excerpt) here", at: value.place))
            return
        }
        let known = words.names.sorted()
        // An expression behind the sign, which only a key path may follow.
        let isExpression = path.contains { " +-*/<>=!()&|?".contains($0) } && known.contains { path.contains($0) }
        warnings.append(
            Finding(
                .warning, .unknownKey, "Nothing is called \((isExpression ? path : name).excerpt) here",
                at: value.place, value: name.excerpt,
                nearest: isExpression ? nil : NearestName.of(name, in: known),
                hint: isExpression
                    ? #"did you mean {"$": "\#(path.excerpt)"}?"# : "there are \(NameList(known))"))
    }

    /// Warns of a name that the status of a source does not have.
    private mutating func checkStatus(_ path: String, _ value: DocumentValue) {
        let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard keys.count > 2, keys[1] == Lexicon.status, !DataSource.statusKeys.contains(keys[2]) else { return }
        warnings.append(
            Finding(
                .warning, .unknownKey, "A status has no \(keys[2].excerpt)", at: value.place,
                value: keys[2].excerpt, nearest: NearestName.of(keys[2], in: DataSource.statusKeys),
                hint: "it has \(NameList(DataSource.statusKeys))"))
    }
}
