internal import HTTPServer
internal import Registry
internal import RegistryContract

extension Caller {
    /// Whether tokens with that prefix are this caller's to give and take.
    func governs(_ tokenPrefix: String) -> Bool {
        prefix.isEmpty || !tokenPrefix.isEmpty && covers(tokenPrefix)
    }
}

/// What somebody who makes a token says about it.
enum TokenRequest {
    static func token(_ body: [UInt8], now: Int64) throws(Problem) -> Token {
        let wanted: TokenRequestDocument = try RequestDocument.read(body)
        var scopes: Set<Token.Scope> = []
        for word in wanted.scopes {
            guard let scope = Token.Scope(rawValue: word) else {
                throw ProblemCatalogue.problem(
                    .malformedRequest,
                    "There is no scope \"\(word.prefix(40))\"; there are \(Token.Scope.allCases.map(\.rawValue).joined(separator: ", "))."
                )
            }
            scopes.insert(scope)
        }
        guard !scopes.isEmpty else {
            throw ProblemCatalogue.problem(.malformedRequest, "A token needs at least one scope.")
        }
        var expires: Int64?
        if let text = wanted.expires {
            guard let time = Timestamp.seconds(text) ?? lifetime(text).map({ now + $0 }) else {
                throw ProblemCatalogue.problem(
                    .malformedRequest,
                    "expires is a time such as 2027-01-31T00:00:00Z or a span such as 90d, not \"\(text.prefix(40))\".")
            }
            guard time > now else {
                throw ProblemCatalogue.problem(.malformedRequest, "expires is in the past.")
            }
            expires = time
        }
        return Token(
            name: wanted.name, prefix: wanted.prefix ?? "", scopes: scopes,
            created: now, expires: expires)
    }

    /// The seconds of `12h`, `90d` or `8w`.
    static func lifetime(_ text: String) -> Int64? {
        let units: [Character: Int64] = ["m": 60, "h": 3_600, "d": 86_400, "w": 604_800]
        guard text.utf8.count <= 6, let unit = text.last.flatMap({ units[$0] }),
            text.dropLast().utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int64(text.dropLast()),
            count > 0
        else { return nil }
        return count * unit
    }
}
