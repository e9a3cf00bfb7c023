/// A predicate or expression as it was written, with the place of each part.
///
/// The parts are in one array, each after its own parts, so that a visit of all of them is a loop without recursion.
package struct SyntaxTree: Sendable {
    package internal(set) var nodes: [SyntaxNode] = []
    /// True for a predicate, false for an expression.
    package internal(set) var isPredicate = false

    package var root: SyntaxNode.ID { nodes.count - 1 }

    /// True if evaluation reads an object or a variable.
    package var needsContext: Bool {
        var bound: Set<String> = []
        for node in nodes {
            if case .subquery(_, let name, _) = node.kind { bound.insert(name) }
            if case .assignment(let name, _) = node.kind { bound.insert(name) }
        }
        return nodes.contains { node in
            switch node.kind {
            case .subject, .keyPath(base: nil, _): true
            case .variable(let name): !bound.contains(name)
            default: false
            }
        }
    }

    package subscript(_ id: SyntaxNode.ID) -> SyntaxNode { nodes[id] }

    /// Replaces the key paths that are read from the subject.
    package mutating func replaceKeyPaths(_ path: (KeyPath) -> KeyPath) {
        for id in nodes.indices {
            guard case .keyPath(base: nil, let written) = nodes[id].kind else { continue }
            nodes[id].kind = .keyPath(base: nil, path(written))
        }
    }
}

extension SyntaxTree: Equatable {
    /// Compares structure and values; the places in the text do not matter.
    package static func == (first: SyntaxTree, second: SyntaxTree) -> Bool {
        first.nodes.elementsEqual(second.nodes) { $0.kind == $1.kind }
    }
}

/// A part of a predicate or expression.
package struct SyntaxNode: Sendable {
    /// The place of a node in its tree.
    package typealias ID = Int

    package var kind: Kind
    package var span: SourceSpan
    /// Nodes from here down to the deepest.
    var depth: Int32

    package enum Kind: Equatable, Sendable {
        // Expressions
        case constant(Literal)
        case subject
        case variable(String)
        /// Without a base, read from the subject.
        case keyPath(base: ID?, KeyPath)
        case index(ID, at: ID)
        case place(ID, CollectionPlace)
        case negation(ID)
        case complement(ID)
        case arithmetic(ArithmeticOperator, ID, ID)
        case function(PredicateFunction, [ID])
        /// `FUNCTION(receiver, 'name', …)`
        case call(PredicateFunction, [ID])
        case cast(ID, CastType)
        case aggregate([ID])
        case subquery(ID, variable: String, ID)
        case ternary(ID, ID, ID)
        case assignment(String, ID)
        // Predicates
        case truth(Bool)
        case not(ID)
        case and([ID])
        case or([ID])
        case comparison(Comparison)
    }

    package struct Comparison: Equatable, Sendable {
        package enum Quantifier: String, Sendable {
            case one = ""
            case any = "ANY "
            case all = "ALL "
        }

        package var quantifier: Quantifier
        package var left: ID
        package var operation: ComparisonOperator
        package var options: TextOptions
        package var right: ID
    }

    /// A constant of the text, or one that an argument gave.
    package struct Literal: Equatable, Sendable {
        package var value: PredicateValue

        package static func == (first: Literal, second: Literal) -> Bool { first.value.isIdentical(to: second.value) }
    }
}

/// `[FIRST]`, `[LAST]` and `[SIZE]`.
package enum CollectionPlace: String, Sendable {
    case first = "FIRST"
    case last = "LAST"
    case size = "SIZE"
}

/// The target types of `CAST`. Any other name would be a class.
package enum CastType: String, CaseIterable, Sendable {
    case string = "NSString"
    case number = "NSNumber"
    case decimal = "NSDecimalNumber"
    case date = "NSDate"
}

package enum ComparisonOperator: String, CaseIterable, Sendable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case between = "BETWEEN"
    case `in` = "IN"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case contains = "CONTAINS"
    case like = "LIKE"
    case matches = "MATCHES"
    case conformsTo = "UTI-CONFORMS-TO"
    case utiEquals = "UTI-EQUALS"
}

package enum ArithmeticOperator: String, CaseIterable, Sendable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case power = "**"
    case bitAnd = "&"
    case bitOr = "|"
    case bitXor = "^"
    case shiftLeft = "<<"
    case shiftRight = ">>"

    /// Which binds more, among ``Precedence``.
    var binding: Int {
        switch self {
        case .bitOr: Precedence.bitOr
        case .bitXor: Precedence.bitOr + 1
        case .bitAnd: Precedence.bitOr + 2
        case .shiftLeft, .shiftRight: Precedence.shift
        case .add, .subtract: Precedence.sum
        case .multiply, .divide: Precedence.product
        case .power: Precedence.power
        }
    }
}

/// The precedence of operators: a larger number binds more strongly.
enum Precedence {
    static let or = 1
    static let and = 2
    static let not = 3
    static let comparison = 4
    static let assignment = 5
    static let bitOr = 6
    static let shift = 9
    static let sum = 10
    static let product = 11
    static let power = 12
    static let sign = 13
    static let postfix = 14
}

extension SyntaxNode.Kind {
    package var isPredicate: Bool {
        switch self {
        case .truth, .not, .and, .or, .comparison: true
        default: false
        }
    }

    /// Calls the body for each part of this node, in text order.
    package func forEachPart(_ body: (SyntaxNode.ID) -> Void) {
        switch self {
        case .constant, .subject, .variable, .truth: return
        case .keyPath(let base, _): if let base { body(base) }
        case .place(let part, _), .negation(let part), .complement(let part), .cast(let part, _),
            .assignment(_, let part), .not(let part):
            body(part)
        case .index(let first, let second), .arithmetic(_, let first, let second),
            .subquery(let first, _, let second):
            body(first)
            body(second)
        case .ternary(let first, let second, let third):
            body(first)
            body(second)
            body(third)
        case .function(_, let parts), .call(_, let parts), .aggregate(let parts), .and(let parts), .or(let parts):
            parts.forEach(body)
        case .comparison(let comparison):
            body(comparison.left)
            body(comparison.right)
        }
    }
}

extension SyntaxTree {
    /// - Parameter arguments: the values of placeholders such as `%@`, in their order.
    package static func predicate(
        _ text: String, arguments: [PredicateValue]? = nil, limits: PredicateLimits = PredicateLimits()
    ) throws(PredicateError) -> SyntaxTree {
        var parser = try Parser(text, arguments: arguments, limits: limits)
        return try parser.parse(isPredicate: true)
    }

    package static func expression(
        _ text: String, arguments: [PredicateValue]? = nil, limits: PredicateLimits = PredicateLimits()
    ) throws(PredicateError) -> SyntaxTree {
        var parser = try Parser(text, arguments: arguments, limits: limits)
        return try parser.parse(isPredicate: false)
    }

    /// Parses a predicate or an expression.
    package static func either(
        _ text: String, arguments: [PredicateValue]? = nil, limits: PredicateLimits = PredicateLimits()
    ) throws(PredicateError) -> SyntaxTree {
        var parser = try Parser(text, arguments: arguments, limits: limits)
        return try parser.parse(isPredicate: nil)
    }

    /// All errors of a predicate, up to the place at which it cannot be read further.
    /// - Returns: the tree, unless the text could not be read to its end, and the errors by their places.
    package static func examine(
        _ text: String, limits: PredicateLimits = PredicateLimits()
    ) -> (tree: SyntaxTree?, errors: [PredicateError]) {
        var refusals: [PredicateError] = []
        do throws(PredicateError) {
            var parser = try Parser(text, arguments: nil, limits: limits, collectsRefusals: true)
            let result = Result { () throws(PredicateError) in try parser.parse(isPredicate: true) }
            refusals = parser.refusals
            let tree = try result.get()
            return (refusals.isEmpty ? tree : nil, refusals.sorted { $0.offset < $1.offset })
        } catch {
            return (nil, (refusals + [error]).sorted { $0.offset < $1.offset })
        }
    }
}
