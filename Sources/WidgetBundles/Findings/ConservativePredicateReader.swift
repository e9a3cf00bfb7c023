/// Finds in a predicate what certainly cannot be parsed and what reaches code, without a grammar.
///
/// It knows quotations, brackets, and which word calls something. What it does not understand it lets pass.
struct ConservativePredicateReader: PredicateReader {
    func read(_ format: String) -> PredicateReading {
        let (tokens, problems) = PredicateToken.tokens(of: format)
        var walk = PredicateWalk(tokens: tokens, problems: problems)
        return walk.run()
    }
}
