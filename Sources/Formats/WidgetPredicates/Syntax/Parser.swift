/// Parses a text by the precedence of its operators. ``PredicateLimits/nesting`` bounds the recursion.
struct Parser {
    let limits: PredicateLimits
    private let arguments: [PredicateValue]?
    private(set) var tokenizer: Tokenizer
    private(set) var current: PredicateToken
    /// The end of the token before the current one.
    private(set) var lastEnd = 0
    private var nesting = 0
    private var argumentIndex = 0
    /// The weight of the arguments that placeholders have taken so far. Several placeholders can take one argument.
    private var takenWeight = 0
    var tree = SyntaxTree()
    /// Errors that are collected instead of thrown, so that all parts that are not allowed can be listed.
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
        current = PredicateToken(kind: .end, start: 0, end: 0)
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
        let root = try parse(Precedence.or)
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

    func text(_ token: PredicateToken) -> String {
        String(decoding: tokenizer.bytes[token.start..<token.end], as: UTF8.self)
    }

    mutating func accept(_ symbol: PredicateToken.Symbol) throws(PredicateError) -> Bool {
        guard current.kind == .symbol(symbol) else { return false }
        try advance()
        return true
    }

    mutating func expect(_ symbol: PredicateToken.Symbol, of opening: PredicateToken? = nil, or other: [String] = [])
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
    mutating func argument(
        _ placeholder: Placeholder, _ token: PredicateToken
    ) throws(PredicateError) -> PredicateValue? {
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
                    found: Quotation.of(text(token)), hint: "put a text with a percent sign in quotes"))
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

extension Parser {
    /// Parses operators with a precedence of at least `minimum`.
    mutating func parse(_ minimum: Int) throws(PredicateError) -> SyntaxNode.ID {
        let start = current.start
        var left = try prefixed()
        while let binding = binding(of: current), binding >= minimum {
            switch binding {
            case Precedence.or, Precedence.and: left = try compound(left, binding, from: start)
            case Precedence.comparison:
                try requireExpression(left)
                left = try comparison(.one, left, from: start)
            default:
                try requireExpression(left)
                guard case .symbol(let symbol) = current.kind, let operation = symbol.arithmetic else {
                    throw unexpected(after: left)
                }
                try advance()
                let right = try nested { (parser) throws(PredicateError) in try parser.parse(binding + 1) }
                try requireExpression(right)
                left = try append(.arithmetic(operation, left, right), from: start)
            }
        }
        return left
    }

    private func binding(of token: PredicateToken) -> Int? {
        switch token.kind {
        case .keyword(.or), .symbol(.or): Precedence.or
        case .keyword(.and), .symbol(.and): Precedence.and
        case .symbol(let symbol): symbol.arithmetic?.binding ?? (symbol.comparison == nil ? nil : Precedence.comparison)
        case .keyword(let keyword): keyword.comparison == nil ? nil : Precedence.comparison
        default: nil
        }
    }

    private mutating func prefixed() throws(PredicateError) -> SyntaxNode.ID {
        let start = current.start
        switch current.kind {
        case .keyword(.not), .symbol(.not):
            try advance()
            let part = try nested { (parser) throws(PredicateError) in try parser.parse(Precedence.not) }
            try requirePredicate(part)
            return try append(.not(part), from: start)
        case .keyword(.any), .keyword(.some): return try quantified(.any)
        case .keyword(.all): return try quantified(.all)
        case .keyword(.none):
            let part = try quantified(.any)
            return try append(.not(part), from: start)
        case .symbol(.minus):
            try advance()
            let part = try nested { (parser) throws(PredicateError) in try parser.parse(Precedence.sign) }
            try requireExpression(part)
            return try negated(part, from: start)
        case .symbol(.bitNot):
            try advance()
            let part = try nested { (parser) throws(PredicateError) in try parser.parse(Precedence.sign) }
            try requireExpression(part)
            return try append(.complement(part), from: start)
        default: return try operand()
        }
    }

    /// A number with its sign is one constant.
    private mutating func negated(_ part: SyntaxNode.ID, from start: Int) throws(PredicateError) -> SyntaxNode.ID {
        guard case .constant(let literal) = tree[part].kind, let value = literal.value.negated,
            literal.value.isNumberNotBoolean
        else { return try append(.negation(part), from: start) }
        tree.nodes.removeLast()
        return try append(.constant(SyntaxNode.Literal(value: value)), from: start)
    }

    /// `a AND b AND c` is one predicate of three.
    private mutating func compound(
        _ first: SyntaxNode.ID, _ binding: Int, from start: Int
    ) throws(PredicateError) -> SyntaxNode.ID {
        try requirePredicate(first)
        var parts = [first]
        while self.binding(of: current) == binding {
            try advance()
            let part = try nested { (parser) throws(PredicateError) in try parser.parse(binding + 1) }
            if !isPredicate(part), let error = missingBounds(parts.last) { throw error }
            try requirePredicate(part)
            parts.append(part)
        }
        return try append(binding == Precedence.and ? .and(parts) : .or(parts), from: start)
    }

    private mutating func quantified(
        _ quantifier: SyntaxNode.Comparison.Quantifier
    ) throws(PredicateError) -> SyntaxNode.ID {
        let word = current
        try advance()
        // `ANY (a.b) > 1` and `ANY a.b > 1`: the comparison belongs to the word.
        let left = try nested { (parser) throws(PredicateError) in try parser.parse(Precedence.assignment) }
        if case .comparison(var comparison) = tree[left].kind, left == tree.root, comparison.quantifier == .one {
            // `ANY (a.b > 1)`
            comparison.quantifier = quantifier
            tree.nodes.removeLast()
            return try append(.comparison(comparison), from: word.start)
        }
        try requireExpression(left)
        guard binding(of: current) == Precedence.comparison else {
            throw unexpected(expected: ["a comparison for \(text(word).uppercased())"])
        }
        return try comparison(quantifier, left, from: word.start)
    }

    private mutating func comparison(
        _ quantifier: SyntaxNode.Comparison.Quantifier, _ left: SyntaxNode.ID, from start: Int
    ) throws(PredicateError) -> SyntaxNode.ID {
        guard let operation = current.comparison else { throw unexpected(after: left) }
        try advance()
        let options = try self.options(of: operation)
        if current.kind == .symbol(.openBracket) { throw listInBrackets() }
        let right = try nested { (parser) throws(PredicateError) in try parser.parse(Precedence.assignment) }
        try requireExpression(right)
        if binding(of: current) == Precedence.comparison {
            throw PredicateError(
                .unexpectedToken, at: current.span, "A comparison cannot be compared again",
                found: Quotation.of(text(current)), expected: ["`AND`", "`OR`", "the end"],
                hint: "`a < b AND b < c` says what `a < b < c` means")
        }
        return try append(
            .comparison(
                SyntaxNode.Comparison(
                    quantifier: quantifier, left: left, operation: operation, options: options, right: right)),
            from: start)
    }

    /// `[cd]`
    private mutating func options(of operation: ComparisonOperator) throws(PredicateError) -> TextOptions {
        guard current.kind == .symbol(.openBracket) else { return [] }
        let opening = current
        try advance()
        let letters = current
        if letters.kind == .end { throw unexpected(expected: ["`c`", "`d`", "`n`", "`l`"]) }
        guard letters.kind == .identifier || letters.kind == .keyword(.ci) else {
            if operation == .in || operation == .between { throw listInBrackets(at: opening.span) }
            throw PredicateError(
                .unknownOption, at: letters.span, "Options in brackets are the letters c, d, n and l",
                found: found(letters), expected: ["`c`", "`d`", "`n`", "`l`"])
        }
        var options: TextOptions = []
        for byte in tokenizer.bytes[letters.start..<letters.end] {
            switch byte | 0x20 {
            case UInt8(ascii: "c"): options.insert(.caseInsensitive)
            case UInt8(ascii: "d"): options.insert(.diacriticInsensitive)
            case UInt8(ascii: "n"): options.insert(.normalized)
            case UInt8(ascii: "l"): options.insert(.localeSensitive)
            default:
                throw PredicateError(
                    .unknownOption, at: letters.span, "Options in brackets are the letters c, d, n and l",
                    found: found(letters), expected: ["`c`", "`d`", "`n`", "`l`"])
            }
        }
        try advance()
        try expect(.closeBracket, of: opening)
        return options
    }

    private func listInBrackets(at span: SourceSpan? = nil) -> PredicateError {
        PredicateError(
            .unexpectedToken, at: span ?? current.span, "A value cannot begin with a bracket", found: "`[`",
            expected: ["a value"], hint: "a list is written in braces: {1, 2, 3}")
    }
}

extension Parser {
    func found(_ token: PredicateToken) -> String {
        token.kind == .end ? "the end" : Quotation.of(tokenizer.bytes[token.start..<token.end])
    }

    /// The error for a current token that cannot be at its place.
    func unexpected(expected: [String]) -> PredicateError {
        let isEnd = current.kind == .end
        return PredicateError(
            isEnd ? .unexpectedEnd : .unexpectedToken, at: current.span,
            isEnd ? "The text ends too early" : "\(Quotation.of(text(current))) cannot stand here",
            found: found(current), expected: expected)
    }

    /// Something follows a part that is complete.
    func unexpected(after part: SyntaxNode.ID, expected: [String]? = nil) -> PredicateError {
        let isPredicate = isPredicate(part)
        let expected = expected ?? (isPredicate ? ["`AND`", "`OR`", "the end"] : ["an operator", "the end"])
        switch current.kind {
        case .identifier, .keyword, .selector:
            let word = text(current).uppercased()
            let words = isPredicate ? ["AND", "OR"] : Parser.operatorWords
            if word == "NOT" || word == "IS" || word == "<>" { return sqlWord(word) }
            return PredicateError(
                .unknownOperator, at: current.span, "\(text(current)) is not an operator", found: found(current),
                expected: expected,
                hint: ((isPredicate ? nil : Parser.otherWords[word]) ?? NearMiss.of(word, among: words)).map {
                    "did you mean \($0)?"
                })
        case .symbol(.closeParenthesis), .symbol(.closeBrace), .symbol(.closeBracket):
            var error = unexpected(expected: expected)
            error.sentence = "The \(text(current)) closes nothing"
            return error
        case .symbol(.comma):
            var error = unexpected(expected: expected)
            error.sentence = "A comma divides nothing here"
            error.hint = "a list is written in braces: {1, 2, 3}"
            return error
        case .symbol(.openBracket):
            var error = unexpected(expected: expected)
            error.hint = "a list is written in braces: {1, 2, 3}"
            return error
        default:
            var error = unexpected(expected: expected)
            if current.kind != .end { error.sentence = "An operator is missing in front of \(found(current))" }
            return error
        }
    }

    /// Names of operators in other languages, and their names here.
    private static let otherWords = [
        "STARTSWITH": "BEGINSWITH", "STARTS": "BEGINSWITH", "HASPREFIX": "BEGINSWITH", "HASSUFFIX": "ENDSWITH",
        "ENDS": "ENDSWITH", "INCLUDES": "CONTAINS", "HAS": "CONTAINS", "EQUALS": "==", "REGEX": "MATCHES",
    ]

    private func sqlWord(_ word: String) -> PredicateError {
        var error = unexpected(expected: ["an operator"])
        error.hint =
            word == "NOT" ? "NOT precedes the whole comparison: NOT a IN {1, 2}" : "write == nil or != nil"
        return error
    }

    func requirePredicate(_ id: SyntaxNode.ID) throws(PredicateError) {
        guard !isPredicate(id) else { return }
        // A misspelled operator is more likely than a missing one.
        switch current.kind {
        case .end, .keyword(.and), .keyword(.or), .symbol(.and), .symbol(.or), .symbol(.closeParenthesis),
            .symbol(.comma):
            break
        default: throw unexpected(after: id)
        }
        var error = PredicateError(
            .notAPredicate, at: tree[id].span, "This has a value, but is not true or false",
            found: Quotation.of(tokenizer.bytes[tree[id].span.offset..<max(tree[id].span.end, tree[id].span.offset)]),
            expected: ["a comparison"])
        if case .keyPath = tree[id].kind { error.hint = "a Boolean is compared too: key == TRUE" }
        if case .constant(let literal) = tree[id].kind, case .boolean(let value) = literal.value {
            error.hint = value ? "did you mean TRUEPREDICATE?" : "did you mean FALSEPREDICATE?"
        }
        throw error
    }

    func requireExpression(_ id: SyntaxNode.ID) throws(PredicateError) {
        guard isPredicate(id) else { return }
        let span = tree[id].span
        throw PredicateError(
            .notAnExpression, at: span, "A predicate is in the place of a value",
            found: Quotation.of(tokenizer.bytes[span.offset..<max(span.end, span.offset)]), expected: ["a value"],
            hint: "TERNARY(predicate, TRUE, FALSE) makes a value of a predicate")
    }

    /// `a BETWEEN 1 AND 10`, as other languages have it.
    /// - Parameter id: the part before an `AND` that no predicate follows.
    func missingBounds(_ id: SyntaxNode.ID?) -> PredicateError? {
        guard let id, case .comparison(let comparison) = tree[id].kind, comparison.operation == .between else {
            return nil
        }
        let span = tree[comparison.right].span
        return PredicateError(
            .operandType, at: span, "BETWEEN needs two bounds",
            found: Quotation.of(tokenizer.bytes[span.offset..<span.end]),
            expected: ["an array of two, such as {1, 10}"], hint: "the bounds are a list: BETWEEN {1, 10}")
    }

    private static let operatorWords =
        ComparisonOperator.allCases.map { $0.rawValue }.filter {
            $0.utf8.first.map(Tokenizer.beginsIdentifier) ?? false
        }
        + ["AND", "OR"]
}
