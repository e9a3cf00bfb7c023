/// A predicate or expression as it was written, with the place of each part.
///
/// The parts lie in one array, each behind those it is made of, so that whoever looks at all of them needs a loop
/// and no recursion.
package struct SyntaxTree: Sendable {
    package internal(set) var nodes: [SyntaxNode] = []
    /// Whether the whole is true or false, or has a value.
    package internal(set) var isPredicate = false

    package var root: SyntaxNode.ID { nodes.count - 1 }

    /// Whether anything is read from an object or a variable.
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
}

extension SyntaxTree: Equatable {
    /// Whether both say the same in the same way; where it stands does not matter.
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

/// The types that a value can be turned into. Any other name would be a class.
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

    /// Which binds more, among ``Binding``.
    var binding: Int {
        switch self {
        case .bitOr: Binding.bitOr
        case .bitXor: Binding.bitOr + 1
        case .bitAnd: Binding.bitOr + 2
        case .shiftLeft, .shiftRight: Binding.shift
        case .add, .subtract: Binding.sum
        case .multiply, .divide: Binding.product
        case .power: Binding.power
        }
    }
}

/// How strongly operators bind, from `OR` up.
enum Binding {
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
