/// Reads the text of a predicate for what a host should not act on.
///
/// The place where the full grammar takes over from ``ConservativePredicateReader``.
protocol PredicateReader: Sendable {
    func read(_ format: String) -> PredicateReading
}

/// What a predicate's text says. Offsets are in its UTF-8 bytes.
struct PredicateReading: Equatable {
    struct Problem: Equatable {
        var code: FindingCode
        var offset: Int
        var detail: String
    }

    /// A part of the text that is judged by other rules.
    struct Part: Equatable {
        var text: String
        var offset: Int
    }

    var problems: [Problem] = []
    var keyPaths: [Part] = []
    /// Regular expressions, the right sides of `MATCHES`.
    var patterns: [Part] = []
}
