extension SyntaxTree {
    /// - Parameter arguments: what replaces `%@` and its like, in their order.
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

    /// Whichever of both the text is.
    package static func either(
        _ text: String, arguments: [PredicateValue]? = nil, limits: PredicateLimits = PredicateLimits()
    ) throws(PredicateError) -> SyntaxTree {
        var parser = try Parser(text, arguments: arguments, limits: limits)
        return try parser.parse(isPredicate: nil)
    }

    /// Everything in a predicate that is wrong or not allowed, as far as it can be read.
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
