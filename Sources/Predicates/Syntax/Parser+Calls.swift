extension Parser {
    /// `name(…)`, the current token being the parenthesis.
    mutating func function(_ name: Token) throws(PredicateError) -> SyntaxNode.ID {
        let arguments = try arguments()
        let word = text(name)
        guard let function = PredicateFunction.called(word, argumentCount: arguments.count) else {
            let near = NearMiss.of(
                String(word.prefix { $0 != ":" }),
                among: PredicateFunction.firstWords + ["SUBQUERY", "TERNARY", "CAST"])
            try refuse(
                PredicateError(
                    .unknownFunction, at: name.span, "There is no function \(word)", found: Quotation.of(word),
                    hint: near.map { "did you mean \($0)?" }))
            return try append(.aggregate(arguments), from: name.start)
        }
        try check(function, arguments.count, at: name)
        switch function {
        case .cast: return try cast(arguments, from: name)
        case .element: return try append(.index(arguments[0], at: arguments[1]), from: name.start)
        case .onesComplement: return try append(.complement(arguments[0]), from: name.start)
        case _ where function.operation != nil:
            guard let operation = function.operation else { break }
            return try append(.arithmetic(operation, arguments[0], arguments[1]), from: name.start)
        default: break
        }
        return try append(.function(function, arguments), from: name.start)
    }

    private func check(_ function: PredicateFunction, _ count: Int, at name: Token) throws(PredicateError) {
        guard !function.arity.contains(count) else { return }
        let needed = function.arity.lowerBound
        throw PredicateError(
            .argumentCount, at: name.span, "\(function.rawValue) is called with \(count) arguments",
            found: Quotation.of(text(name)),
            expected: [needed == 0 ? "no argument" : needed == 1 ? "one argument" : "\(needed) arguments"])
    }

    /// What stands between the parentheses.
    private mutating func arguments() throws(PredicateError) -> [SyntaxNode.ID] {
        let opening = current
        try expect(.openParenthesis)
        if try accept(.closeParenthesis) { return [] }
        var arguments: [SyntaxNode.ID] = []
        repeat { arguments.append(try expression()) } while try accept(.comma)
        if current.kind == .end { throw unclosed(opening, arguments[0]) }
        guard current.kind == .symbol(.closeParenthesis) else {
            throw unexpected(after: arguments[0], expected: ["`,`", "`)`"])
        }
        try advance()
        return arguments
    }

    /// `CAST(value, 'NSDate')`
    mutating func cast() throws(PredicateError) -> SyntaxNode.ID {
        let name = current
        try advance()
        return try cast(try arguments(), from: name)
    }

    private mutating func cast(_ arguments: [SyntaxNode.ID], from name: Token) throws(PredicateError) -> SyntaxNode.ID {
        let types = CastType.allCases.map { "'\($0.rawValue)'" }
        guard arguments.count == 2, let type = literal(arguments[1]) else {
            try refuse(
                PredicateError(
                    .castNotAllowed, at: name.span, "CAST needs a value and the name of a type, in quotes",
                    found: Quotation.of(text(name)), expected: types))
            return try append(.aggregate(arguments), from: name.start)
        }
        guard let type = CastType(rawValue: type) else {
            try refuse(
                PredicateError(
                    .castNotAllowed, at: name.span, "CAST to \(Quotation.of(type)) would look up a class",
                    found: Quotation.of(type), expected: types,
                    hint: NearMiss.of(type, among: CastType.allCases.map(\.rawValue)).map { "did you mean '\($0)'?" }))
            return try append(.aggregate(arguments), from: name.start)
        }
        tree.nodes.removeLast()
        // A date or a decimal has no other way to be written, so this is a constant.
        if type == .date || type == .decimal, case .constant(let literal) = tree[arguments[0]].kind,
            arguments[0] == tree.root, let value = literal.value.cast(to: type), !value.isNull
        {
            tree.nodes.removeLast()
            return try constant(value, from: name.start)
        }
        return try append(.cast(arguments[0], type), from: name.start)
    }

    /// A quoted text, and nothing else.
    private func literal(_ id: SyntaxNode.ID) -> String? {
        guard id == tree.root, case .constant(let literal) = tree[id].kind, case .string(let text) = literal.value
        else { return nil }
        return text
    }

    /// `FUNCTION(receiver, 'name', …)`
    mutating func call() throws(PredicateError) -> SyntaxNode.ID {
        let name = current
        try advance()
        let opening = current
        try expect(.openParenthesis)
        var parts = [try expression()]
        guard current.kind == .symbol(.comma) else {
            if current.kind == .end { throw unclosed(opening, parts[0]) }
            try refuse(
                PredicateError(
                    .functionNotAllowed, at: name.span, "FUNCTION needs the name of a function as its second argument",
                    found: Quotation.of(text(name))))
            guard current.kind == .symbol(.closeParenthesis) else { throw unclosed(opening, parts[0]) }
            try advance()
            return try append(.aggregate(parts), from: name.start)
        }
        try advance()
        let selector = try expression()
        let called = literal(selector)
        if called != nil { tree.nodes.removeLast() } else { parts.append(selector) }
        while try accept(.comma) { parts.append(try expression()) }
        guard current.kind == .symbol(.closeParenthesis) else { throw unclosed(opening, parts[0]) }
        try advance()
        guard let called, let function = PredicateFunction.named(called), function != .cast else {
            try refuse(
                PredicateError(
                    .functionNotAllowed, at: name.span,
                    called.map {
                        "FUNCTION calls \(Quotation.of($0)), which is not among the functions of the language"
                    }
                        ?? "FUNCTION calls what only an evaluation could tell",
                    found: Quotation.of(called ?? text(name)),
                    hint: called.flatMap { NearMiss.of($0, among: PredicateFunction.allCases.map(\.rawValue)) }
                        .map { "did you mean '\($0)'?" }))
            return try append(.aggregate(parts), from: name.start)
        }
        // A function without arguments has a receiver all the same, and does not look at it.
        try check(function, function.arity.upperBound == 0 ? parts.count - 1 : parts.count, at: name)
        return try append(.call(function, parts), from: name.start)
    }

    /// `SUBQUERY(collection, $each, predicate)`
    mutating func subquery() throws(PredicateError) -> SyntaxNode.ID {
        let name = current
        try advance()
        let opening = current
        try expect(.openParenthesis)
        let collection = try expression()
        try expect(.comma, of: opening)
        let variable = current
        guard variable.kind == .variable else { throw unexpected(expected: ["a variable such as $each"]) }
        try advance()
        try expect(.comma, of: opening)
        let predicate = try nested { (parser) throws(PredicateError) in try parser.parse(Binding.or) }
        try requirePredicate(predicate)
        guard current.kind == .symbol(.closeParenthesis) else { throw unclosed(opening, predicate) }
        try advance()
        return try append(
            .subquery(collection, variable: String(text(variable).unicodeScalars.dropFirst()), predicate),
            from: name.start)
    }

    /// `TERNARY(predicate, value, otherwise)`
    mutating func ternary() throws(PredicateError) -> SyntaxNode.ID {
        let name = current
        try advance()
        let opening = current
        try expect(.openParenthesis)
        let predicate = try nested { (parser) throws(PredicateError) in try parser.parse(Binding.or) }
        try requirePredicate(predicate)
        try expect(.comma, of: opening)
        let value = try expression()
        try expect(.comma, of: opening)
        let otherwise = try expression()
        guard current.kind == .symbol(.closeParenthesis) else { throw unclosed(opening, otherwise) }
        try advance()
        return try append(.ternary(predicate, value, otherwise), from: name.start)
    }
}
