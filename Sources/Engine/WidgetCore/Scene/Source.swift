package import WidgetPredicates

/// A source of items.
package struct Source: Sendable {
    package enum Kind: Sendable {
        case query(RecordQuery)
        /// The elements of an object's collection.
        case collection(keyPath: String)
        case items([Value])
    }

    package var id: String
    package var kind: Kind
    /// Of collections and items; queries have their own.
    package var predicate: CompiledPredicate?
    package var sort: [RecordQuery.SortKey] = []
    package var isAscending = true
    package var filter: CompiledPredicate?
    /// The initial search text.
    package var search = ""
    package var master: Expression?
    package var masterKeyPath: String?
    package var chain: ResultChain?
    /// True if the result of the chain replaces the items.
    package var showsChain = false
    package var place: Place?

    package init(_ id: String, _ kind: Kind, place: Place? = nil) {
        self.id = id
        self.kind = kind
        self.place = place
    }
}

/// A chain of functions over all items.
package struct ResultChain: Sendable {
    package struct Link: Equatable, Sendable {
        package var name: String
        package var argument: String

        package init(_ name: String, _ argument: String = "") {
            self.name = name
            self.argument = argument
        }
    }

    package let links: [Link]
    let compiled: CompiledExpression
    /// The items that the chain leaves, where it does nothing but that.
    let selection: Selection?

    /// Arguments are values of the expression and never a part of its text.
    package init(_ links: [Link]) throws(PredicateError) {
        self.links = links
        var text = "SELF"
        var arguments: [Value] = []
        for (index, link) in links.enumerated() {
            let takesArgument = link.name.hasSuffix(":")
            text = "FUNCTION(\(text), \(ResultChain.quoted(link.name))" + (takesArgument ? ", %\(index + 1)$@)" : ")")
            arguments.append(.string(link.argument))
        }
        compiled = try CompiledExpression(text, arguments: arguments)
        selection = links.count == 1 ? ResultChain.selection(of: compiled.tree) : nil
    }

    private static func quoted(_ name: String) -> String {
        "\"" + name.filter { $0.isLetter || $0.isNumber || $0 == "_" || $0 == ":" } + "\""
    }

    enum Selection { case first, last, count }

    /// A chain of one step that takes one of many needs no list of all.
    private static func selection(of tree: SyntaxTree) -> Selection? {
        for node in tree.nodes {
            guard case .call(let function, _) = node.kind else { continue }
            switch function {
            case .chainFirst, .firstObject: return .first
            case .chainLast, .lastObject: return .last
            case .chainCount, .elementCount: return .count
            default: return nil
            }
        }
        return nil
    }
}
