/// Comparison of patterns: one may leave nothing for another.
extension LinkPattern {
    /// True if each address of the other pattern is one of this pattern too. Before the other, it hides it.
    package func hides(_ other: LinkPattern) -> Bool {
        guard scheme == other.scheme, path.count == other.path.count else { return false }
        for (mine, theirs) in zip(path, other.path) where !LinkPattern.covers(mine, theirs) { return false }
        return query.allSatisfy { parameter in
            // An address without the parameter is not one of this pattern.
            other.query.contains { $0.name == parameter.name && LinkPattern.covers(parameter.value, $0.value) }
        }
    }

    /// True if an address can have the pattern: an empty segment is in none that has more segments.
    package var isReachable: Bool {
        path.count == 1
            || !path.contains { piece in
                if case .literal(let text) = piece { text.isEmpty } else { false }
            }
    }

    private static func covers(_ mine: Piece, _ theirs: Piece) -> Bool {
        switch (mine, theirs) {
        case (.literal(let one), .literal(let other)): Array(one.utf8) == Array(other.utf8)
        case (.literal, .part): false
        case (.part(let part), .literal(let text)): part.type.value(of: text) != nil
        case (.part(let part), .part(let other)): part.type.covers(other.type)
        }
    }
}

extension LinkPattern.PartType {
    /// True if each text of the other type is one of this type too.
    fileprivate func covers(_ other: LinkPattern.PartType) -> Bool {
        switch (self, other) {
        case (.text, _), (.number, .integer): true
        default: self == other
        }
    }
}
