/// Reads a text by the strength of its operators. Recursion is bounded by ``PredicateLimits/nesting``.
struct Parser {
    let limits: PredicateLimits
    private let arguments: [PredicateValue]?
    private(set) var tokenizer: Tokenizer
    private(set) var current: Token
    /// Where the token before the current one ended.
    private(set) var lastEnd = 0
    private var nesting = 0
    private var argumentIndex = 0
    /// How much of the arguments has been taken by their places, which may take the same one again and again.
    private var takenWeight = 0
    var tree = SyntaxTree()
    /// Collected instead of thrown, when what is not allowed is to be listed.
    private(set) var refusals: [PredicateError] = []
    private let collectsRefusals: Bool

    init(
        _ text: String, arguments: [PredicateValue]?, limits: PredicateLimits, collectsRefusals: Bool = false
    ) throws(PredicateError) {
        guard text.utf8.count <= limits.textByteCount else {
            throw PredicateError(
                .textLimit, at: SourceSpan(from: limits.textByteCount, to: limits.textByteCount),
                "The text is longer than \(limits.textByteCount) bytes")
        }
        if let offset = MarkRun.offsetOfTooLong(in: text.utf8.span) { throw Parser.tooManyMarks(at: offset) }
        self.arguments = arguments
        self.limits = limits
        self.collectsRefusals = collectsRefusals
        tokenizer = Tokenizer(text)
        current = Token(kind: .end, start: 0, end: 0)
        tree.nodes.reserveCapacity(min(limits.nodeCount, 16))
        current = try tokenizer.next()
    }

    static func tooManyMarks(at offset: Int) -> PredicateError {
        PredicateError(
            .textLimit, at: SourceSpan(from: offset, to: offset),
            "More than \(MarkRun.longest) combining marks stand on one letter")
    }

    /// Reads to the end of the text.
    mutating func parse(isPredicate: Bool?) throws(PredicateError) -> SyntaxTree {
        guard current.kind != .end else {
            throw PredicateError(
                .empty, at: current.span, "There is nothing to read",
                expected: [isPredicate == false ? "an expression" : "a predicate"])
        }
        let root = try parse(Binding.or)
        guard current.kind == .end else { throw unexpected(after: root) }
        switch isPredicate {
        case true?: try requirePredicate(root)
        case false?: try requireExpression(root)
        case nil: break
        }
        tree.isPredicate = self.isPredicate(root)
        return tree
    }

    // MARK: - Tokens

    mutating func advance() throws(PredicateError) {
        lastEnd = current.end
        current = try tokenizer.next()
    }

    func text(_ token: Token) -> String { String(decoding: tokenizer.bytes[token.start..<token.end], as: UTF8.self) }

    mutating func accept(_ symbol: Token.Symbol) throws(PredicateError) -> Bool {
        guard current.kind == .symbol(symbol) else { return false }
        try advance()
        return true
    }

    mutating func expect(_ symbol: Token.Symbol, of opening: Token? = nil, or other: [String] = [])
        throws(PredicateError)
    {
        if try accept(symbol) { return }
        var error = unexpected(expected: ["`\(symbol.rawValue)`"] + other)
        if let opening, current.kind == .end {
            error.sentence = "The \(text(opening)) at byte \(opening.start) is never closed"
        }
        throw error
    }

    mutating func refuse(_ error: PredicateError) throws(PredicateError) {
        guard collectsRefusals else { throw error }
        refusals.append(error)
    }

    // MARK: - Nodes

    mutating func append(_ kind: SyntaxNode.Kind, from start: Int) throws(PredicateError) -> SyntaxNode.ID {
        let span = SourceSpan(from: start, to: lastEnd)
        var depth: Int32 = 0
        kind.forEachPart { depth = max(depth, tree[$0].depth) }
        guard depth < limits.depth else {
            throw PredicateError(
                .nestingLimit, at: span, "More than \(limits.depth) parts lie inside each other",
                hint: "a long sum can be written as sum:({a, b, c})")
        }
        guard tree.nodes.count < limits.nodeCount else {
            throw PredicateError(.nodeLimit, at: span, "There are more than \(limits.nodeCount) parts")
        }
        tree.nodes.append(SyntaxNode(kind: kind, span: span, depth: depth + 1))
        return tree.root
    }

    func isPredicate(_ id: SyntaxNode.ID) -> Bool { tree[id].kind.isPredicate }

    mutating func nested<Value>(_ body: (inout Parser) throws(PredicateError) -> Value) throws(PredicateError) -> Value
    {
        guard nesting < limits.nesting else {
            throw PredicateError(
                .nestingLimit, at: current.span, "More than \(limits.nesting) brackets or signs lie inside each other")
        }
        nesting += 1
        defer { nesting -= 1 }
        return try body(&self)
    }

    // MARK: - Arguments

    /// The value for a placeholder.
    mutating func argument(_ placeholder: Placeholder, _ token: Token) throws(PredicateError) -> PredicateValue? {
        let index: Int
        if let position = placeholder.position {
            index = position - 1
        } else {
            index = argumentIndex
            argumentIndex += 1
        }
        let count = arguments?.count ?? 0
        guard let arguments, arguments.indices.contains(index) else {
            let given = count == 0 ? "none is given" : count == 1 ? "one is given" : "\(count) are given"
            try refuse(
                PredicateError(
                    .argumentMissing, at: token.span, "\(text(token)) stands for an argument, and \(given)",
                    found: Quotation.of(text(token)), hint: "a percent sign in a text stands in quotes"))
            return nil
        }
        if placeholder.position != nil {
            // A path is made of parts, each of them larger than its text.
            let weight = arguments[index].weight(upTo: limits.textByteCount) ?? limits.textByteCount + 1
            takenWeight += weight * (placeholder.isKeyPath ? 16 : 1)
            guard takenWeight <= limits.textByteCount else {
                throw PredicateError(
                    .textLimit, at: token.span, "Arguments that are used again and again come to too much")
            }
        }
        return arguments[index]
    }
}
