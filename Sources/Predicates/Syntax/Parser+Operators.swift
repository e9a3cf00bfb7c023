extension Parser {
    /// Reads what binds at least as strongly as `minimum`.
    mutating func parse(_ minimum: Int) throws(PredicateError) -> SyntaxNode.ID {
        let start = current.start
        var left = try prefixed()
        while let binding = binding(of: current), binding >= minimum {
            switch binding {
            case Binding.or, Binding.and: left = try compound(left, binding, from: start)
            case Binding.comparison:
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

    private func binding(of token: Token) -> Int? {
        switch token.kind {
        case .keyword(.or), .symbol(.or): Binding.or
        case .keyword(.and), .symbol(.and): Binding.and
        case .symbol(let symbol): symbol.arithmetic?.binding ?? (symbol.comparison == nil ? nil : Binding.comparison)
        case .keyword(let keyword): keyword.comparison == nil ? nil : Binding.comparison
        default: nil
        }
    }

    private mutating func prefixed() throws(PredicateError) -> SyntaxNode.ID {
        let start = current.start
        switch current.kind {
        case .keyword(.not), .symbol(.not):
            try advance()
            let part = try nested { (parser) throws(PredicateError) in try parser.parse(Binding.not) }
            try requirePredicate(part)
            return try append(.not(part), from: start)
        case .keyword(.any), .keyword(.some): return try quantified(.any)
        case .keyword(.all): return try quantified(.all)
        case .keyword(.none):
            let part = try quantified(.any)
            return try append(.not(part), from: start)
        case .symbol(.minus):
            try advance()
            let part = try nested { (parser) throws(PredicateError) in try parser.parse(Binding.sign) }
            try requireExpression(part)
            return try negated(part, from: start)
        case .symbol(.bitNot):
            try advance()
            let part = try nested { (parser) throws(PredicateError) in try parser.parse(Binding.sign) }
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
        return try append(binding == Binding.and ? .and(parts) : .or(parts), from: start)
    }

    private mutating func quantified(
        _ quantifier: SyntaxNode.Comparison.Quantifier
    ) throws(PredicateError) -> SyntaxNode.ID {
        let word = current
        try advance()
        // `ANY (a.b) > 1` and `ANY a.b > 1`: the comparison belongs to the word.
        let left = try nested { (parser) throws(PredicateError) in try parser.parse(Binding.assignment) }
        if case .comparison(var comparison) = tree[left].kind, left == tree.root, comparison.quantifier == .one {
            // `ANY (a.b > 1)`
            comparison.quantifier = quantifier
            tree.nodes.removeLast()
            return try append(.comparison(comparison), from: word.start)
        }
        try requireExpression(left)
        guard binding(of: current) == Binding.comparison else {
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
        let right = try nested { (parser) throws(PredicateError) in try parser.parse(Binding.assignment) }
        try requireExpression(right)
        if binding(of: current) == Binding.comparison {
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
