/// Writes a tree so that reading it gives the same tree.
struct SyntaxPrinter {
    let tree: SyntaxTree
    private(set) var text = ""
    /// The values without a literal, which are printed as placeholders.
    private(set) var arguments: [PredicateValue] = []

    init(_ tree: SyntaxTree) {
        self.tree = tree
    }

    /// Recursion is as deep as the tree, which ``PredicateLimits/depth`` bounds.
    mutating func write(_ id: SyntaxNode.ID) {
        switch tree[id].kind {
        case .constant(let literal): write(literal.value)
        case .subject: text += "SELF"
        case .variable(let name): text += "$" + name
        case .keyPath(let base, let path): write(base, path)
        case .index(let part, let index):
            write(part, atLeast: Precedence.postfix)
            text += "["
            write(index)
            text += "]"
        case .place(let part, let place):
            write(part, atLeast: Precedence.postfix)
            text += "[\(place.rawValue)]"
        case .negation(let part):
            text += "-"
            // Without the parentheses a number would take the sign for its own.
            let isNumber = if case .constant = tree[part].kind { true } else { false }
            isNumber ? writeInParentheses(part) : write(part, atLeast: Precedence.sign)
        case .complement(let part):
            text += "~"
            write(part, atLeast: Precedence.sign)
        case .arithmetic(let operation, let left, let right):
            write(operand: left, atLeast: operation.binding)
            text += " \(operation.rawValue) "
            write(operand: right, atLeast: operation.binding + 1)
        case .function(let function, let parts): write(function.rawValue, parts)
        case .call(let function, let parts): call(function, parts)
        case .cast(let part, let type):
            text += "CAST("
            write(part)
            text += ", \"\(type.rawValue)\")"
        case .aggregate(let parts):
            text += "{"
            write(list: parts)
            text += "}"
        case .subquery(let collection, let variable, let predicate):
            text += "SUBQUERY("
            write(collection)
            text += ", $\(variable), "
            write(predicate)
            text += ")"
        case .ternary(let predicate, let value, let otherwise): write("TERNARY", [predicate, value, otherwise])
        case .assignment(let name, let part):
            text += "$\(name) := "
            write(part, atLeast: Precedence.assignment)
        case .truth(let value): text += value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .not(let part):
            text += "NOT "
            write(compound: part)
        case .and(let parts): write(parts, between: " AND ")
        case .or(let parts): write(parts, between: " OR ")
        case .comparison(let comparison): write(comparison)
        }
    }

    // MARK: - Predicates

    private mutating func write(_ parts: [SyntaxNode.ID], between word: String) {
        for (index, part) in parts.enumerated() {
            if index > 0 { text += word }
            write(compound: part)
        }
    }

    /// Nested compound predicates are always in parentheses.
    private mutating func write(compound id: SyntaxNode.ID) {
        switch tree[id].kind {
        case .and, .or: writeInParentheses(id)
        default: write(id)
        }
    }

    private mutating func write(_ comparison: SyntaxNode.Comparison) {
        text += comparison.quantifier.rawValue
        write(comparison.left, atLeast: Precedence.assignment + 1)
        text += " " + comparison.operation.rawValue
        write(comparison.options)
        text += " "
        write(comparison.right, atLeast: Precedence.assignment + 1)
    }

    private mutating func write(_ options: TextOptions) {
        if !options.isEmpty { text += "[\(options.letters)]" }
    }

    // MARK: - Expressions

    private mutating func write(_ id: SyntaxNode.ID, atLeast binding: Int) {
        tree[id].kind.binding < binding ? writeInParentheses(id) : write(id)
    }

    /// Nested calculations are in parentheses too, unless these would exceed ``PredicateLimits/nesting`` when the text
    /// is read again.
    private mutating func write(operand id: SyntaxNode.ID, atLeast binding: Int) {
        if case .arithmetic = tree[id].kind, tree[tree.root].depth <= SyntaxPrinter.spelledOutDepth {
            writeInParentheses(id)
        } else {
            write(id, atLeast: binding)
        }
    }

    /// The deepest nesting with optional parentheses. A nested part has at most two brackets.
    private static let spelledOutDepth = 64

    private mutating func writeInParentheses(_ id: SyntaxNode.ID) {
        text += "("
        write(id)
        text += ")"
    }

    private mutating func write(_ name: String, _ parts: [SyntaxNode.ID]) {
        text += name + "("
        write(list: parts)
        text += ")"
    }

    private mutating func write(list parts: [SyntaxNode.ID]) {
        for (index, part) in parts.enumerated() {
            if index > 0 { text += ", " }
            write(part)
        }
    }

    private mutating func call(_ function: PredicateFunction, _ parts: [SyntaxNode.ID]) {
        text += "FUNCTION("
        if let receiver = parts.first { write(receiver) }
        text += ", \"\(function.rawValue)\""
        for part in parts.dropFirst() {
            text += ", "
            write(part)
        }
        text += ")"
    }

    // MARK: - Key paths

    private mutating func write(_ base: SyntaxNode.ID?, _ path: KeyPath) {
        if let base {
            // Two paths in a row would be read as one, and an operator in the first would apply to all of it.
            if case .keyPath = tree[base].kind {
                writeInParentheses(base)
            } else {
                write(base, atLeast: Precedence.postfix)
            }
        }
        var isFirst = base == nil
        for component in path.components {
            if !isFirst { text += "." }
            switch component {
            case .operation(let operation): text += operation.rawValue
            case .key(let key) where SyntaxPrinter.isIdentifier(key):
                if isFirst, SyntaxPrinter.isReserved(key) { text += "#" }
                text += key
            case .key(let key):
                text += "%K"
                arguments.append(.string(key))
            }
            isFirst = false
        }
    }

    private static func isIdentifier(_ key: String) -> Bool {
        guard let first = key.utf8.first, Tokenizer.beginsIdentifier(first) else { return false }
        return key.utf8.allSatisfy(Tokenizer.continuesIdentifier)
    }

    /// The first key of a path needs a `#` if it is any keyword.
    private static func isReserved(_ key: String) -> Bool { Keyword(key.utf8) != nil || key.uppercased() == "UTI" }

    // MARK: - Constants

    private mutating func write(_ value: PredicateValue) {
        switch value {
        case .null: text += "nil"
        case .boolean(let value): text += value ? "TRUE" : "FALSE"
        case .integer(let value): text += String(value)
        case .double(let value) where value.isFinite: text += value.description
        case .decimal(let value): text += "CAST(\"\(value)\", \"NSDecimalNumber\")"
        case .string(let value): Quotation.literal(value, into: &text)
        case .date(let seconds) where seconds.isFinite:
            text += "CAST(\(SyntaxPrinter.seconds(seconds)), \"NSDate\")"
        case .double, .date, .data, .array, .set, .dictionary, .object:
            text += "%@"
            arguments.append(value)
        }
    }

    /// Six digits behind the point, when they say it all.
    private static func seconds(_ seconds: Double) -> String {
        guard abs(seconds) < 1e12 else { return seconds.description }
        let millionths = (seconds * 1e6).rounded()
        guard abs(millionths) < 9e18 else { return seconds.description }
        let whole = Int64(millionths)
        let digits = String(whole.magnitude % 1_000_000)
        let text =
            "\(whole < 0 ? "-" : "")\(whole.magnitude / 1_000_000)."
            + String(repeating: "0", count: 6 - digits.utf8.count) + digits
        return Double(text)?.bitPattern == seconds.bitPattern ? text : seconds.description
    }
}

extension SyntaxNode.Kind {
    /// The precedence of the part's operator.
    fileprivate var binding: Int {
        switch self {
        case .assignment: Precedence.assignment
        case .arithmetic(let operation, _, _): operation.binding
        case .negation, .complement: Precedence.sign
        // A sign before a number is a part of it, but a following power or bracket would apply to the number alone.
        case .constant(let literal) where literal.value.hasSign: Precedence.sign
        default: isPredicate ? Precedence.not : Precedence.postfix
        }
    }
}

extension PredicateValue {
    fileprivate var hasSign: Bool {
        switch self {
        case .integer(let value): value < 0
        case .double(let value): value.sign == .minus
        default: false
        }
    }
}

extension SyntaxTree {
    /// The printed text, with arguments for values without a literal. Reading it gives this tree again.
    package var printed: (text: String, arguments: [PredicateValue]) {
        guard !nodes.isEmpty else { return ("", []) }
        var printer = SyntaxPrinter(self)
        printer.write(root)
        return (printer.text, printer.arguments)
    }
}
