internal import HTTPServer
internal import Registry

/// What the query of a publishing request asks for.
struct PublishOptions: Equatable, Sendable {
    var channel = "stable"
    var rollout = Channel.bucketCount
    var isDryRun = false
    var isStrict = false
    var forcesPromotion = false

    init(_ request: borrowing Request) throws(Problem) {
        if let text = request.query("channel") {
            guard Channel.isName(text) else { throw ProblemCatalogue.problem(RegistryError.invalidChannelName(text)) }
            channel = text
        }
        if let text = request.query("rollout") {
            guard let number = Int(text), (0...Channel.bucketCount).contains(number),
                text.utf8.first != UInt8(ascii: "+")
            else { throw PublishOptions.unreadable("rollout", text, "a whole number of basis points from 0 to 10000") }
            rollout = number
        }
        isDryRun = try request.flag("dryRun")
        isStrict = try request.flag("strict")
        if let text = request.query("promote") {
            guard text == "force" else { throw PublishOptions.unreadable("promote", text, "force") }
            forcesPromotion = true
        }
    }

    fileprivate static func unreadable(_ name: String, _ text: String, _ expected: String) -> Problem {
        ProblemCatalogue.problem(
            .malformedRequest, "The query's \(name) is \"\(text.prefix(80))\"; it takes \(expected).")
    }
}

extension Request {
    /// A switch is on when it is named; a word that is neither true nor false is a mistake, not a no.
    func flag(_ name: StaticString) throws(Problem) -> Bool {
        switch query(name) {
        case nil, "false": false
        case "true", "": true
        case .some(let text): throw PublishOptions.unreadable("\(name)", text, "true or false")
        }
    }

    /// A whole number above zero, if there is one.
    func amount(_ name: StaticString) throws(Problem) -> Int? {
        guard let text = query(name) else { return nil }
        guard let number = Int(text), number > 0 else {
            throw PublishOptions.unreadable("\(name)", text, "a whole number above zero")
        }
        return number
    }
}
