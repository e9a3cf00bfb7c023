/// A pattern of `LIKE`: `*` stands for any characters, `?` for one, and a backslash takes their meaning away.
///
/// Texts are compared as `==` compares them, and a character is a scalar with the marks on it.
struct LikePattern: Sendable {
    private enum Token: Hashable, Sendable {
        case one
        case any
        case entry(UInt32)
    }

    private let tokens: [Token]
    private let comparison: TextComparison

    init(_ text: String, _ comparison: TextComparison) {
        self.comparison = comparison
        var tokens: [Token] = []
        var piece = String.UnicodeScalarView()
        func finish() {
            tokens += FoldedText(String(piece), comparison).entries.map { .entry($0 & FoldTable.scalar) }
            piece = String.UnicodeScalarView()
        }
        var isEscaped = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\" where !isEscaped:
                isEscaped = true
                continue
            case "*" where !isEscaped:
                finish()
                if tokens.last != .any { tokens.append(.any) }
            case "?" where !isEscaped:
                finish()
                tokens.append(.one)
            default: piece.append(scalar)
            }
            isEscaped = false
        }
        // A backslash at the end has nothing to escape and stands for itself.
        if isEscaped { piece.append("\\") }
        finish()
        self.tokens = tokens
    }

    /// How many tokens it has, and one.
    var size: Int { tokens.count + 1 }

    /// Whether the whole text is like the pattern. When a later part does not fit, only the last `*` takes more: what
    /// stood before it fitted as early as it could.
    func matches(_ text: String, fuel: inout Int) throws(PatternError) -> Bool {
        let entries = FoldedText(text, comparison).entries
        var place = 0
        var token = 0
        var retry: (place: Int, token: Int)?
        while true {
            fuel -= 1
            if fuel < 0 { throw PatternError(.outOfFuel, 0) }
            if token < tokens.count, tokens[token] == .any, isEdge(place, entries) {
                token += 1
                if token == tokens.count { return true }
                retry = (place, token)
            } else if token < tokens.count, let end = end(of: tokens[token], at: place, entries) {
                place = end
                token += 1
            } else if token == tokens.count, place == entries.count {
                return true
            } else if let last = retry, last.place < entries.count {
                var next = last.place + 1
                while !isEdge(next, entries) { next += 1 }
                retry = (next, last.token)
                (place, token) = (next, last.token)
            } else {
                return false
            }
        }
    }

    /// Where the token ends if it fits here.
    private func end(of token: Token, at place: Int, _ entries: [UInt32]) -> Int? {
        guard place < entries.count else { return nil }
        switch token {
        case .any: return nil
        case .entry(let entry): return entries[place] & FoldTable.scalar == entry ? place + 1 : nil
        case .one:
            guard isEdge(place, entries) else { return nil }
            var end = place + 1
            while !isEdge(end, entries) { end += 1 }
            return end
        }
    }

    private func isEdge(_ place: Int, _ entries: [UInt32]) -> Bool {
        place == 0 || place >= entries.count || entries[place] & (FoldTable.mark | FoldTable.joined) == 0
    }
}
