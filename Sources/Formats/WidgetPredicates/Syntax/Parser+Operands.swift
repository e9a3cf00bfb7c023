extension Parser {
    /// A value with the dots and brackets after it, or a predicate in parentheses.
    mutating func operand() throws(PredicateError) -> SyntaxNode.ID {
        let start = current.start
        var id = try primary()
        while true {
            switch current.kind {
            case .symbol(.dot) where !isPredicate(id):
                try advance()
                var components = [try component()]
                while try accept(.dot) { components.append(try component()) }
                id = try append(.keyPath(base: id, KeyPath(components.flatMap { $0 })), from: start)
            case .symbol(.openBracket) where !isPredicate(id): id = try element(of: id, from: start)
            default: return id
            }
        }
    }

    private mutating func primary() throws(PredicateError) -> SyntaxNode.ID {
        let token = current
        switch token.kind {
        case .integer, .real: return try number()
        case .string: return try constant(.string(try string()), from: token.start)
        case .variable: return try variable()
        case .placeholder: return try placeholder()
        case .identifier:
            try advance()
            return current.kind == .symbol(.openParenthesis) && tokenizer.bytes[token.start] != UInt8(ascii: "#")
                ? try function(token) : try keyPath(from: token)
        case .selector:
            try advance()
            return try function(token)
        case .symbol(.at): return try keyPath(try component(), from: token.start)
        case .symbol(.openBrace): return try aggregate()
        case .symbol(.openParenthesis):
            try advance()
            let inner = try nested { (parser) throws(PredicateError) in try parser.parse(Precedence.or) }
            guard current.kind == .symbol(.closeParenthesis) else { throw unclosed(token, inner) }
            try advance()
            return inner
        case .keyword(let keyword): return try reserved(keyword)
        default: throw unexpected(expected: ["a value"])
        }
    }

    func unclosed(_ opening: PredicateToken, _ inner: SyntaxNode.ID) -> PredicateError {
        guard current.kind == .end else { return unexpected(after: inner) }
        var error = unexpected(expected: ["`)`"])
        error.sentence = "The parenthesis at byte \(opening.start) is never closed"
        return error
    }

    private mutating func reserved(_ keyword: Keyword) throws(PredicateError) -> SyntaxNode.ID {
        let token = current
        switch keyword {
        case .null, .nil:
            try advance()
            return try constant(.null, from: token.start)
        case .true, .yes, .false, .no:
            try advance()
            return try constant(.boolean(keyword == .true || keyword == .yes), from: token.start)
        case .itself:
            try advance()
            return try append(.subject, from: token.start)
        case .truePredicate, .falsePredicate:
            try advance()
            return try append(.truth(keyword == .truePredicate), from: token.start)
        case .subquery: return try subquery()
        case .ternary: return try ternary()
        case .cast: return try cast()
        case .function: return try call()
        case .fetch:
            throw PredicateError(
                .functionNotAllowed, at: token.span, "FETCH asks a database that a widget does not have",
                found: Quotation.of(text(token)))
        case .first, .last, .size, .anyKey, .caseInsensitive, .ci:
            throw PredicateError(
                .reservedWord, at: token.span, "\(text(token)) is a reserved word and cannot be a key",
                found: Quotation.of(text(token)), hint: "a key of this name is written #\(text(token))")
        default:
            throw PredicateError(
                .unexpectedToken, at: token.span, "Nothing precedes \(keyword.rawValue)",
                found: Quotation.of(text(token)), expected: ["a value"],
                hint: "a key of this name is written #\(text(token))")
        }
    }

    // MARK: - Constants

    mutating func constant(_ value: PredicateValue, from start: Int) throws(PredicateError) -> SyntaxNode.ID {
        try append(.constant(SyntaxNode.Literal(value: value)), from: start)
    }

    private mutating func number() throws(PredicateError) -> SyntaxNode.ID {
        let token = current
        let bytes = tokenizer.bytes[token.start..<token.end]
        var value = token.kind == .integer ? NumberText.integer(bytes) : nil
        if value == nil, token.kind == .real || bytes.allSatisfy({ 0x30...0x39 ~= $0 }) {
            value = Double(String(decoding: bytes, as: UTF8.self)).flatMap { $0.isFinite ? .double($0) : nil }
        }
        guard let value else {
            throw PredicateError(
                .badNumber, at: token.span, "This number is too large", found: Quotation.of(bytes))
        }
        try advance()
        return try constant(value, from: token.start)
    }

    /// The text of the current token, which is a string.
    mutating func string() throws(PredicateError) -> String {
        let text = try Quotation.text(tokenizer.bytes[current.start + 1..<current.end - 1])
        // Escapes can produce characters that the text itself does not have.
        guard !MarkRun.isTooLong(in: text) else { throw Parser.tooManyMarks(at: current.start) }
        try advance()
        return text
    }

    private mutating func variable() throws(PredicateError) -> SyntaxNode.ID {
        let token = current
        // By scalars, because a mark after the sign would be one character with it.
        let name = String(text(token).unicodeScalars.dropFirst())
        try advance()
        guard try accept(.assign) else { return try append(.variable(name), from: token.start) }
        let value = try nested { (parser) throws(PredicateError) in try parser.parse(Precedence.assignment) }
        try requireExpression(value)
        return try append(.assignment(name, value), from: token.start)
    }

    private mutating func placeholder() throws(PredicateError) -> SyntaxNode.ID {
        let token = current
        let placeholder = Placeholder(tokenizer.bytes[token.start..<token.end])
        try advance()
        guard let argument = try argument(placeholder, token) else { return try constant(.null, from: token.start) }
        if placeholder.isKeyPath {
            guard case .string(let text) = argument, let path = KeyPath(text: text) else {
                throw wrongArgument(placeholder, token, argument)
            }
            if path.components == [.key("SELF")] { return try append(.subject, from: token.start) }
            return try keyPath(path.components, from: token.start)
        }
        guard let value = placeholder.constant(argument) else { throw wrongArgument(placeholder, token, argument) }
        return try constants(value, from: token.start)
    }

    func wrongArgument(
        _ placeholder: Placeholder, _ token: PredicateToken, _ argument: PredicateValue
    ) -> PredicateError {
        PredicateError(
            .argumentType, at: token.span, "The argument for \(text(token)) is \(argument.kindName)",
            expected: [placeholder.needed])
    }

    /// An array argument becomes a list, as if it were written in the text.
    private mutating func constants(_ value: PredicateValue, from start: Int) throws(PredicateError) -> SyntaxNode.ID {
        guard case .array(let elements) = value else { return try constant(value, from: start) }
        var parts: [SyntaxNode.ID] = []
        for element in elements {
            parts.append(
                try nested { (parser) throws(PredicateError) in try parser.constants(element, from: start) })
        }
        return try append(.aggregate(parts), from: start)
    }

    private mutating func aggregate() throws(PredicateError) -> SyntaxNode.ID {
        let opening = current
        try advance()
        var parts: [SyntaxNode.ID] = []
        if try !accept(.closeBrace) {
            repeat { parts.append(try expression()) } while try accept(.comma)
            guard current.kind == .symbol(.closeBrace) else {
                if current.kind == .end { try expect(.closeBrace, of: opening, or: ["`,`"]) }
                throw unexpected(after: tree.root, expected: ["`,`", "`}`"])
            }
            try advance()
        }
        return try append(.aggregate(parts), from: opening.start)
    }

    /// One argument, element or index.
    mutating func expression() throws(PredicateError) -> SyntaxNode.ID {
        let id = try nested { (parser) throws(PredicateError) in try parser.parse(Precedence.or) }
        try requireExpression(id)
        return id
    }

    // MARK: - Key paths

    private mutating func keyPath(from token: PredicateToken) throws(PredicateError) -> SyntaxNode.ID {
        let bytes = tokenizer.bytes[token.start..<token.end]
        let key = bytes.first == UInt8(ascii: "#") ? bytes.dropFirst() : bytes
        return try keyPath([.key(String(decoding: key, as: UTF8.self))], from: token.start)
    }

    private mutating func keyPath(
        _ first: [KeyPath.Component], from start: Int
    ) throws(PredicateError) -> SyntaxNode.ID {
        var components = first
        while try accept(.dot) { components += try component() }
        return try append(.keyPath(base: nil, KeyPath(components)), from: start)
    }

    /// The part after a dot: a key, `@count`, or a key path that an argument gives.
    private mutating func component() throws(PredicateError) -> [KeyPath.Component] {
        let token = current
        switch token.kind {
        case .identifier, .keyword:
            try advance()
            let word = text(token)
            return [.key(word.utf8.first == UInt8(ascii: "#") ? String(word.unicodeScalars.dropFirst()) : word)]
        case .symbol(.at):
            try advance()
            let name = current
            guard name.kind == .identifier || isKeyword(name), name.start == token.end else {
                throw unexpected(expected: ["an operator such as @count"])
            }
            let word = "@" + text(name)
            guard let operation = CollectionOperator(rawValue: word) else {
                throw PredicateError(
                    .unknownFunction, at: SourceSpan(from: token.start, to: name.end),
                    "Unknown collection operator \(word)", found: Quotation.of(word),
                    hint: NearMiss.of(word, among: CollectionOperator.allCases.map { $0.rawValue }).map {
                        "did you mean \($0)?"
                    })
            }
            try advance()
            return [.operation(operation)]
        case .placeholder where Placeholder(tokenizer.bytes[token.start..<token.end]).isKeyPath:
            let placeholder = Placeholder(tokenizer.bytes[token.start..<token.end])
            try advance()
            guard let argument = try argument(placeholder, token) else { return [.key("")] }
            guard case .string(let text) = argument, let path = KeyPath(text: text) else {
                throw wrongArgument(placeholder, token, argument)
            }
            return path.components
        default: throw unexpected(expected: ["a key", "an operator such as @count"])
        }
    }

    private func isKeyword(_ token: PredicateToken) -> Bool {
        if case .keyword = token.kind { true } else { false }
    }

    private mutating func element(of id: SyntaxNode.ID, from start: Int) throws(PredicateError) -> SyntaxNode.ID {
        let opening = current
        try advance()
        if case .keyword(let keyword) = current.kind, let place = CollectionPlace(rawValue: keyword.rawValue) {
            try advance()
            try expect(.closeBracket, of: opening)
            return try append(.place(id, place), from: start)
        }
        let index = try expression()
        try expect(.closeBracket, of: opening)
        return try append(.index(id, at: index), from: start)
    }
}

extension Parser {
    /// `name(…)`, the current token being the parenthesis.
    mutating func function(_ name: PredicateToken) throws(PredicateError) -> SyntaxNode.ID {
        let arguments = try arguments()
        let word = text(name)
        guard let function = PredicateFunction.called(word, argumentCount: arguments.count) else {
            let (start, known) = (
                String(word.prefix { $0 != ":" }), PredicateFunction.firstWords + ["SUBQUERY", "TERNARY", "CAST"]
            )
            let near = NearMiss.of(start, among: known) ?? NearMiss.beginning(with: start, among: known)
            try refuse(
                PredicateError(
                    .unknownFunction, at: name.span, "Unknown function \(word)", found: Quotation.of(word),
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

    private func check(_ function: PredicateFunction, _ count: Int, at name: PredicateToken) throws(PredicateError) {
        guard !function.arity.contains(count) else { return }
        let needed = function.arity.lowerBound
        throw PredicateError(
            .argumentCount, at: name.span, "\(function.rawValue) is called with \(count) arguments",
            found: Quotation.of(text(name)),
            expected: [needed == 0 ? "no argument" : needed == 1 ? "one argument" : "\(needed) arguments"])
    }

    /// The arguments between the parentheses.
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

    private mutating func cast(
        _ arguments: [SyntaxNode.ID], from name: PredicateToken
    ) throws(PredicateError) -> SyntaxNode.ID {
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
                    hint: NearMiss.of(type, among: CastType.allCases.map { $0.rawValue }).map {
                        "did you mean '\($0)'?"
                    }))
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
                    hint: called.flatMap { NearMiss.of($0, among: PredicateFunction.allCases.map { $0.rawValue }) }
                        .map { "did you mean '\($0)'?" }))
            return try append(.aggregate(parts), from: name.start)
        }
        // A function without arguments still has a receiver, which it ignores.
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
        let predicate = try nested { (parser) throws(PredicateError) in try parser.parse(Precedence.or) }
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
        let predicate = try nested { (parser) throws(PredicateError) in try parser.parse(Precedence.or) }
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

/// `%@`, `%K`, `%2$ld`: the number of an argument, and its type.
struct Placeholder {
    static let conversions = Set("@KdDiIuUxXoOfFeEgGaAcCsS".utf8)

    /// Counted from one, where the text says which.
    var position: Int?
    var conversion: UInt8

    init(_ bytes: ArraySlice<UInt8>) {
        conversion = bytes.last ?? UInt8(ascii: "@")
        guard let dollar = bytes.firstIndex(of: UInt8(ascii: "$")) else { return }
        position = Int(String(decoding: bytes[bytes.startIndex + 1..<dollar], as: UTF8.self)) ?? 0
    }

    var isKeyPath: Bool { conversion == UInt8(ascii: "K") }

    var needed: String {
        switch conversion {
        case UInt8(ascii: "K"): "a key path"
        case UInt8(ascii: "@"): "a value"
        case _ where isReal: "a number"
        case UInt8(ascii: "s"), UInt8(ascii: "S"): "a text"
        case UInt8(ascii: "c"), UInt8(ascii: "C"): "a character"
        default: "a whole number"
        }
    }

    private var isReal: Bool { "fFeEgGaA".utf8.contains(conversion) }

    /// The constant that an argument gives; `nil` when it is of the wrong type.
    func constant(_ argument: PredicateValue) -> PredicateValue? {
        switch conversion {
        case UInt8(ascii: "@"): return argument
        case UInt8(ascii: "s"), UInt8(ascii: "S"):
            guard case .string = argument else { return nil }
            return argument
        case UInt8(ascii: "c"), UInt8(ascii: "C"):
            if case .string(let text) = argument { return text.unicodeScalars.count == 1 ? argument : nil }
            return whole(argument)
        case _ where isReal: return argument.double.map { .double($0) }
        default: return whole(argument)
        }
    }

    private func whole(_ argument: PredicateValue) -> PredicateValue? {
        switch argument {
        case .integer: argument
        case .boolean(let value): .integer(value ? 1 : 0)
        case .double(let value): Int64(exactly: value).map { .integer($0) }
        default: nil
        }
    }
}
